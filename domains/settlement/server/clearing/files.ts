import { webcrypto } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { CITY_OFFSET_MS, instantAt, isOfThisCentury } from '../../../../platform/contract/time.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { LINES_IN_ONE_GO, linesIn } from '../../../../platform/server/text/lines.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { TradeKind } from '../../contract/liquidation.ts'

export const BadFile = refusal(
  'settlement.check-file',
  40560,
  '对账文件不可用：{zh}，未导入任何一行',
  'The file cannot be used: {en}; nothing was imported',
  422,
)

/** One trade as the channel has it. `number` is ours: of the payment, or of the refund. */
export interface ChannelTrade {
  kind: 1 | 2
  tradeNo: string
  number: string
  amountFen: number
  feeFen: number
  at: Instant
}
export interface ChannelFile {
  digest: string
  trades: ChannelTrade[]
}
/** More lines than a channel tells of one enterprise on one day. */
const LINES_MAX = 200_000

/**
 * A channel's file of a day: WeChat's and Alipay's as they publish them, every other channel's as a bank's. Columns are found by their names, amounts are exact yuan.
 * @throws BadFile for whatever is not whole: no end, other sums, a line that cannot be read
 */
export async function tradesOf(channel: string, bytes: Uint8Array): Promise<ChannelFile> {
  const read = FORMATS.get(channel) ?? bank
  const trades = await read(bytes)
  const seen = new Set<string>()
  for (const [place, one] of trades.entries()) {
    if (place % LINES_IN_ONE_GO === 0) await setImmediate()
    refuseOdd(one)
    seen.add(`${one.kind} ${one.tradeNo}`)
  }
  if (seen.size !== trades.length) throw BadFile({ zh: '同一流水号出现两次', en: 'a transaction ID appears twice' })
  return { digest: Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex'), trades }
}
type Read = (bytes: Uint8Array) => Promise<ChannelTrade[]>
const TRADE_NO = /^[!-~]{1,64}$/
const OUR_NUMBER = /^[!-~]{0,64}$/
/** ¥100 million: no payment of a driver, and the sums of a file of such amounts are still exact. */
const AMOUNT_MAX_FEN = 10_000_000_000
function refuseOdd({ tradeNo, number, amountFen, feeFen }: ChannelTrade): void {
  if (!TRADE_NO.test(tradeNo) || !OUR_NUMBER.test(number))
    throw BadFile({ zh: `流水号「${tradeNo.slice(0, 64)}」无法识别`, en: `${tradeNo.slice(0, 64)} cannot be read as a transaction ID` })
  if (amountFen < 0 || amountFen > AMOUNT_MAX_FEN || Math.abs(feeFen) > AMOUNT_MAX_FEN)
    throw BadFile({ zh: `流水号 ${tradeNo} 的金额超出范围`, en: `the amount of ${tradeNo} is out of range` })
}

async function linesOf(bytes: Uint8Array, decoder?: TextDecoder): Promise<string[]> {
  const lines: string[] = []
  for await (const some of linesIn(bytes, decoder)) {
    for (const line of some) if (line.trim() !== '') lines.push(line.trim())
    if (lines.length > LINES_MAX) throw BadFile({ zh: `超过 ${LINES_MAX} 行`, en: `more than ${LINES_MAX} lines` })
  }
  return lines
}
/** The cells of a line by the names of the head. */
type Cells = (name: string) => string
async function table<T>(lines: readonly string[], cell: (text: string) => string, make: (cells: Cells) => T): Promise<T[]> {
  const names = lines[0]!.split(',').map(cell)
  const made: T[] = []
  for (let place = 1; place < lines.length; place++) {
    if (place % LINES_IN_ONE_GO === 0) await setImmediate()
    const cells = lines[place]!.split(',').map(cell)
    if (cells.length < names.length) throw BadFile({ zh: `第 ${place + 1} 行不完整`, en: `line ${place + 1} is incomplete` })
    made.push(
      make((name) => {
        const at = names.indexOf(name)
        if (at < 0) throw BadFile({ zh: `缺少列「${name}」`, en: `the column ${name} is missing` })
        return cells[at]!
      }),
    )
  }
  return made
}
/** Whole fen of exact yuan, with a sign where there is one. */
function fenOf(yuan: string): number {
  const found = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(yuan.replace(/^[¥￥]/, ''))
  if (!found) throw BadFile({ zh: `金额「${yuan}」不是精确到分的元`, en: `${yuan} is not an amount in yuan and fen` })
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 100 + Number((found[3] ?? '').padEnd(2, '0')))
}
function atOf(text: string): Instant {
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(ms) || !isOfThisCentury(instantAt(ms))) throw BadFile({ zh: `时间「${text}」无法识别`, en: `${text} cannot be read as a time` })
  return instantAt(ms - CITY_OFFSET_MS)
}
const sumOf = (trades: readonly ChannelTrade[], kind: number) => trades.reduce((sum, one) => sum + (one.kind === kind ? one.amountFen : 0), 0)
const fees = (trades: readonly ChannelTrade[]) => trades.reduce((sum, one) => sum + one.feeFen, 0)
function agrees(right: boolean): void {
  if (!right) throw BadFile({ zh: '笔数或金额与汇总行不符', en: 'its line count or amounts do not match its totals line' })
}

const trimmed = (text: string) => text.trim()

/** UTF-8, every cell led by a backtick; behind the trades a head and a line of sums. */
const wechat: Read = async (bytes) => {
  const lines = await linesOf(bytes)
  const end = lines.findIndex((line) => line.startsWith('总交易单数'))
  if (!lines[0]?.startsWith('交易时间') || end < 0 || !lines[end + 1])
    throw BadFile({ zh: '缺少表头或汇总行，文件可能被截断', en: 'its header or totals are missing; it may be truncated' })
  const plain = (text: string) => text.replace(/^`/, '').trim()
  const trades = await table(lines.slice(0, end), plain, (cell): ChannelTrade => {
    const refund = cell('交易状态') === 'REFUND'
    const [tradeNo, number] = refund ? [cell('微信退款单号'), cell('商户退款单号')] : [cell('微信订单号'), cell('商户订单号')]
    const amountFen = fenOf(cell(refund ? '申请退款金额' : '订单金额'))
    return {
      kind: refund ? TradeKind.refund : TradeKind.payment,
      tradeNo,
      number,
      amountFen,
      feeFen: fenOf(cell('手续费')),
      at: atOf(cell('交易时间')),
    }
  })
  await table(lines.slice(end), plain, (sums) =>
    agrees(
      Number(sums('总交易单数')) === trades.length &&
        fenOf(sums('订单总金额')) === sumOf(trades, TradeKind.payment) &&
        fenOf(sums('申请退款总金额')) === sumOf(trades, TradeKind.refund) &&
        fenOf(sums('手续费总金额')) === fees(trades),
    ),
  )
  return trades
}

const PAID_SUM = /^#交易合计：(\d{1,9})笔，[^0-9-]{1,20}(-?\d{1,10}\.\d{2})元/
const BACK_SUM = /^#退款合计：(\d{1,9})笔，[^0-9-]{1,20}(-?\d{1,10}\.\d{2})元/
/** GB18030, remarks led by `#`; refunds are negative, and the last remarks tell the sums. */
const alipay: Read = async (bytes) => {
  const lines = await linesOf(bytes, new TextDecoder('gb18030'))
  const remarks = lines.filter((line) => line.startsWith('#'))
  const told = (pattern: RegExp) => {
    const found = remarks.map((line) => pattern.exec(line)).find(Boolean)
    if (!found) throw BadFile({ zh: '缺少合计行，文件可能被截断', en: 'its totals are missing; it may be truncated' })
    return { count: Number(found[1]), fen: fenOf(found[2]!) }
  }
  const [paid, back] = [told(PAID_SUM), told(BACK_SUM)]
  if (!remarks.some((line) => line.startsWith('#导出时间')))
    throw BadFile({ zh: '缺少结尾行，文件可能被截断', en: 'its last line is missing; it may be truncated' })
  const trades = await table(
    lines.filter((line) => !line.startsWith('#')),
    trimmed,
    (cell): ChannelTrade => {
      const refund = cell('业务类型') === '退款'
      const fen = fenOf(cell('订单金额（元）'))
      if (refund !== fen < 0) throw BadFile({ zh: '退款金额应为负数', en: 'a refund must be negative' })
      const [tradeNo, number] = refund ? [cell('退款批次号/请求号'), cell('退款批次号/请求号')] : [cell('支付宝交易号'), cell('商户订单号')]
      return {
        kind: refund ? TradeKind.refund : TradeKind.payment,
        tradeNo,
        number,
        amountFen: Math.abs(fen),
        feeFen: -fenOf(cell('服务费（元）')),
        at: atOf(cell('完成时间')),
      }
    },
  )
  const counted = (kind: number) => trades.filter((one) => one.kind === kind).length
  agrees(
    paid.count === counted(TradeKind.payment) &&
      back.count === counted(TradeKind.refund) &&
      paid.fen === sumOf(trades, TradeKind.payment) &&
      -back.fen === sumOf(trades, TradeKind.refund),
  )
  return trades
}

/** UTF-8; the last row is 合计. */
const bank: Read = async (bytes) => {
  const lines = await linesOf(bytes)
  const last = lines.at(-1)?.split(',') ?? []
  if (!lines[0]?.startsWith('交易时间') || last[0] !== '合计')
    throw BadFile({ zh: '缺少表头或合计行，文件可能被截断', en: 'its header or totals are missing; it may be truncated' })
  const trades = await table(lines.slice(0, -1), trimmed, (cell): ChannelTrade => {
    const kind = cell('交易类型') === '退款' ? TradeKind.refund : TradeKind.payment
    return {
      kind,
      tradeNo: cell('银行流水号'),
      number: cell('商户订单号'),
      amountFen: fenOf(cell('交易金额')),
      feeFen: fenOf(cell('手续费')),
      at: atOf(cell('交易时间')),
    }
  })
  await table([lines[0], lines.at(-1)!], trimmed, (sums) =>
    agrees(fenOf(sums('交易金额')) === sumOf(trades, TradeKind.payment) - sumOf(trades, TradeKind.refund) && fenOf(sums('手续费')) === fees(trades)),
  )
  return trades
}
const FORMATS = new Map<string, Read>([
  ['wechat', wechat],
  ['alipay', alipay],
])
