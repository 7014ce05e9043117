import { Button, Modal, Typography } from 'antd'
import { type Text, useText } from '../text.ts'

interface Props {
  secret: string
  use: Text
  /** What else the device has to be told, so that everything is noted at once. */
  beside?: readonly { label: Text; value: string }[]
  onClose: () => void
}
/** A device's secret: only its hash is kept, so it can be noted now or never. */
export default function OnceSecret({ secret, use, beside = [], onClose }: Props) {
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
      {beside.map(({ label, value }) => (
        <div key={label[1]}>
          {say(label)}
          <Typography.Paragraph copyable code>
            {value}
          </Typography.Paragraph>
        </div>
      ))}
      {beside.length > 0 && say(['设备密钥', 'Device secret'])}
      <Typography.Paragraph copyable code>
        {secret}
      </Typography.Paragraph>
    </Modal>
  )
}
