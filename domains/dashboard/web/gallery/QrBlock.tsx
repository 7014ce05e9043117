import { QrcodeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { QrDialog } from '../../../../platform/web/draw/Qr.tsx'
import { useText } from '../../../../platform/web/text.ts'

export default function QrBlock() {
  const say = useText()
  const [open, setOpen] = useState(false)
  return (
    <div className="show panel">
      <div className="show-row">
        <Button icon={<QrcodeOutlined />} onClick={() => setOpen(true)}>
          {say(['显示二维码', 'Show QR code'])}
        </Button>
      </div>
      {open && (
        <QrDialog
          title={['车位码', 'Bay code']}
          value={`${location.origin}/q/P001-A-017`}
          caption="P001 · A-017"
          fileName="P001-A-017"
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
