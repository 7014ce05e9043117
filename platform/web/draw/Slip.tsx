import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { type Text, useText } from '../text.ts'
import './slip.css'

interface Props {
  title: Text
  onClose: () => void
  children: ReactNode
  width?: number
}
/** A paper for whoever stands at the counter: seen first, then printed. It is printed from a copy that nothing else of the console stands in. */
export function SlipDialog({ title, onClose, children, width = 440 }: Props) {
  const say = useText()
  return (
    <>
      <Modal
        open
        width={width}
        title={say(title)}
        onCancel={onClose}
        okText={say(['打印', 'Print'])}
        okButtonProps={{ autoFocus: true }}
        cancelText={say(['关闭', 'Close'])}
        onOk={() => print()}
      >
        <article className="slip">{children}</article>
      </Modal>
      {createPortal(
        <div className="print-only">
          <article className="slip">{children}</article>
        </div>,
        document.body,
      )}
    </>
  )
}

/** A line of a slip: what it is, and what it says. */
export function SlipLine({ name, children }: { name: Text; children: ReactNode }) {
  const say = useText()
  return (
    <div>
      <dt>{say(name)}</dt>
      <dd>{children}</dd>
    </div>
  )
}
