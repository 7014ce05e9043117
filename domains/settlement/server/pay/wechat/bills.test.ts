import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import type { Day } from '../../../../../platform/contract/field.ts'
import { fundsInBill } from './fundBill.ts'
import { account, aWechat, type Wechat } from './testing.ts'
import { tradesInBill } from './tradeBill.ts'
import type { WechatProvider } from './types.ts'
import { wechatProvider } from './wechatProvider.ts'

/** The heads as WeChat writes them, of a bill of the type ALL and of the basic account. */
const HEAD =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const SUMS = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
const FUND_HEAD = '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号'
const FUND_SUMS = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'
const DAY = '2026-11-20' as Day
const cells = (...some: readonly string[]) => some.map((cell) => `\`${cell}`).join(',')

interface Line {
  at?: string
  mchId?: string
  state?: string
  paid?: string
  back?: string
  fee?: string
  goods?: string
}
const line = (
  { at = `${DAY} 10:34:55`, mchId = account.mchId, state = 'SUCCESS', paid = '0.00', back = '0.00', fee = '0.00000', goods = '停车费' }: Line,
  n: number,
) => {
  const refund = state === 'SUCCESS' ? ['0', '0', '0.00', '0.00', '', ''] : [`5000000${n}`, `TK${n}`, back, '0.00', 'ORIGINAL', 'SUCCESS']
  const trade = ['0', '', `420000${n}`, `TC${n}-1`, 'oHkLxt', 'JSAPI', state, 'OTHERS', 'CNY', paid, '0.00']
  return cells(at, account.appId, mchId, ...trade, ...refund, goods, '', fee, '0.60%', paid, back, '')
}
const LINES: readonly Line[] = [
  { paid: '12.00', fee: '0.07000' },
  { at: `${DAY} 23:59:59`, paid: '3.50', fee: '0.02100', goods: '停车费,夜间' },
  { state: 'REFUND', back: '5.01', fee: '-0.03000' },
]
const SUM = ['3.0', '15.50', '5.01', '0.0', '0.06', '15.50', '5.01']
const bill = (lines: readonly Line[] = LINES, sums: readonly string[] = SUM) =>
  `\uFEFF${[HEAD, ...lines.map(line), SUMS, cells(...sums)].join('\r\n')}\r\n`
const read = (text: string, day = DAY) => tradesInBill(Buffer.from(text), { day, mchId: account.mchId })
const unusable = { code: 40560, status: 422 }

describe('the bill of trades', () => {
  test('is read by its heads', async () => {
    expect(await read(bill())).toEqual([
      { kind: 1, tradeNo: '4200000', number: 'TC0-1', amountFen: 1200, feeFen: 7, at: '2026-11-20T02:34:55.000Z' },
      { kind: 1, tradeNo: '4200001', number: 'TC1-1', amountFen: 350, feeFen: 2, at: '2026-11-20T15:59:59.000Z' },
      { kind: 2, tradeNo: '50000002', number: 'TK2', amountFen: 501, feeFen: -3, at: '2026-11-20T02:34:55.000Z' },
    ])
  })
  test('of a day without trades is empty', async () => {
    expect(await read(bill([], ['0', '0.00', '0.00', '0.00', '0.00', '0.00', '0.00']))).toEqual([])
  })
  test('of another day is refused', async () => {
    await expect(read(bill(), '2026-11-21' as Day)).rejects.toMatchObject({ ...unusable, data: { zh: expect.stringContaining('2026-11-20') } })
    await expect(read(bill(), '2026-11-19' as Day)).rejects.toMatchObject(unusable)
    // A trade at midnight may stand in either; one of last week in none.
    const [first, ...others] = LINES
    expect(await read(bill([{ ...first, at: '2026-11-19 23:59:59' }, ...others]))).toHaveLength(3)
    await expect(read(bill([{ ...first, at: '2026-11-13 23:59:59' }, ...others]))).rejects.toMatchObject(unusable)
  })
  test('of another merchant is refused', async () => {
    await expect(read(bill([{ ...LINES[0], mchId: '1900000110' }, ...LINES.slice(1)]))).rejects.toMatchObject(unusable)
  })
  test('that is cut anywhere is refused', async () => {
    const whole = bill()
    const end = whole.trimEnd().length
    for (let length = 0; length < end; length += 7) await expect(read(whole.slice(0, length)), `${length}`).rejects.toMatchObject(unusable)
    await expect(read(whole.slice(0, end))).resolves.toHaveLength(3)
  })
  test('with a line too few, too many or behind its end is refused', async () => {
    await expect(read(bill(LINES.slice(1)))).rejects.toMatchObject(unusable)
    await expect(read(bill([...LINES, LINES[0]!]))).rejects.toMatchObject(unusable)
    await expect(read(`${bill()}${line(LINES[0]!, 9)}\r\n`)).rejects.toMatchObject(unusable)
  })
  test.each([0, 1, 2, 3, 4, 5, 6])('with another sum in place %i is refused', async (place) => {
    const sums = SUM.map((sum, at) => (at === place ? String(Number(sum) + 1) : sum))
    await expect(read(bill(LINES, sums))).rejects.toMatchObject(unusable)
  })
  test.each([
    ['an amount in another writing', { paid: '1.2e1' }],
    ['a time that no calendar has', { at: '2026-02-30 10:00:00' }],
    ['a state that nobody knows', { state: 'MAYBE' }],
  ])('with %s is refused', async (_, more) => {
    await expect(read(bill([{ ...LINES[0], ...more }, ...LINES.slice(1)]))).rejects.toMatchObject(unusable)
  })
})

test('parts of a fen are no amount, even where they add up', async () => {
  const [first, second, third] = LINES
  await expect(read(bill([{ ...first, paid: '12.005' }, { ...second, paid: '3.495' }, third!]))).rejects.toMatchObject(unusable)
})

describe('the bill of the account', () => {
  const move = (sign: string, fen: string, more: { at?: string; note?: string } = {}) =>
    cells(
      more.at ?? `${DAY} 10:40:00`,
      '4200000',
      '42000009',
      '交易',
      '交易',
      sign,
      fen,
      '100.00',
      '1900000109API',
      more.note ?? '结算总金额12.00元;含手续费0.07元',
      'TC0-1',
    )
  const fund = (lines: readonly string[], sums: readonly string[]) => Buffer.from([FUND_HEAD, ...lines, FUND_SUMS, cells(...sums), ''].join('\n'))
  const moves = [move('收入', '12.00'), move('支出', '0.07', { note: '手续费,含税' }), move('支出', '5.00')]
  const sums = ['3', '1', '12.00', '2', '5.07']
  test('is read by its heads', async () => {
    const [first, second] = await fundsInBill(fund(moves, sums), DAY)
    expect(first).toEqual({
      at: '2026-11-20T02:40:00.000Z',
      businessNo: '4200000',
      flowNo: '42000009',
      name: '交易',
      type: '交易',
      amountFen: 1200,
      balanceFen: 10_000,
      remark: '结算总金额12.00元;含手续费0.07元',
      voucherNo: 'TC0-1',
    })
    expect(second).toMatchObject({ amountFen: -7, remark: '手续费,含税' })
  })
  test('that does not add up, is cut or is of another day is refused', async () => {
    for (const place of sums.keys()) {
      const others = sums.map((sum, at) => (at === place ? String(Number(sum) + 1) : sum))
      await expect(fundsInBill(fund(moves, others), DAY)).rejects.toMatchObject(unusable)
    }
    await expect(fundsInBill(fund(moves.slice(1), sums), DAY)).rejects.toMatchObject(unusable)
    await expect(fundsInBill(fund(moves, sums).subarray(0, 400), DAY)).rejects.toMatchObject(unusable)
    await expect(fundsInBill(fund(moves, sums), '2026-11-22' as Day)).rejects.toMatchObject(unusable)
    await expect(fundsInBill(fund([move('退回', '12.00')], ['1', '1', '12.00', '0', '0.00']), DAY)).rejects.toMatchObject(unusable)
  })
})

describe('the file of a day', () => {
  let wechat: Wechat
  let provider: WechatProvider
  beforeAll(async () => {
    wechat = await aWechat()
    provider = wechatProvider(wechat.account)
  })
  afterAll(() => wechat.close())
  const which = { merchant: 1, channel: 'wechat', checkDate: DAY }
  const away = { code: 40502 }

  test('is fetched, unpacked and compared with its digest', async () => {
    wechat.offers('tradebill', bill())
    expect(String(Buffer.from((await provider.dayFile(which))!))).toBe(bill())
    expect(wechat.asked.at(-2)!.target).toBe('/v3/bill/tradebill?bill_date=2026-11-20&bill_type=ALL&tar_type=GZIP')
    expect(wechat.asked.at(-1)!.target).toMatch(/^\/v3\/billdownload\/file\?token=/)
    expect(wechat.heard.at(-1)).toMatchObject({ path: '/v3/billdownload/file', status: 200 })
  })
  test('may come unpacked', async () => {
    wechat.offers('tradebill', bill(), { sends: Buffer.from(bill()) })
    expect(await provider.dayFile(which)).toHaveLength(Buffer.byteLength(bill()))
  })
  test('is refused when it is cut, mixed up or of another day', async () => {
    wechat.offers('tradebill', bill(), { sends: gzipSync(bill()).subarray(0, -20) })
    await expect(provider.dayFile(which)).rejects.toMatchObject(unusable)
    wechat.offers('tradebill', bill(), { digest: '79bb0f45fc4c42234a918000b2668d689e2bde04' })
    await expect(provider.dayFile(which)).rejects.toMatchObject(unusable)
    wechat.offers('tradebill', bill())
    await expect(provider.dayFile({ ...which, checkDate: '2026-11-18' as Day })).rejects.toMatchObject(unusable)
  })
  test('is fetched from WeChat only: what we sign goes to nobody else', async () => {
    for (const address of [
      'https://example.com/v3/billdownload/file?token=x',
      'http://api.mch.weixin.qq.com/v3/billdownload/file?token=x',
      'file:///etc/passwd',
      'x',
    ]) {
      wechat.offers('tradebill', bill(), { address })
      await expect(provider.dayFile(which)).rejects.toMatchObject(away)
    }
    const other = await aWechat()
    wechat.offers('tradebill', bill(), { address: `${other.account.host}/v3/billdownload/file?token=x` })
    await expect(provider.dayFile(which)).rejects.toMatchObject(away)
    expect(other.asked).toEqual([])
    await other.close()
  })
  test.each(['NO_STATEMENT_EXIST', 'STATEMENT_CREATING'])('is none while WeChat says %s', async (code) => {
    wechat.says('GET /v3/bill/tradebill', { status: 400, body: { code, message: '' } })
    expect(await provider.dayFile(which)).toBeUndefined()
    wechat.says('GET /v3/bill/fundflowbill', { status: 400, body: { code, message: '' } })
    expect(await provider.fundFile(which)).toBeUndefined()
  })
  test('an address from an answer that is not signed is not gone to', async () => {
    wechat.says('GET /v3/bill/tradebill', { body: { hash_type: 'SHA1', hash_value: 'x', download_url: wechat.account.host }, unsigned: true })
    const before = wechat.asked.length
    await expect(provider.dayFile(which)).rejects.toMatchObject(away)
    expect(wechat.asked).toHaveLength(before + 1)
  })
})
