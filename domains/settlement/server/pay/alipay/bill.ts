import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { Day } from '../../../../../platform/contract/field.ts'
import { dayBy } from '../../../../../platform/contract/time.ts'
import { type ZipEntry, zipEntries } from '../../../../../platform/server/sheets/zip.ts'
import { BadFile, type ChannelFile, tradesOf } from '../../clearing/files.ts'
import { TradeKind } from '../../../contract/liquidation.ts'

export interface DayBill {
  /** The file of single trades, as clearing reads it. */
  details: Buffer
  file: ChannelFile
}

/**
 * The day's bill: a zip of two files in GBK, the single trades and their sums by shop. The files are told apart by their first line: their names are in GBK as well, which a
 * zip does not say. @throws BadFile for a bill of another account or day, one that is cut, or whose two files say different things
 */
export async function billIn(zip: Uint8Array, { day, sellerId }: { day: Day; sellerId: string }): Promise<DayBill> {
  const texts = (await filesIn(zip)).map((bytes) => ({ bytes, lines: edgesOf(bytes) }))
  const [details, sums] = [DETAILS, SUMS].map((first) => texts.find(({ lines }) => first.test(lines[0] ?? '')))
  if (!details || !sums) throw BadFile({ zh: '压缩包中缺少业务明细或汇总', en: 'the archive lacks the details of trades, or their sums' })
  for (const { lines } of [details, sums]) refuseOther(lines, day, sellerId)
  const file = await tradesOf('alipay', details.bytes)
  refuseOtherSums(sums.lines, file)
  return { details: details.bytes, file }
}

const DETAILS = /^#支付宝业务明细查询/
const SUMS = /^#支付宝业务汇总查询/

/** Two files, and an explanation now and then. */
const FILES_MAX = 10
const broken = () => BadFile({ zh: '压缩包已损坏或被截断', en: 'the archive is broken or cut off' })
async function filesIn(zip: Uint8Array): Promise<Buffer[]> {
  const entries = zipEntries(zip)
  if (typeof entries === 'string' || entries.length > FILES_MAX) throw broken()
  return Promise.all(entries.filter(({ name }) => /\.csv$/i.test(name)).map((entry) => unfolded(zip, entry)))
}
const STORED = 0
const DEFLATED = 8
async function unfolded(zip: Uint8Array, { method, from, bytes, unfolded: size }: ZipEntry): Promise<Buffer> {
  const folded = zip.subarray(from, from + bytes)
  const whole = method === DEFLATED ? await inflated(folded, size) : method === STORED ? Buffer.from(folded) : undefined
  if (whole?.length !== size) throw broken()
  return whole
}
/** Whatever unfolds to more than the directory says ends there. */
const inflated = (folded: Uint8Array, size: number): Promise<Buffer | undefined> =>
  promisify(inflateRaw)(folded, { maxOutputLength: size + 1 }).catch(() => undefined)

/** What stands above and below the rows of a file fits in this; the rows themselves are clearing's. */
const EDGE_BYTES = 16 * 1024
const NEW_LINE = 10
function edgesOf(bytes: Buffer): string[] {
  const isShort = bytes.length <= 2 * EDGE_BYTES
  // A sign of two bytes may be cut, a new line is never part of one.
  const tail = bytes.subarray(bytes.indexOf(NEW_LINE, bytes.length - EDGE_BYTES))
  return (isShort ? [bytes] : [bytes.subarray(0, EDGE_BYTES), tail]).flatMap((part) =>
    new TextDecoder('gb18030')
      .decode(part)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
}

const ACCOUNT = /^#账号：\[(\d{16})\d{0,8}\]/
const PERIOD = /^#起始日期：\[(\d{4})年(\d\d)月(\d\d)日 00:00:00\]\s*终止日期：\[(\d{4})年(\d\d)月(\d\d)日 (00:00:00|23:59:59)\]/
const END = /^#-+业务(明细|汇总)列表结束-+/
/** What stands above and below the rows: whose bill it is, of which day, and that it has an end. */
function refuseOther(lines: readonly string[], day: Day, sellerId: string): void {
  const remarks = lines.filter((line) => line.startsWith('#'))
  const found = (pattern: RegExp) => remarks.map((line) => pattern.exec(line)).find(Boolean)
  const [account, period] = [found(ACCOUNT), found(PERIOD)]
  if (!account || !period || !found(END))
    throw BadFile({ zh: '缺少账号、日期或结尾行，文件可能被截断', en: 'its account, dates or end are missing; it may be truncated' })
  if (account[1] !== sellerId) throw BadFile({ zh: '账单属于另一个支付宝账号', en: 'it is the bill of another Alipay account' })
  const [from, until] = [period.slice(1, 4).join('-'), period.slice(4, 7).join('-')]
  if (from !== day || until !== (period[7] === '00:00:00' ? dayBy(day, 1) : day))
    throw BadFile({ zh: `账单不是 ${day} 的`, en: `it is not the bill of ${day}` })
}

/** The last row of the sums is of all shops together. */
function refuseOtherSums(lines: readonly string[], { trades }: ChannelFile): void {
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(',').map((cell) => cell.trim()))
  const [names = [], total] = [rows[0], rows.find(([first]) => TOTAL.test(first ?? ''))]
  const told = (name: RegExp) => Number(total?.[names.findIndex((one) => name.test(one))])
  const counted = (kind: number) => trades.filter((one) => one.kind === kind).length
  if (!total || told(PAID) !== counted(TradeKind.payment) || told(GIVEN_BACK) !== counted(TradeKind.refund))
    throw BadFile({ zh: '业务明细与汇总的笔数不一致', en: 'its details and its sums do not have the same number of trades' })
}
const TOTAL = /^合计$/
const PAID = /^交易订单总笔数$/
const GIVEN_BACK = /^退款订单总笔数$/
