import { Ecc, QrCode } from '@rc-component/qrcode/lib/libs/qrcodegen.js'
import { setImmediate } from 'node:timers/promises'
import type { Of } from '../../../../platform/contract/field.ts'
import { cityTime } from '../../../../platform/contract/time.ts'
import { run } from '../../../../platform/server/database.ts'
import { fileOf } from '../../../../platform/server/call/fileReply.ts'
import { type List, page } from '../../../../platform/server/page.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { type Handler, phased, type RequestFacts } from '../../../../platform/server/serve.ts'
import { PRINT_MAX, type Qrcode, qrcode, QrStatus } from '../../contract/qrcode.ts'

type Row = Of<typeof Qrcode>
const TooManyToPrint = refusal(
  'parking.qr-print',
  40886,
  '一次最多打印 {most} 个二维码，请按车场或位置缩小范围',
  'At most {most} QR codes can be printed at once: narrow the search by car park or place',
  422,
)

/** The list's export, which besides its sheets knows `print`: A4, two codes beside each other and four below, of those that are good. */
export function printing(sheets: Handler<typeof qrcode.export>, list: List<Row, any>): Handler<typeof qrcode.export> {
  if (!('phased' in sheets)) throw new Error('An export has transactions of its own.')
  return phased(
    async (context) => {
      const { format, columns: _, ...criteria } = context.input
      if (format !== 'print') return sheets.phased(context)
      const input = { ...criteria, status: [QrStatus.valid], current: 1, limit: PRINT_MAX + 1, queryMode: 'rows' as const }
      const { records } = await context.read((tx) => page(tx, list, input))
      if (records.length > PRINT_MAX) throw TooManyToPrint({ most: PRINT_MAX })
      const said = [context.actor.userId, qrcode.export.id, ...qrcode.export.title, JSON.stringify(criteria), records.length]
      await context.write((tx) => run(tx, LOGGED, said))
      const zh = context.request.language === 'zh'
      const name = `${qrcode.export.title[zh ? 0 : 1]}-${cityTime(context.at).replaceAll(/\D/g, '')}.html`
      return fileOf({ name, type: 'text/html; charset=utf-8', body: await sheetsOf(records, originOf(context.request), zh) })
    },
    { anew: true },
  )
}
const LOGGED = {
  sql: `insert into platform.export (person_id, call, title, title_en, criteria, format, rows) values ($1, $2, $3, $4, $5, 'print', $6)`,
}

/** The address at which the person who prints reaches this server: drivers reach it there too. */
const originOf = ({ overTls, headers }: RequestFacts) => `${overTls ? 'https' : 'http'}://${String(headers['host'])}`

const PER_PAGE = 8
async function sheetsOf(records: readonly Row[], origin: string, zh: boolean): Promise<string> {
  const cells: string[] = []
  for (const row of records) {
    cells.push(cellOf(row, `${origin}/q/${row.code}`, zh))
    await setImmediate() // A code takes some milliseconds: lanes go between.
  }
  const pages = Array.from({ length: Math.ceil(cells.length / PER_PAGE) }, (_, i) => cells.slice(i * PER_PAGE, (i + 1) * PER_PAGE))
  const title = qrcode.export.title[zh ? 0 : 1]
  const body = pages.map((some) => `<section>${some.join('')}</section>`).join('\n')
  const none = `<p>${zh ? '没有有效的二维码' : 'No valid QR codes'}</p>`
  return `<!doctype html><html lang="${zh ? 'zh' : 'en'}"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head><body>${body || none}</body></html>`
}
function cellOf({ name, parkCode, targetCode, versionNo }: Row, address: string, zh: boolean): string {
  const number = parkCode === targetCode ? parkCode : `${parkCode} · ${targetCode}`
  const edition = zh ? `第 ${versionNo} 版` : `Edition ${versionNo}`
  return `<figure>${drawingOf(address)}<figcaption><b>${escaped(name)}</b><span>${escaped(number)} · ${edition}</span></figcaption></figure>`
}
/** The quiet border of four modules belongs to the code. */
const BORDER = 4
function drawingOf(text: string): string {
  const rows = QrCode.encodeText(text, Ecc.MEDIUM).getModules()
  const side = rows.length + 2 * BORDER
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + BORDER} ${y + BORDER}h1v1h-1z` : []))).join('')
  return `<svg viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${squares}"/></svg>`
}
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

// A sheet is 297 mm high: four rows of 69 mm and the edges that printers need.
const STYLE = `@page{size:A4;margin:0}*{box-sizing:border-box}body{margin:0;font:4mm/1.4 "Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;color:#000;background:#fff}
section{width:210mm;height:296mm;margin:0 auto;padding:10mm;display:grid;grid-template:repeat(4,69mm)/repeat(2,95mm);break-after:page}section:last-child{break-after:auto}
figure{margin:0;padding:2mm 4mm;display:flex;flex-direction:column;align-items:center;justify-content:center;border:.2mm dashed #999;overflow:hidden}
svg{width:48mm;height:48mm;flex:none}figcaption{display:flex;flex-direction:column;align-items:center;width:100%;text-align:center}
figcaption>*{max-width:100%;overflow-wrap:anywhere}b{font-size:4.4mm;line-height:1.25;max-height:11mm;overflow:hidden}span{font-size:3.2mm}p{text-align:center}`
