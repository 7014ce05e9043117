import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Day } from '../../../../../platform/contract/field.ts'
import { tradesOf } from '../../clearing/files.ts'
import { billIn } from './bill.ts'
import { alipayProvider } from './provider.ts'
import { aGateway, anAccount, answered, billOf, SELLER, zipped } from './testing.ts'

const day = '2026-12-01' as Day
const read = (zip: Uint8Array, of = { day, sellerId: SELLER }) => billIn(zip, of)

test('a day’s bill is read as clearing reads it', async () => {
  const { details, file } = await read(billOf())
  expect(file.trades).toEqual([
    {
      kind: 1,
      tradeNo: '2026120122001468450512505578',
      number: 'DD20261201095500000001-1',
      amountFen: 1250,
      feeFen: 8,
      at: '2026-12-01T02:00:04.000Z',
    },
    { kind: 2, tradeNo: 'TK20261201100000000001', number: 'TK20261201100000000001', amountFen: 250, feeFen: -2, at: '2026-12-01T02:00:04.000Z' },
  ])
  expect(await tradesOf('alipay', details)).toEqual(file)
})
test('a long one as well', async () => {
  for (const payments of [80, 100, 150, 1_000]) expect((await read(billOf({ payments }))).file.trades).toHaveLength(payments + 1)
  await expect(read(billOf({ payments: 1_000, changeSums: (text) => text.replace(',1000,1,', ',999,1,') }))).rejects.toThrow(/same number of trades/)
})
test('its last moment may be told as the end of the day or the beginning of the next', async () => {
  const change = (text: string) => text.replace('终止日期：[2026年12月02日 00:00:00]', '终止日期：[2026年12月01日 23:59:59]')
  expect((await read(billOf({ change, changeSums: change }))).file.trades).toHaveLength(2)
})

describe('refused whole', () => {
  const left = (mark: RegExp | string) => ({ change: (text: string) => text.replace(mark, '') })
  test.each([
    ['a bill of another day', billOf({ change: (text) => text.replaceAll('12月0', '11月0') }), /not the bill of 2026-12-01/],
    ['sums of another day', billOf({ changeSums: (text) => text.replaceAll('12月0', '11月0') }), /not the bill of 2026-12-01/],
    ['a bill of two days', billOf({ change: (text) => text.replace('[2026年12月02日 00', '[2026年12月03日 00') }), /not the bill of 2026-12-01/],
    ['a bill of another account', billOf({ account: '20880000000000020156' }), /bill of another Alipay account/],
    ['one that does not say whose it is', billOf(left('#账号')), /account, dates or end are missing/],
    ['details without their end', billOf(left(/#-+业务明细列表结束[^]*/)), /account, dates or end are missing/],
    ['details without their sums', billOf(left(/#交易合计[^]*/)), /totals are missing/],
    ['details without a last line', billOf(left(/#导出时间[^]*/)), /last line is missing/],
    ['a row that is left out', billOf({ change: (text) => text.replace(/^.*\t,退款[^]*?\r\n/m, '') }), /line count or amounts/],
    ['an amount that is changed', billOf({ change: (text) => text.replace(',12.50,12.50,', ',12.49,12.49,') }), /line count or amounts/],
    ['sums that count other trades', billOf({ changeSums: (text) => text.replace(',1,1,', ',2,1,') }), /same number of trades/],
    ['sums without a total', billOf({ changeSums: (text) => text.replace('合计', '门店') }), /same number of trades/],
    ['an archive of something else', zipped([['a.csv', Buffer.from('a,b')]]), /lacks the details/],
    ['an archive with nothing', zipped([]), /lacks the details/],
    ['no archive', Buffer.from('<html>expired</html>'), /broken or cut off/],
    ['nothing', new Uint8Array(), /broken or cut off/],
  ])('%s', async (_, zip, sentence) => {
    await expect(read(zip)).rejects.toThrow(sentence)
  })
  test('an archive that is cut anywhere', async () => {
    const whole = billOf()
    for (let at = 0; at < whole.length; at += 97) await expect(read(whole.subarray(0, at))).rejects.toThrow(/broken or cut off/)
  })
  test('an archive that unfolds to more than it says', async () => {
    const whole = zipped([['a.csv', Buffer.alloc(1_000_000)]])
    const directory = whole.lastIndexOf('PK\x01\x02', undefined, 'latin1')
    whole.writeUInt32LE(10, directory + 24)
    await expect(read(whole)).rejects.toThrow(/broken or cut off/)
  })
})

describe('fetched from Alipay', () => {
  let files: Record<string, Buffer | number> = {}
  let node: Record<string, unknown> = {}
  let alipay: Awaited<ReturnType<typeof aGateway>>
  beforeAll(async () => {
    alipay = await aGateway((method) => (method.startsWith('/') ? (files[method] ?? 404) : answered(method, node)))
  })
  afterAll(() => alipay.stop())
  const fetched = () => alipayProvider(anAccount({ gateway: alipay.gateway })).dayFile({ checkDate: day })

  test('by the address that it answers', async () => {
    files = { '/bill.zip': billOf() }
    node = { code: '10000', msg: 'Success', bill_download_url: `${alipay.url}/bill.zip?fileType=csv.zip` }
    expect((await tradesOf('alipay', (await fetched())!)).trades).toHaveLength(2)
    expect(JSON.parse(alipay.asked.find((form) => form.get('biz_content'))!.get('biz_content')!)).toEqual({ bill_type: 'trade', bill_date: day })
  })
  test('there is none before it is written, and of a day without trades', async () => {
    node = { code: '40004', msg: 'Business Failed', sub_code: 'isp.bill_not_exist', sub_msg: '账单不存在' }
    expect(await fetched()).toBeUndefined()
  })
  test('an address that is over, or lies within our own network, is no bill', async () => {
    files = {}
    node = { code: '10000', bill_download_url: `${alipay.url}/bill.zip` }
    await expect(fetched()).rejects.toThrow(/not available/)
    node = { code: '10000', bill_download_url: 'http://169.254.169.254/latest/meta-data' }
    await expect(fetched()).rejects.toThrow(/not available/)
    node = { code: '10000', bill_download_url: 'file:///etc/passwd' }
    await expect(fetched()).rejects.toThrow(/not signed by Alipay/)
  })
  test('a day that is none is not asked for', async () => {
    await expect(alipayProvider(anAccount({ gateway: alipay.gateway })).dayFile({ checkDate: '2026-02-30' })).rejects.toThrow(/not valid/)
  })
})
