import { kept } from '../../../platform/web/kept.ts'
import { checkTabs, homeTab, type Tab } from './tabs.ts'

/** The pages a person has open, kept for that person. */
export const openedTabs = kept<Tab[]>('tabs', [homeTab], checkTabs)
/** Another company's pages are not this one's. */
export const forgetTabs = () => openedTabs.set([homeTab])
