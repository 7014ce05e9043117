import { createHash, createSign, createVerify, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AlipaySettings } from './alipay/context.ts'
import { cityText } from './clock.ts'
import { makeKeys, type PlayedKeys, type WechatMerchant } from './keys.ts'
import { Published } from './published.ts'
import { startChannel } from './server.ts'
import type { WechatSettings } from './wechat/context.ts'

/** A notice as the merchant's server got it. */
export interface Heard {
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
  at: number
}
export interface Answered {
  status: number
  headers: Headers
  text: string
  body: any
}
/** A merchant's server beside the played channels, and a driver's program. */
export interface Desk {
  url: string
  keys: PlayedKeys
  published: Published
  heard: Heard[]
  /** The address of the merchant's server. */
  notify: (path: string) => string
  /** The answer that the merchant's server gives from now on. */
  answersWith: (answer: (heard: Heard) => { status: number; body?: string }) => void
  /** Lets so much time pass. */
  passes: (ms: number) => void
  now: () => number
  /** How often the keys were kept. */
  saves: () => number
  wechat: (method: 'GET' | 'POST', target: string, body?: object, how?: How) => Promise<Answered>
  alipay: (method: string, content: object, more?: Record<string, string>) => Promise<Answered>
  driver: (path: string, fields: object) => Promise<Answered>
  close: () => Promise<void>
}
export interface How {
  merchant?: WechatMerchant
  /** Fields of the authorization that are sent instead of the right ones. */
  authorization?: Record<string, string>
  headers?: Record<string, string>
}
const QUICK = { refundAfterMs: 10, debitAfterMs: 10, waitsMs: [30, 60, 90], parkingWaitsMs: [30], probeEvery: 0, twiceEvery: 0 }

export async function aDesk({ wechat, alipay }: { wechat?: Partial<WechatSettings>; alipay?: Partial<AlipaySettings> } = {}): Promise<Desk> {
  const keys = makeKeys({ merchants: 2 })
  let shift = 0
  const now = () => Date.now() + shift
  let saves = 0
  const published = new Published({
    keys,
    now,
    save: () => void saves++,
    wechat: { ...QUICK, ...wechat },
    alipay: { waitsMs: [30, 60], twiceEvery: 0, ...alipay },
  })
  const channel = await startChannel({ port: 0, secret: 's'.repeat(32), published })
  const merchants = await merchantsServer()
  const signedBy = { keys, url: channel.url, now }
  return {
    url: channel.url,
    keys,
    published,
    heard: merchants.heard,
    notify: (path) => `${merchants.url}${path}`,
    answersWith: merchants.answersWith,
    passes: (ms) => void (shift += ms),
    now,
    saves: () => saves,
    wechat: (method, target, body, how) => askWechat(signedBy, method, target, body, how),
    alipay: (method, content, more) => askAlipay(signedBy, method, content, more),
    driver: (path, fields) => answered(fetch(`${channel.url}${path}`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(fields) })),
    close: async () => {
      await channel.stop()
      await merchants.stop()
    },
  }
}
const JSON_TYPE = { 'content-type': 'application/json' }

async function merchantsServer() {
  const heard: Heard[] = []
  let answer: (heard: Heard) => { status: number; body?: string } = () => ({ status: 200, body: 'success' })
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const one: Heard = { path: request.url!, headers: request.headers, body, at: Date.now() }
    heard.push(one)
    const { status, body: text } = answer(one)
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answersWith: (next: typeof answer) => void (answer = next),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Signing {
  keys: PlayedKeys
  url: string
  now: () => number
}
/** A merchant's call, signed with node alone. */
function askWechat({ keys, url, now }: Signing, method: 'GET' | 'POST', target: string, content?: object, how: How = {}): Promise<Answered> {
  const merchant = how.merchant ?? keys.wechat.merchants[0]!
  const body = content ? JSON.stringify(content) : ''
  const [timestamp, nonce] = [String(Math.floor(now() / 1_000)), randomBytes(16).toString('hex')]
  const text = `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`
  const fields = {
    mchid: merchant.mchid,
    nonce_str: nonce,
    timestamp,
    serial_no: merchant.serial,
    signature: createSign('RSA-SHA256').update(text).sign(merchant.privateKey, 'base64'),
    ...how.authorization,
  }
  const authorization = `WECHATPAY2-SHA256-RSA2048 ${Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}`
  const headers = { authorization, accept: 'application/json', ...(content && JSON_TYPE), ...how.headers }
  return answered(fetch(`${url}${target}`, { method, headers, ...(content && { body }) }))
}
/** Parameters of an application's call, signed with node alone. */
export function alipaySigned(
  { keys, now }: Omit<Signing, 'url'>,
  method: string,
  content: object,
  more: Record<string, string> = {},
): Record<string, string> {
  const app = keys.alipay.apps[0]!
  const common = { app_id: app.appId, method, format: 'JSON', charset: 'utf-8', sign_type: 'RSA2', timestamp: cityText(now()), version: '1.0' }
  const fields: Record<string, string> = { ...common, biz_content: JSON.stringify(content), ...more }
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return { ...fields, sign: more['sign'] ?? createSign('RSA-SHA256').update(text).sign(app.privateKey, 'base64') }
}
const askAlipay = (signing: Signing, method: string, content: object, more?: Record<string, string>) =>
  answered(fetch(`${signing.url}/gateway.do`, { method: 'POST', body: new URLSearchParams(alipaySigned(signing, method, content, more)) }))

async function answered(asked: Promise<Response>): Promise<Answered> {
  const answer = await asked
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

export const isVerified = (text: string, signature: string, key: string): boolean =>
  createVerify('RSA-SHA256').update(text).verify(key, signature, 'base64')
export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')
