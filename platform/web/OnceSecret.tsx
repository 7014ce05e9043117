import { Button, Modal, Typography } from 'antd'
import { type Text, useText } from './text.ts'

/** A device's secret: only its hash is kept, so it can be noted now or never. */
export default function OnceSecret({ secret, use, onClose }: { secret: string; use: Text; onClose: () => void }) {
  const say = useText()
  return (
    <Modal
      open
      title={say(['设备密钥', 'Device secret'])}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {say(['我已记下', 'I have noted it'])}
        </Button>
      }
    >
      <p>
        {say(use)} {say(['关闭后不再显示。', 'It is not shown again.'])}
      </p>
      <Typography.Paragraph copyable code>
        {secret}
      </Typography.Paragraph>
    </Modal>
  )
}
