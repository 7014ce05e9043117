/** Screens on which something would be lost (a form half typed, a run over many rows), by their path: who holds it, and whether it is kept as a draft. Closing such a tab, or the browser, asks first. */
const holders = new Map<string, Map<string, boolean>>()
let front: string | undefined
/** What lies over all pages: one's own password. */
const NO_PAGE = ''

export const unsaved = {
  on: (path: string, now: boolean, holder: string, { drafted = false } = {}) => {
    const here = holders.get(path) ?? new Map<string, boolean>()
    if (now) here.set(holder, drafted)
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
  /** How much of it comes back as drafts once the session is over. */
  drafted: (): 'all' | 'some' | 'none' | undefined => {
    const all = [...holders.values()].flatMap((here) => [...here.values()])
    if (all.length === 0) return undefined
    return all.every(Boolean) ? 'all' : all.some(Boolean) ? 'some' : 'none'
  },
  /** The person leaves knowing what is lost: nothing asks any more. */
  forget: (path?: string) => void (path === undefined ? holders.clear() : holders.delete(path)),
}
globalThis.addEventListener?.('beforeunload', (event: Event) => unsaved.any() && event.preventDefault())
