import { Modal } from 'antd'
import { useEffect, useState } from 'react'
import { type Text, useText } from './text.ts'

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
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
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
  target instanceof Element && target.closest('input, textarea, select, [contenteditable=true], [role=combobox], .ant-modal form') !== null

/** The list of keys, opened by `?`. Mounted once by the shell. */
export function KeyList() {
  const say = useText()
  const [open, setOpen] = useState(false)
  useKeys({ '?': { text: ['列出本页快捷键', 'List the keys of this page'], run: () => setOpen(true) } })
  const rows = open ? [...heard].flatMap((keys) => Object.entries(keys)) : []
  return (
    <Modal open={open} onCancel={() => setOpen(false)} footer={null} width={420} title={say(['快捷键', 'Keys'])}>
      <dl className="key-list">
        {[...rows, ['Ctrl K', { text: ['搜索页面', 'Find a page'] }] as const, ['Esc', { text: ['退回一步', 'One step back'] }] as const].map(
          ([key, { text }]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{say(text)}</dd>
            </div>
          ),
        )}
      </dl>
    </Modal>
  )
}
