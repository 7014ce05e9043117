import { Modal } from 'antd'
import { useState } from 'react'
import { type Key, keysHeard } from './keys.tsx'
import { useText } from '../text.ts'

const always: readonly (readonly [string, Pick<Key, 'text'>])[] = [
  ['Ctrl K', { text: ['搜索页面', 'Find a page'] }],
  ['Esc', { text: ['退回一步', 'Go back one step'] }],
]

export default function KeyList({ onClose }: { onClose: () => void }) {
  const say = useText()
  const [keys] = useState(keysHeard)
  return (
    <Modal open onCancel={onClose} footer={null} width={420} title={say(['快捷键', 'Keyboard shortcuts'])}>
      <dl className="key-list">
        {[...keys, ...always].map(([key, { text }]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{say(text)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
