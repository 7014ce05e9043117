import { createCipheriv, createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { allowOutside } from '../../../../../platform/server/outside.ts'
import type { Heard, WechatAccount } from './types.ts'

/** Somebody who plays WeChat Pay: it looks at every signature, and signs by itself. None of this is code of ours. */
const merchant = generateKeyPairSync('rsa', { modulusLength: 2048 })
const platform = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const KEY_ID = 'PUB_KEY_ID_0114232134912410000000000000'
export const API_KEY = 'a key of a test, of thirty-two b'
export const pemOf = (key: KeyObject): string =>
  String(key.type === 'public' ? key.export({ type: 'spki', format: 'pem' }) : key.export({ type: 'pkcs8', format: 'pem' }))

export const account: WechatAccount = {
  merchant: 1,
  channel: 'wechat',
  mchId: '1900000109',
  appId: 'wxd678efh567hg6787',
  serialNo: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
  privateKey: pemOf(merchant.privateKey),
  apiV3Key: API_KEY,
  publicKeyId: KEY_ID,
  publicKey: pemOf(platform.publicKey),
  notifyUrl: 'https://pay.example.cn/lbs/wechat',
}

interface Said {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** The answer has no signature. */
  unsigned?: boolean
  signedBy?: Parameters<typeof sign>[2]
  serial?: string
  secondsAgo?: number
  /** What is sent in place of what was signed. */
  sends?: string
  /** The line is cut before an answer. */
  silent?: boolean
}
export interface AskedOfWechat {
  method: string
  target: string
  body: any
  headers: IncomingMessage['headers']
}
export interface Wechat {
  account: WechatAccount
  asked: AskedOfWechat[]
  heard: Heard[]
  /** What it answers to requests that begin so, from now on; a function sees the request. */
  says(begins: string, said: Said | ((asked: AskedOfWechat) => Said)): void
  /** A bill at the address that its call answers. */
  offers(call: 'tradebill' | 'fundflowbill', bill: string, more?: { sends?: Buffer; digest?: string; address?: string }): void
  close(): Promise<void>
}

export async function aWechat(): Promise<Wechat> {
  const [asked, heard]: [AskedOfWechat[], Heard[]] = [[], []]
  const answers = new Map<string, Said | ((asked: AskedOfWechat) => Said)>()
  const files = new Map<string, Buffer>()
  const server = createServer(async (request, reply) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const one = {
      method: request.method!,
      target: request.url!,
      headers: request.headers,
      body: body.length > 0 ? JSON.parse(String(body)) : undefined,
    }
    asked.push(one)
    if (!isSigned(one, body)) return answer(reply, { status: 401, body: { code: 'SIGN_ERROR', message: '签名错误' }, unsigned: true })
    const file = files.get(one.target)
    if (file) return void reply.writeHead(200, { 'content-type': 'application/x-gzip' }).end(file)
    const said = answers.get([...answers.keys()].findLast((begins) => `${one.method} ${one.target}`.startsWith(begins)) ?? '')
    answer(reply, (typeof said === 'function' ? said(one) : said) ?? { status: 404, body: { code: 'RESOURCE_NOT_EXISTS', message: '' } })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  allowOutside([`127.0.0.1:${port}`])
  const host = `http://127.0.0.1:${port}`
  return {
    account: { ...account, host, heard: (call) => heard.push(call) },
    asked,
    heard,
    says: (begins, said) => void answers.set(begins, said),
    offers(call, bill, { sends = gzipSync(bill), digest = createHash('sha1').update(bill).digest('hex'), address } = {}) {
      const target = `/v3/billdownload/file?token=${randomBytes(8).toString('hex')}`
      files.set(target, sends)
      answers.set(`GET /v3/bill/${call}`, {
        body: { hash_type: 'SHA1', hash_value: digest, download_url: address ?? `${host}${target}` },
      })
    },
    close: () => new Promise((done) => void server.close(() => done())),
  }
}

/** As WeChat does it: the fields of the header in any order, over the bytes that came. */
function isSigned({ method, target, headers }: AskedOfWechat, body: Buffer): boolean {
  const told = /^WECHATPAY2-SHA256-RSA2048 (.*)$/.exec(String(headers['authorization']))?.[1] ?? ''
  const fields = Object.fromEntries([...told.matchAll(/(?:^|,)(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]))
  const text = `${method}\n${target}\n${fields['timestamp']}\n${fields['nonce_str']}\n${body.toString()}\n`
  const isOurs = fields['mchid'] === account.mchId && fields['serial_no'] === account.serialNo
  return (
    isOurs && !!headers['user-agent'] && verify('sha256', Buffer.from(text), merchant.publicKey, Buffer.from(fields['signature'] ?? '', 'base64'))
  )
}

function answer(reply: ServerResponse, said: Said): void {
  const { status = 200, body, headers, unsigned, sends, silent } = said
  if (silent) return void reply.destroy()
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const stamp = unsigned ? {} : stampFor(text, said)
  reply.writeHead(status, { 'content-type': 'application/json', 'request-id': '08F78BB5AF0610D302189F99', ...stamp, ...headers }).end(sends ?? text)
}
/** The four headers of a signature of WeChat's. */
export function stampFor(
  text: string,
  { signedBy = platform.privateKey, serial = KEY_ID, secondsAgo = 0 }: Pick<Said, 'signedBy' | 'serial' | 'secondsAgo'> = {},
) {
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000) - secondsAgo), randomBytes(16).toString('hex')]
  const signature = sign('sha256', Buffer.from(`${timestamp}\n${nonce}\n${text}\n`), signedBy).toString('base64')
  return { 'wechatpay-timestamp': timestamp, 'wechatpay-nonce': nonce, 'wechatpay-serial': serial, 'wechatpay-signature': signature }
}

/** As WeChat locks the content of a notice. */
export function sealedBy(content: unknown, { key = API_KEY, associatedData = 'transaction' } = {}) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), nonce)
  cipher.setAAD(Buffer.from(associatedData))
  const ciphertext = Buffer.concat([
    cipher.update(typeof content === 'string' ? content : JSON.stringify(content)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: ciphertext.toString('base64'),
    nonce,
    associated_data: associatedData,
    original_type: 'transaction',
  }
}
/** A notice as it arrives at our door. */
export function noticeOf(event: string, content: unknown, more: Parameters<typeof stampFor>[1] & { key?: string } = {}) {
  const resource = sealedBy(content, more.key ? { key: more.key } : {})
  const notice = {
    id: 'EV-2018022511223320873',
    create_time: '2026-11-20T10:34:56+08:00',
    resource_type: 'encrypt-resource',
    event_type: event,
    summary: '…',
    resource,
  }
  const body = JSON.stringify(notice)
  return { body: Buffer.from(body), headers: stampFor(body, more) }
}
export const PAID = {
  mchid: account.mchId,
  appid: account.appId,
  out_trade_no: 'TC20261120103000000001-1',
  transaction_id: '1217752501201407033233368018',
  trade_type: 'JSAPI',
  trade_state: 'SUCCESS',
  trade_state_desc: '支付成功',
  bank_type: 'CMC',
  attach: '',
  success_time: '2026-11-20T10:34:55+08:00',
  payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  amount: { total: 1200, payer_total: 1000, currency: 'CNY', payer_currency: 'CNY' },
}
