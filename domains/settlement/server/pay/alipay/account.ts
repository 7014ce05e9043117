import type { KeyObject, X509Certificate } from 'node:crypto'
import { certificatesIn, privateKeyIn, publicKeyIn, rootSerialsIn, serialOf } from './keys.ts'
import { KeyOfAnother } from './refusals.ts'

/** What a merchant enters, as it was typed or pasted. */
export interface AlipaySettings {
  /** The enterprise that is paid. */
  merchant: number
  /** The gateway: `https://openapi.alipay.com/gateway.do`, or that of the sandbox. */
  gateway: string
  appId: string
  /** The account that receives the money, `2088` and twelve digits. */
  sellerId: string
  privateKey: string
  /** Alipay's public key; in certificate mode three files instead. */
  trust: { publicKey: string } | { appCertificate: string; alipayCertificate: string; rootCertificate: string }
  notifyUrl: string
  /** Where the driver comes back to after a page of Alipay's. */
  returnUrl?: string
  /** Of an app that acts for the merchant. */
  appAuthToken?: string
  /** Debits without a password under an agreement that the driver signs; the codes stand in the contract with Alipay. */
  agreement?: { personalProductCode: string; signScene: string; productCode: string }
  /** Debits by number plate: the car park as Alipay knows it, and as we do. */
  parking?: { parkingId: string; outParkingId: string; agentId?: string }
}

/** Settings that were read: all keys are keys, and belong together. */
export interface AlipayAccount extends Omit<AlipaySettings, 'privateKey' | 'trust'> {
  channel: 'alipay'
  key: KeyObject
  /** Alipay's public keys; in certificate mode by the serial that its answers name, otherwise under no name. */
  alipayKeys: ReadonlyMap<string, KeyObject>
  /** Fields that each request carries in certificate mode. */
  serials: ReadonlyMap<string, string>
}

/** In key mode there is one key, without a serial. */
const ONLY = ''

/** @throws BadKey, BadCertificate, KeyOfAnother */
export function accountOf({ privateKey, trust, ...settings }: AlipaySettings): AlipayAccount {
  const key = privateKeyIn(privateKey)
  const account = { ...settings, channel: 'alipay', key } as const
  if ('publicKey' in trust) return { ...account, alipayKeys: new Map([[ONLY, publicKeyIn(trust.publicKey)]]), serials: new Map() }
  const [own] = certificatesIn(trust.appCertificate, '应用公钥证书', 'certificate of the app') as [X509Certificate]
  if (!own.checkPrivateKey(key)) throw KeyOfAnother()
  const theirs = certificatesIn(trust.alipayCertificate, '支付宝公钥证书', 'certificate of Alipay')
  return {
    ...account,
    // A new certificate may stand in the file beside the one that it follows: both are good meanwhile.
    alipayKeys: new Map(theirs.map((one) => [serialOf(one), one.publicKey])),
    serials: new Map([
      ['app_cert_sn', serialOf(own)],
      ['alipay_root_cert_sn', rootSerialsIn(trust.rootCertificate)],
    ]),
  }
}
/** By the serial that an answer or notice names; one that names none means the only key, or the first of the file. */
export const alipayKey = ({ alipayKeys }: Pick<AlipayAccount, 'alipayKeys'>, serial: string | undefined): KeyObject | undefined =>
  serial === undefined ? [...alipayKeys.values()][0] : (alipayKeys.get(serial) ?? alipayKeys.get(ONLY))
