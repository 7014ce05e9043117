import { lazy, Suspense, useEffect, useState } from 'react'
import type { Text } from '../text.ts'

export interface Key {
  text: Text
  run: () => void
}
const heard = new Set<Record<string, Key>>()

/**
 * Keys of the visible page, by `KeyboardEvent.key`. A hidden tab has no effects, so it hears none; nobody hears a key that is typed into a field.
 * `?` lists them all.
 */
export function useKeys(keys: Record<string, Key>) {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target) || isCovered()) return
      const key = keys[event.key]
      if (!key) return
      event.preventDefault()
      key.run()
    }
    heard.add(keys)
    addEventListener('keydown', hear)
    return () => {
      heard.delete(keys)
      removeEventListener('keydown', hear)
    }
  })
}
const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=combobox], .ant-modal form') !== null
/** Behind the lock nothing is heard, whatever has the focus in it. */
export const isCovered = () => document.querySelector('dialog:modal') !== null

/** The keys that are heard now. */
export const keysHeard = () => [...heard].flatMap((keys) => Object.entries(keys))

const List = lazy(() => import('./KeyList.tsx'))
/** The list of keys, opened by `?`. Mounted once by the shell. */
export function KeyList() {
  const [open, setOpen] = useState(false)
  useKeys({ '?': { text: ['列出本页快捷键', 'Show keyboard shortcuts'], run: () => setOpen(true) } })
  return open ? (
    <Suspense>
      <List onClose={() => setOpen(false)} />
    </Suspense>
  ) : null
}
