import { Button, Modal, Typography } from 'antd'
import { useText } from '../../../platform/web/text.ts'

/** A device's secret: only its hash is kept, so it can be noted now or never. */
export default function OnceSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
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
        {say([
          '设备以设备编号为用户名、以此密钥为密码连接，关闭后不再显示。',
          'The device signs in with its number and this secret. It is not shown again.',
        ])}
      </p>
      <Typography.Paragraph copyable code>
        {secret}
      </Typography.Paragraph>
    </Modal>
  )
}
