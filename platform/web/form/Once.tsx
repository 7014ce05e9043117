import { Alert, Button, Modal, Typography } from 'antd'
import type { ReactNode } from 'react'
import { type Text, useText } from '../text.ts'

interface Props {
  title: Text
  /** What becomes of it when this is closed, and what to do with it. */
  says: Text
  /** What the server made: a key, a password, a link. */
  text: string
  onClose: () => void
  children?: ReactNode
}
/** What is shown this once: it closes by its button or its cross, not by a press beside it. */
export function Once({ title, says, text, onClose, children }: Props) {
  const say = useText()
  return (
    <Modal
      open
      title={say(title)}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {say(['我已保存', 'I have saved it'])}
        </Button>
      }
    >
      <Alert showIcon type="warning" className="refused" title={say(says)} />
      <Typography.Paragraph copyable code>
        {text}
      </Typography.Paragraph>
      {children}
    </Modal>
  )
}
