/** Screens on which something is half typed, by their path. Closing such a tab, or the browser, asks first. */
const half = new Set<string>()

export const unsaved = {
  on: (path: string, now: boolean) => void (now ? half.add(path) : half.delete(path)),
  at: (path: string) => half.has(path),
}
globalThis.addEventListener?.('beforeunload', (event: Event) => half.size > 0 && event.preventDefault())
