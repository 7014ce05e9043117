import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateRawSync } from 'node:zlib'
import { allowOutside } from '../../../../../platform/server/outside.ts'
import { inGbk } from '../../../../../platform/server/text/gbk.ts'
import { type AlipayAccount, accountOf, type AlipaySettings } from './account.ts'

export const APP = '2021000000000001'
export const SELLER = '2088000000000001'
const made = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (text: string) => sign('sha256', Buffer.from(text), privateKey).toString('base64'),
  }
}
export const merchantKeys = made()
export const alipayKeys = made()
/** A stranger who knows the protocol, and neither key. */
export const strangerKeys = made()

export const settingsOf = (differs: Partial<AlipaySettings> = {}): AlipaySettings => ({
  merchant: 7,
  gateway: 'https://openapi.alipay.example/gateway.do',
  appId: APP,
  sellerId: SELLER,
  privateKey: merchantKeys.privateKey,
  trust: { publicKey: alipayKeys.publicKey },
  notifyUrl: 'https://park.example/alipay',
  ...differs,
})
export const anAccount = (differs: Partial<AlipaySettings> = {}): AlipayAccount => accountOf(settingsOf(differs))

/** What Alipay would answer, signed over the node's own characters. */
export function answered(method: string, node: Record<string, unknown> | string, by = alipayKeys): string {
  const raw = typeof node === 'string' ? node : JSON.stringify(node)
  return `{"${method.replaceAll('.', '_')}_response":${raw},"sign":"${by.sign(raw)}"}`
}

type Fields = Record<string, string>
const BASE: Fields = {
  app_id: APP,
  auth_app_id: APP,
  charset: 'utf-8',
  notify_id: '2026120100222155624068450559358070',
  notify_time: '2026-12-01 10:00:05',
  notify_type: 'trade_status_sync',
  version: '1.0',
}
export const PAID: Fields = {
  ...BASE,
  seller_id: SELLER,
  buyer_id: '2088102534368455',
  out_trade_no: 'DD20261201095500000001-1',
  trade_no: '2026120122001468450512505578',
  trade_status: 'TRADE_SUCCESS',
  total_amount: '12.50',
  subject: '停车费 鄂F12345',
  gmt_create: '2026-12-01 10:00:01',
  gmt_payment: '2026-12-01 10:00:04',
}
export const UNSIGNED_AGREEMENT: Fields = {
  ...BASE,
  notify_type: 'dut_user_unsign',
  external_agreement_no: 'QY20261201000000000001',
  agreement_no: '20265225715271617440',
  status: 'UNSIGN',
  unsign_time: '2026-12-01 10:00:00',
}

/** The body of a notice, its fields in whatever order. */
export function noticeOf(
  fields: Fields,
  { by = alipayKeys, order = Object.keys(fields) }: { by?: typeof alipayKeys; order?: string[] } = {},
): Buffer {
  const text = Object.keys(fields)
    .filter((name) => name !== 'sign_type')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  const sent = [...order.map((name) => [name, fields[name]!]), ['sign_type', 'RSA2'], ['sign', by.sign(text)]] as [string, string][]
  return Buffer.from(new URLSearchParams(sent).toString())
}

/** A gateway of Alipay's on this machine, and the form of each request that it has had. What has no method is asked for by its path. */
export async function aGateway(answer: (method: string) => string | Buffer | number) {
  const asked: URLSearchParams[] = []
  const server = http.createServer((request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const url = new URL(request.url!, 'http://alipay')
      const form = new URLSearchParams([...url.searchParams, ...new URLSearchParams(Buffer.concat(pieces).toString())])
      asked.push(form)
      const told = answer(form.get('method') ?? url.pathname)
      if (typeof told === 'number') reply.writeHead(told).end()
      else reply.end(told)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  allowOutside([host])
  return {
    url: `http://${host}`,
    gateway: `http://${host}/gateway.do`,
    asked,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A zip as Alipay makes it: the names of its files are in GBK. */
export function zipped(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const locals: Buffer[] = []
  const heads: Buffer[] = []
  let at = 0
  for (const [title, bytes] of files) {
    const [name, folded] = [inGbk(title)!, deflateRawSync(bytes)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(folded.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, folded])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    heads.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name]))
    locals.push(local)
    at += local.length
  }
  const [body, directory] = [Buffer.concat(locals), Buffer.concat(heads)]
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(body.length, 16)
  return Buffer.concat([body, directory, end])
}

const LINE = '-----------------------------------------'
const HEAD =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
const row = (at: number, type: string, yuan: string, refundNo: string, fee: string) =>
  `${2026120122001468450512505578n + BigInt(at)}\t,DD2026120109550000000${at + 1}-1\t,${type}\t,停车费,2026-12-01 10:00:01,2026-12-01 10:00:04,\t,\t,\t,\t,*三(138****00)\t,${yuan},${yuan},0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00,${refundNo}\t,${fee},0.00,`
const SUM_HEAD =
  '门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）'

/** The two files of a day with some payments and one refund; `change` and `changeSums` edit the texts. */
export function billOf({
  payments = 1,
  account = `${SELLER}0156`,
  change = (text: string) => text,
  changeSums = (text: string) => text,
}: { payments?: number; account?: string; change?: (text: string) => string; changeSums?: (text: string) => string } = {}): Buffer {
  const above = (what: string) => [
    `#支付宝业务${what}查询`,
    `#账号：[${account}]`,
    '#起始日期：[2026年12月01日 00:00:00]   终止日期：[2026年12月02日 00:00:00]',
  ]
  const rows = [
    ...Array.from({ length: payments }, (_, at) => row(at, '交易', '12.50', '', '-0.08')),
    row(0, '退款', '-2.50', 'TK20261201100000000001', '0.02'),
  ]
  const details = [
    ...above('明细'),
    `#${LINE}业务明细列表${LINE}`,
    HEAD,
    ...rows,
    `#${LINE}业务明细列表结束${LINE}`,
    `#交易合计：${payments}笔，商家实收共${(payments * 12.5).toFixed(2)}元，商家优惠共0.00元`,
    '#退款合计：1笔，商家实收退款共-2.50元，商家优惠退款共0.00元',
    '#导出时间：[2026年12月02日 05:46:49]',
  ]
  const sums = [
    ...above('汇总'),
    `#${LINE}业务汇总列表${LINE}`,
    SUM_HEAD,
    `合计\t,\t,${payments},1,10.00,10.00,0.00,0.00,0.00,-0.06,0.00,9.94`,
    `#${LINE}业务汇总列表结束${LINE}`,
    '#导出时间：[2026年12月02日 05:46:49]',
  ]
  const gbk = (lines: string[], edit: (text: string) => string) => inGbk(edit(`${lines.join('\r\n')}\r\n`))!
  return zipped([
    [`${account}_20261201_业务明细.csv`, gbk(details, change)],
    [`${account}_20261201_业务明细(汇总).csv`, gbk(sums, changeSums)],
  ])
}
