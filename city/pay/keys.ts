import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DAY_MS } from '../../platform/contract/time.ts'
import { selfSigned } from './certificate.ts'

/** A merchant of WeChat Pay, with the secrets that both sides have. */
export interface WechatMerchant {
  mchid: string
  appid: string
  /** For the calls by which a driver's openid is found. */
  appSecret: string
  /** 32 characters: notices and certificates are encrypted with it. */
  apiV3Key: string
  /** Of the merchant's certificate. */
  serial: string
  certificate: string
  privateKey: string
}
/** A certificate with which WeChat signs. */
export interface PlatformCertificate {
  serial: string
  certificate: string
  privateKey: string
  from: number
  until: number
}
export interface WechatKeys {
  merchants: WechatMerchant[]
  /** Several are valid at once while they are rolled; the newest is the last. */
  platform: PlatformCertificate[]
  /** The key that newer merchants verify with instead of a certificate. */
  publicKey: KeyPair & { id: string }
}
export interface KeyPair {
  publicKey: string
  privateKey: string
}
/** An application of a merchant of Alipay. */
export interface AlipayApp extends KeyPair {
  appId: string
  sellerId: string
}
export interface AlipayKeys {
  apps: AlipayApp[]
  /** The pair with which Alipay signs. */
  gateway: KeyPair
}
export interface PlayedKeys {
  wechat: WechatKeys
  alipay: AlipayKeys
}

const FILE = 'pay-keys.json'
/** Companies of the demo. */
const MERCHANTS = 2
/** Real platform certificates are valid for five years. */
const CERTIFIED_MS = 5 * 365 * DAY_MS
const BITS = 2_048

/** The keys of both played channels, kept in `pay-keys.json` of the data directory; the first start makes them. */
export function keysIn(dataDir: string): PlayedKeys {
  const file = path.join(dataDir, FILE)
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    try {
      writeFileSync(file, textOf(makeKeys()), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another process made them in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return JSON.parse(readFileSync(file, 'utf8')) as PlayedKeys
}
/** Keeps what a roll of certificates has changed. */
export const keepKeys = (dataDir: string, keys: PlayedKeys): void => writeFileSync(path.join(dataDir, FILE), textOf(keys), { mode: 0o600 })
const textOf = (keys: PlayedKeys) => `${JSON.stringify(keys, null, 2)}\n`

export function makeKeys({ merchants = MERCHANTS, now = Date.now() }: { merchants?: number; now?: number } = {}): PlayedKeys {
  const all = <One>(make: () => One) => Array.from({ length: merchants }, make)
  return {
    wechat: {
      merchants: all(() => wechatMerchant(now)),
      platform: [platformCertificate(now)],
      publicKey: { id: `PUB_KEY_ID_01${digits(28)}`, ...keyPair() },
    },
    alipay: { apps: all(() => ({ appId: `2021${digits(12)}`, sellerId: `2088${digits(12)}`, ...keyPair() })), gateway: keyPair() },
  }
}
function wechatMerchant(now: number): WechatMerchant {
  const mchid = `19${digits(8)}`
  const { privateKey } = keyPair()
  const serial = newSerial()
  const certificate = selfSigned({ name: mchid, serial, from: now, until: now + CERTIFIED_MS }, privateKey)
  return { mchid, appid: `wx${hex(8)}`, appSecret: hex(16), apiV3Key: hex(16), serial, certificate, privateKey }
}
export function platformCertificate(now: number): PlatformCertificate {
  const { privateKey } = keyPair()
  const [serial, from, until] = [newSerial(), now, now + CERTIFIED_MS]
  return { serial, certificate: selfSigned({ name: 'Tenpay.com played', serial, from, until }, privateKey), privateKey, from, until }
}

const keyPair = (): KeyPair =>
  generateKeyPairSync('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const hex = (bytes: number) => randomBytes(bytes).toString('hex')
/** As X.509 writes it: a positive number whose first digit is no zero. */
const newSerial = () => `${randomInt(1, 8)}${hex(20).slice(1)}`.toUpperCase()
export const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('')
