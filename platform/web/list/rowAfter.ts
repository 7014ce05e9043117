const row = (key: string) => document.querySelector<HTMLElement>(`tr[data-row-key="${CSS.escape(key)}"]`)

/**
 * Whoever decides a queue goes on with its next row: called before a row is decided, it answers what sets the focus on the first button of the row that stood below it, or above it where
 * it was the last.
 */
export function rowAfter(key: string): () => void {
  const here = row(key)
  const beside = here?.nextElementSibling ?? here?.previousElementSibling
  const next = beside?.getAttribute('data-row-key')
  return () => {
    if (next) row(next)?.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
  }
}
