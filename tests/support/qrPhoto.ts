import { Ecc, QrCode } from '@rc-component/qrcode/lib/libs/qrcodegen.js'
import sharp from 'sharp'

/** A sheet of paper with a code on it, somewhat turned, as a telephone takes it. */
export async function photoOf(text: string, { side = 900, angle = 7 } = {}): Promise<Buffer> {
  const rows = QrCode.encodeText(text, Ecc.MEDIUM).getModules()
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : []))).join('')
  const all = rows.length + 8
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${side / 2}" height="${side / 2}" viewBox="0 0 ${all} ${all}"><rect width="${all}" height="${all}" fill="#fff"/><path d="${squares}"/></svg>`
  const code = await sharp(Buffer.from(drawing)).rotate(angle, { background: '#d8d4cc' }).png().toBuffer()
  return sharp({ create: { width: side, height: side, channels: 3, background: '#8a8f83' } })
    .composite([{ input: code }])
    .jpeg({ quality: 80 })
    .toBuffer()
}
