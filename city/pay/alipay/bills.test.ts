import { crc32, inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cityText } from '../clock.ts'
import { aDesk, type Desk } from '../testing.ts'
import { contentOf, paidTrade } from './testing.ts'

let desk: Desk
let day: string
beforeAll(async () => {
  desk = await aDesk()
  day = cityText(desk.now()).slice(0, 10)
  await paidTrade(desk, 'billed-1')
  const tradeNo = await paidTrade(desk, 'billed-2', { total_amount: '10.00', subject: '停车费, 二号车场' })
  await desk.alipay('alipay.trade.refund', { trade_no: tradeNo, refund_amount: '4.00', out_request_no: 'r1' })
})
afterAll(() => desk.close())

const address = async (date = day, type = 'trade') =>
  contentOf(await desk.alipay('alipay.data.dataservice.bill.downloadurl.query', { bill_type: type, bill_date: date }))
const GBK = new TextDecoder('gbk')
/** Files of a zip archive by their names, read by the list at its end. */
function filesIn(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [flags, sum, packed, size, nameLength] = [
      zip.readUInt16LE(at + 8),
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
    ]
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = inflateRawSync(zip.subarray(start, start + packed))
    expect([crc32(content), content.length, flags]).toEqual([sum, size, 0])
    files.set(GBK.decode(zip.subarray(at + 46, at + 46 + nameLength)), GBK.decode(content))
    at += 46 + nameLength
  }
  return files
}
const download = async () => filesIn(Buffer.from(await (await fetch((await address()).bill_download_url as string)).arrayBuffer()))

test('the bill of a day is there the next morning, and of a day without trades never', async () => {
  expect(await address()).toMatchObject({ code: '40004', sub_code: 'isp.bill_not_exist' })
  desk.passes(33 * 3_600_000)
  expect((await address()).code).toBe('10000')
  expect((await address(cityText(desk.now() - 9 * 86_400_000).slice(0, 10))).sub_code).toBe('isp.bill_not_exist')
  expect((await address('2026-13-01')).sub_code).toBe('ACQ.INVALID_PARAMETER')
  expect((await address(day, 'nothing')).sub_code).toBe('ACQ.INVALID_PARAMETER')
})

test('it is a zip of two files in GBK, whose names are in GBK too', async () => {
  const account = `${desk.keys.alipay.apps[0]!.sellerId}0156_${day.replaceAll('-', '')}`
  expect([...(await download()).keys()]).toEqual([`${account}_业务明细.csv`, `${account}_业务明细(汇总).csv`])
})

test('the details have every payment and refund, and sums that agree', async () => {
  const text = [...(await download()).values()][0]!
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe('#支付宝业务明细查询')
  const table = lines.filter((line) => !line.startsWith('#'))
  const names = table[0]!.split(',')
  const rows = table.slice(1).map((line) => Object.fromEntries(line.split(',').map((cell, place) => [names[place]!, cell.trim()])))
  expect(rows.map((row) => [row['商户订单号'], row['业务类型'], row['订单金额（元）'], row['退款批次号/请求号'], row['服务费（元）']])).toEqual([
    ['billed-1', '交易', '5.00', '', '-0.03'],
    ['billed-2', '交易', '10.00', '', '-0.06'],
    ['billed-2', '退款', '-4.00', 'r1', '0.00'],
  ])
  expect(names).toHaveLength(25)
  expect(table.every((line) => line.split(',').length === 25)).toBe(true)
  expect(lines.slice(-3)).toEqual([
    '#交易合计：2笔，商家实收共15.00元，商家优惠共0.00元',
    '#退款合计：1笔，商家实收退款共-4.00元，商家优惠退款共0.00元',
    expect.stringMatching(/^#导出时间：\[\d{4}年\d\d月\d\d日 \d\d:\d\d:\d\d\]$/),
  ])
})

test('the summary has the sums of the day', async () => {
  const text = [...(await download()).values()][1]!
  const [names, cells] = text.split('\r\n').filter((line) => !line.startsWith('#')) as [string, string]
  const row = Object.fromEntries(names.split(',').map((name, place) => [name, cells.split(',')[place]]))
  expect(row).toMatchObject({
    交易订单总笔数: '2',
    退款订单总笔数: '1',
    '订单金额（元）': '11.00',
    '服务费（元）': '-0.09',
    '实收净额（元）': '10.91',
  })
})

test('its address works for half a minute', async () => {
  const url = (await address()).bill_download_url as string
  desk.passes(30_000)
  expect((await fetch(url)).status).toBe(403)
})
