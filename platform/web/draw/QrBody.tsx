import { DownloadOutlined } from '@ant-design/icons'
import { Button, Modal, QRCode } from 'antd'
import { useRef } from 'react'
import { saveAs } from '../ask.ts'
import { type Text, useText } from '../text.ts'
import './qr.css'

export interface QrDialogProps {
  title: Text
  /** The content of the code: an address, a number. */
  value: string
  /** Without its ending. */
  fileName: string
  /** Under the code, for who holds it in hand: what it is of. */
  caption?: string
  onClose: () => void
}
const SHOWN_PX = 300
const SAVED_PX = 512

/** Always black on white: a code that follows the dark look is read by few cameras. */
export const INK = { color: '#000000', bgColor: '#FFFFFF', errorLevel: 'M', bordered: false } as const

export default function QrBody({ title, value, fileName, caption, onClose }: QrDialogProps) {
  const say = useText()
  const large = useRef<HTMLDivElement>(null)
  const save = () => large.current!.querySelector('canvas')!.toBlob((png) => png && saveAs(png, `${fileName}.png`), 'image/png')
  return (
    <Modal
      open
      title={say(title)}
      width={SHOWN_PX + 48}
      onCancel={onClose}
      footer={
        <Button type="primary" icon={<DownloadOutlined />} onClick={save}>
          {say(['下载', 'download'])}
        </Button>
      }
    >
      <figure className="qr" role="img" aria-label={`${say(title)} ${caption ?? value}`}>
        <QRCode value={value} size={SHOWN_PX} marginSize={2} {...INK} />
        <figcaption>{caption ?? value}</figcaption>
      </figure>
      <div ref={large} hidden aria-hidden>
        <QRCode value={value} size={SAVED_PX} marginSize={2} {...INK} />
      </div>
    </Modal>
  )
}
