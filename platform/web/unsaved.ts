/** Screens on which something would be lost (a form half typed, a run over many rows), by their path. Closing such a tab, or the browser, asks first. */
const holders = new Map<string, Set<string>>()
let front: string | undefined
/** What lies over all pages: one's own password. */
const NO_PAGE = ''

export const unsaved = {
  on: (path: string, now: boolean, holder: string) => {
    const here = holders.get(path) ?? new Set()
    if (now) here.add(holder)
    else here.delete(holder)
    if (here.size > 0) holders.set(path, here)
    else holders.delete(path)
  },
  /** Whoever held something is gone from the screen. A page that is only hidden behind another one still holds what was typed there. */
  gone: (path: string, holder: string) => (path === front || path === NO_PAGE) && unsaved.on(path, false, holder),
  /** The page now in front: what it holds says so again as it is shown. */
  shown: (path: string | undefined) => {
    front = path
    if (path !== undefined) unsaved.forget(path)
  },
  at: (path: string) => holders.has(path),
  any: () => holders.size > 0,
  /** The person leaves knowing it, and what was typed is kept as a draft: nothing asks any more. */
  forget: (path?: string) => void (path === undefined ? holders.clear() : holders.delete(path)),
}
globalThis.addEventListener?.('beforeunload', (event: Event) => unsaved.any() && event.preventDefault())
