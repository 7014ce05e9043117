import { HOME } from '../address.ts'

/** An opened page: its path, the address it is at (its filter, its open record), and when it was opened. */
export interface Tab {
  path: string
  address: string
  opened: number
}
export const TABS_MOST = 12
export const TABS_FEW = 5
export const homeTab: Tab = { path: HOME, address: HOME, opened: 0 }

const isHome = (tab: Tab) => tab.path === HOME
/** Home is always there, at the left. */
const withHome = (tabs: readonly Tab[]) => (tabs.some(isHome) ? [...tabs] : [homeTab, ...tabs])

/** Opens a page or moves its tab to another address. Beyond `most` the oldest goes, never home, never the one just opened, `keeps` ones last. */
export function open(tabs: readonly Tab[], path: string, address: string, most: number, keeps: (tab: Tab) => boolean = () => false): Tab[] {
  const known = tabs.find((tab) => tab.path === path)
  if (known) return tabs.map((tab) => (tab === known ? { ...tab, address } : tab))
  const opened = Math.max(0, ...tabs.map((tab) => tab.opened)) + 1
  const next = [...withHome(tabs), { path, address, opened }]
  while (next.filter((tab) => !isHome(tab)).length > most) {
    const others = next.filter((tab) => !isHome(tab) && tab.path !== path)
    const free = others.filter((tab) => !keeps(tab))
    const oldest = (free.length > 0 ? free : others).reduce((a, b) => (a.opened <= b.opened ? a : b))
    next.splice(next.indexOf(oldest), 1)
  }
  return next
}

/** The tabs left after closing, and the page then in front. */
export interface Closed {
  tabs: Tab[]
  front: string
}
const staying = (tabs: readonly Tab[], front: string, stays: (tab: Tab, place: number) => boolean, instead: string): Closed => {
  const rest = tabs.filter((tab, place) => isHome(tab) || stays(tab, place))
  return { tabs: withHome(rest), front: rest.some((tab) => tab.path === front) ? front : instead }
}
const placeOf = (tabs: readonly Tab[], path: string) => tabs.findIndex((tab) => tab.path === path)

export const closeLeft = (tabs: readonly Tab[], front: string, of: string) => staying(tabs, front, (_, place) => place >= placeOf(tabs, of), of)
export const closeRight = (tabs: readonly Tab[], front: string, of: string) => staying(tabs, front, (_, place) => place <= placeOf(tabs, of), of)
export const closeOthers = (tabs: readonly Tab[], front: string, of: string) => staying(tabs, front, (tab) => tab.path === of, of)
export const closeAll = (tabs: readonly Tab[]) => staying(tabs, HOME, () => false, HOME)
/** The next one comes to the front, or the one before when it was the last. */
export function close(tabs: readonly Tab[], front: string, of: string): Closed {
  const place = placeOf(tabs, of)
  const beside = tabs[place + 1] ?? tabs[place - 1] ?? homeTab
  return staying(tabs, front, (tab) => tab.path !== of, beside.path)
}

/** A tab dragged to another's place. */
export function moved(tabs: readonly Tab[], from: string, to: string): Tab[] {
  const next = [...tabs]
  const [tab] = next.splice(placeOf(tabs, from), 1)
  next.splice(placeOf(tabs, to), 0, tab!)
  return next
}

/** Checks the tabs read from local storage, which may hold anything. */
export function checkTabs(value: unknown): Tab[] | undefined {
  if (!Array.isArray(value)) return undefined
  const good = value.filter((tab): tab is Tab => {
    const { path, address, opened } = (tab ?? {}) as Partial<Tab>
    return typeof path === 'string' && typeof address === 'string' && address.startsWith(path) && /^\/(?!\/)/.test(path) && typeof opened === 'number'
  })
  return withHome(good)
}
