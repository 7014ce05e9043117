/** Screens on which something would be lost (a form half typed, a run over many rows), by their path. Closing such a tab, or the browser, asks first. */
const holders = new Map<string, Set<string>>()

export const unsaved = {
  on: (path: string, now: boolean, holder = 'form') => {
    const here = holders.get(path) ?? new Set()
    if (now) here.add(holder)
    else here.delete(holder)
    if (here.size > 0) holders.set(path, here)
    else holders.delete(path)
  },
  at: (path: string) => holders.has(path),
  any: () => holders.size > 0,
  /** The person leaves knowing it, and what was typed is kept as a draft: nothing asks any more. */
  forget: (path?: string) => void (path === undefined ? holders.clear() : holders.delete(path)),
}
globalThis.addEventListener?.('beforeunload', (event: Event) => unsaved.any() && event.preventDefault())
