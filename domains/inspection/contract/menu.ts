import type { MenuEntry } from '../../../platform/contract/menu.ts'

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = []
