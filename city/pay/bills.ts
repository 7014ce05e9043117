/** One trade of a day, as a channel writes it into its file. */
export interface BillLine {
  kind: 'payment' | 'refund'
  tradeNo: string
  /** The merchant's number of the payment, or of the refund. */
  number: string
  amountFen: number
  feeFen: number
  /** The clock of the city, `2026-11-20 10:00:00`. */
  at: string
}
const yuan = (fen: number) => (fen / 100).toFixed(2)
const sum = (lines: readonly BillLine[], kind: BillLine['kind']) => lines.reduce((total, one) => total + (one.kind === kind ? one.amountFen : 0), 0)
const fees = (lines: readonly BillLine[]) => lines.reduce((total, { feeFen }) => total + feeFen, 0)

/** The day's file of a channel, in its own form. */
export function billOf(channel: string, lines: readonly BillLine[]): Uint8Array {
  if (channel === 'wechat') return Buffer.from(wechat(lines))
  if (channel === 'alipay') return gb18030(alipay(lines))
  return Buffer.from(bank(lines))
}

const ticked = (cells: readonly string[]) => cells.map((cell) => `\`${cell}`).join(',')
function wechat(lines: readonly BillLine[]): string {
  const head = '交易时间,公众账号ID,商户号,微信订单号,商户订单号,交易状态,订单金额,微信退款单号,商户退款单号,申请退款金额,手续费'
  const rows = lines.map(({ kind, tradeNo, number, amountFen, feeFen, at }) =>
    kind === 'payment'
      ? ticked([at, 'wx', 'mch', tradeNo, number, 'SUCCESS', yuan(amountFen), '0', '0', '0.00', yuan(feeFen)])
      : ticked([at, 'wx', 'mch', '0', '0', 'REFUND', '0.00', tradeNo, number, yuan(amountFen), yuan(feeFen)]),
  )
  const sums = ticked([String(lines.length), yuan(sum(lines, 'payment')), yuan(sum(lines, 'refund')), yuan(fees(lines))])
  return `\uFEFF${[head, ...rows, '总交易单数,订单总金额,申请退款总金额,手续费总金额', sums].join('\r\n')}\r\n`
}

function alipay(lines: readonly BillLine[]): string {
  const count = (kind: BillLine['kind']) => lines.filter((one) => one.kind === kind).length
  const rows = lines.map(({ kind, tradeNo, number, amountFen, feeFen, at }) =>
    kind === 'payment'
      ? [tradeNo, number, '交易', at, yuan(amountFen), '', yuan(-feeFen)].join(',')
      : ['', '', '退款', at, yuan(-amountFen), number, yuan(-feeFen)].join(','),
  )
  return `${[
    '#支付宝业务明细查询',
    '支付宝交易号,商户订单号,业务类型,完成时间,订单金额（元）,退款批次号/请求号,服务费（元）',
    ...rows,
    `#交易合计：${count('payment')}笔，商户实收共${yuan(sum(lines, 'payment'))}元`,
    `#退款合计：${count('refund')}笔，商户实收共${yuan(-sum(lines, 'refund'))}元`,
    '#导出时间：次日上午',
  ].join('\r\n')}\r\n`
}

function bank(lines: readonly BillLine[]): string {
  const rows = lines.map(({ kind, tradeNo, number, amountFen, feeFen, at }) =>
    [at, tradeNo, number, kind === 'payment' ? '消费' : '退款', yuan(amountFen), yuan(feeFen)].join(','),
  )
  return `${['交易时间,银行流水号,商户订单号,交易类型,交易金额,手续费', ...rows, `合计,,,,${yuan(sum(lines, 'payment') - sum(lines, 'refund'))},${yuan(fees(lines))}`].join('\n')}\n`
}

/** Two bytes for a sign: what a reader makes of each pair, turned round. */
let pairs: Map<string, [number, number]> | undefined
function gb18030(text: string): Uint8Array {
  const known = (pairs ??= allPairs())
  return Uint8Array.from([...text].flatMap((sign) => (sign < '\u0080' ? [sign.charCodeAt(0)] : (known.get(sign) ?? [0x3f]))))
}
function allPairs(): Map<string, [number, number]> {
  const decoder = new TextDecoder('gb18030')
  const made = new Map<string, [number, number]>()
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) made.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
  return made
}
