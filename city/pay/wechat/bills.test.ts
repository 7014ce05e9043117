import { createSign } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cityText } from '../clock.ts'
import { aDesk, type Desk, sha1 } from '../testing.ts'
import { orderFor, paidOrder } from './testing.ts'

let desk: Desk
let day: string
beforeAll(async () => {
  desk = await aDesk()
  day = cityText(desk.now()).slice(0, 10)
  await paidOrder(desk, 'billed-01', { description: '停车费, 二号车场', attach: '甲' })
  await paidOrder(desk, 'billed-02', { amount: { total: 1_000 } })
  await desk.wechat('POST', '/v3/pay/transactions/native', orderFor(desk, 'unpaid-01'))
  await desk.wechat('POST', '/v3/refund/domestic/refunds', {
    out_trade_no: 'billed-02',
    out_refund_no: 'back-1',
    amount: { refund: 400, total: 1_000, currency: 'CNY' },
  })
})
afterAll(() => desk.close())

const apply = (query: string, kind = 'tradebill') => desk.wechat('GET', `/v3/bill/${kind}?${query}`)
const targetOf = (url: string) => url.slice(desk.url.length)
async function download(url: string): Promise<Buffer> {
  const [merchant] = desk.keys.wechat.merchants
  const [target, timestamp] = [targetOf(url), String(Math.floor(desk.now() / 1_000))]
  const signature = createSign('RSA-SHA256').update(`GET\n${target}\n${timestamp}\nn\n\n`).sign(merchant!.privateKey, 'base64')
  const authorization = `WECHATPAY2-SHA256-RSA2048 mchid="${merchant!.mchid}",nonce_str="n",timestamp="${timestamp}",serial_no="${merchant!.serial}",signature="${signature}"`
  const answer = await fetch(url, { headers: { authorization } })
  expect(answer.headers.get('wechatpay-signature')).toBeNull()
  return Buffer.from(await answer.arrayBuffer())
}
/** Cells by the names of their head; a cell begins with a backtick, and may contain a comma. */
function rowsOf(text: string, end: string): { rows: Record<string, string>[]; sums: Record<string, string> } {
  const lines = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
  const at = lines.findIndex((line) => line.startsWith(end))
  const cells = (head: string, line: string) => {
    const values = line.slice(1).split(',`')
    const names = head.split(',')
    expect(values).toHaveLength(names.length)
    return Object.fromEntries(names.map((name, place) => [name, values[place]!]))
  }
  return { rows: lines.slice(1, at).map((line) => cells(lines[0]!, line)), sums: cells(lines[at]!, lines[at + 1]!) }
}

test('the bills of a day are not there before ten in the morning', async () => {
  await expect.poll(async () => (await desk.wechat('GET', '/v3/refund/domestic/refunds/back-1')).body.status).toBe('SUCCESS')
  expect((await apply(`bill_date=${day}`)).body.code).toBe('STATEMENT_CREATING')
  expect((await apply('bill_date=2026-13-01')).body.code).toBe('PARAM_ERROR')
  expect((await apply('bill_date=2010-01-01')).body.code).toBe('INVALID_REQUEST')
  desk.passes(34 * 3_600_000)
})

test('the bill of trades has every payment and refund, its hash, and sums that agree', async () => {
  const { body } = await apply(`bill_date=${day}&bill_type=ALL&tar_type=GZIP`)
  expect(body.hash_type).toBe('SHA1')
  const bytes = gunzipSync(await download(body.download_url as string))
  expect(sha1(bytes)).toBe(body.hash_value)
  const { rows, sums } = rowsOf(bytes.toString('utf8'), '总交易单数')
  expect(rows.map((row) => [row['商户订单号'], row['交易状态'], row['订单金额'], row['商户退款单号'], row['申请退款金额'], row['手续费']])).toEqual([
    ['billed-01', 'SUCCESS', '5.00', '0', '0.00', '0.03000'],
    ['billed-02', 'SUCCESS', '10.00', '0', '0.00', '0.06000'],
    ['billed-02', 'REFUND', '0.00', 'back-1', '4.00', '-0.02000'],
  ])
  expect(rows[0]).toMatchObject({
    商品名称: '停车费, 二号车场',
    商户数据包: '甲',
    特约商户号: '0',
    货币种类: 'CNY',
    交易类型: 'NATIVE',
    费率: '0.60%',
  })
  const sum = (name: string) => rows.reduce((all, row) => all + Math.round(Number(row[name]) * 100), 0)
  expect(sums).toEqual({
    总交易单数: '3',
    应结订单总金额: (sum('应结订单金额') / 100).toFixed(2),
    退款总金额: (sum('退款金额') / 100).toFixed(2),
    充值券退款总金额: '0.00',
    手续费总金额: (sum('手续费') / 100).toFixed(5),
    订单总金额: (sum('订单金额') / 100).toFixed(2),
    申请退款总金额: (sum('申请退款金额') / 100).toFixed(2),
  })
})

test('without GZIP the file is plain, and by its type it has payments or refunds alone', async () => {
  const countOf = async (type: string) =>
    rowsOf((await download((await apply(`bill_date=${day}&bill_type=${type}`)).body.download_url as string)).toString('utf8'), '总交易单数').rows
      .length
  expect([await countOf('SUCCESS'), await countOf('REFUND')]).toEqual([2, 1])
})

test('the bill of funds has the fee of each payment apart, and its balance goes on from row to row', async () => {
  const { body } = await apply(`bill_date=${day}`, 'fundflowbill')
  const { rows, sums } = rowsOf((await download(body.download_url as string)).toString('utf8'), '资金流水总笔数')
  const fen = (yuan: string | undefined) => Math.round(Number(yuan) * 100)
  let balance = 0
  for (const row of rows) {
    balance += (row['收支类型'] === '收入' ? 1 : -1) * fen(row['收支金额(元)'])
    expect(fen(row['账户结余(元)'])).toBe(balance)
  }
  expect(sums).toEqual({ 资金流水总笔数: '5', 收入笔数: '2', 收入金额: '15.00', 支出笔数: '3', 支出金额: '4.07' })
  expect(balance).toBe(1_093)
})

test('a link is for the merchant that asked, and for five minutes', async () => {
  const { body } = await apply(`bill_date=${day}`)
  const target = targetOf(body.download_url as string)
  const other = await desk.wechat('GET', target, undefined, { merchant: desk.keys.wechat.merchants[1]! })
  expect([other.status, other.body.code]).toEqual([403, 'NO_AUTH'])
  desk.passes(5 * 60_000)
  expect((await desk.wechat('GET', target)).body.code).toBe('INVALID_REQUEST')
})

test('a day or a merchant without trades has no bill', async () => {
  const before = cityText(desk.now() - 5 * 86_400_000).slice(0, 10)
  expect((await apply(`bill_date=${before}`)).body.code).toBe('NO_STATEMENT_EXIST')
})
