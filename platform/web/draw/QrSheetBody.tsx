import { QRCode } from 'antd'
import { INK } from './QrBody.tsx'
import { SlipDialog } from './Slip.tsx'
import type { Text } from '../text.ts'
import './qr.css'

export interface QrSheetProps {
  title: Text
  of: readonly { value: string; caption: string }[]
  onClose: () => void
}
const CODE_PX = 150
const SHEET_PX = 720

export default function QrSheetBody({ title, of, onClose }: QrSheetProps) {
  return (
    <SlipDialog title={title} width={SHEET_PX} onClose={onClose}>
      <div className="qr-sheet">
        {of.map(({ value, caption }) => (
          <figure key={caption} className="qr" role="img" aria-label={caption}>
            <QRCode value={value} size={CODE_PX} type="svg" {...INK} />
            <figcaption>{caption}</figcaption>
          </figure>
        ))}
      </div>
    </SlipDialog>
  )
}
