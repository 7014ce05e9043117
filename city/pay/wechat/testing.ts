import { createDecipheriv, X509Certificate } from 'node:crypto'
import type { WechatMerchant } from '../keys.ts'
import { type Answered, type Desk, type Heard, isVerified } from '../testing.ts'

/** Decrypts what the channel encrypted, with node alone. */
export function unsealed(sealed: { nonce: string; associated_data: string; ciphertext: string }, { apiV3Key }: WechatMerchant): string {
  const bytes = Buffer.from(sealed.ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, sealed.nonce).setAAD(Buffer.from(sealed.associated_data)).setAuthTag(bytes.subarray(-16))
  return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
}
/** Certificates by their serial numbers, as a merchant downloads them. */
export async function certificatesOf(desk: Desk): Promise<Map<string, X509Certificate>> {
  const { body } = await desk.wechat('GET', '/v3/certificates')
  const merchant = desk.keys.wechat.merchants[0]!
  return new Map(
    (body.data as any[]).map((one) => [one.serial_no, new X509Certificate(unsealed(one.encrypt_certificate, merchant))] as [string, X509Certificate]),
  )
}
export const isAnswerGenuine = ({ headers, text }: Answered, certificates: ReadonlyMap<string, X509Certificate>): boolean =>
  isGenuine((name) => headers.get(name) ?? '', text, certificates)
export const isNoticeGenuine = ({ headers, body }: Heard, certificates: ReadonlyMap<string, X509Certificate>): boolean =>
  isGenuine((name) => String(headers[name]), body, certificates)
function isGenuine(header: (name: string) => string, body: string, certificates: ReadonlyMap<string, X509Certificate>): boolean {
  const certificate = certificates.get(header('wechatpay-serial'))
  const text = `${header('wechatpay-timestamp')}\n${header('wechatpay-nonce')}\n${body}\n`
  return (
    certificate !== undefined &&
    isVerified(text, header('wechatpay-signature'), certificate.publicKey.export({ type: 'spki', format: 'pem' }) as string)
  )
}
export const resourceIn = (desk: Desk, heard: Heard): any =>
  JSON.parse(unsealed((JSON.parse(heard.body) as { resource: any }).resource, desk.keys.wechat.merchants[0]!))

/** The smallest order that is taken. */
export const orderFor = (desk: Desk, number: string, more: object = {}): object => {
  const { mchid, appid } = desk.keys.wechat.merchants[0]!
  return {
    mchid,
    appid,
    description: '停车费',
    out_trade_no: number,
    notify_url: desk.notify('/wechat'),
    amount: { total: 500, currency: 'CNY' },
    ...more,
  }
}
/** Ordered and paid by a driver. */
export async function paidOrder(desk: Desk, number: string, more: object = {}, how: object = {}): Promise<string> {
  const { body } = await desk.wechat('POST', '/v3/pay/transactions/native', orderFor(desk, number, more))
  const prepayId = new URL(body.code_url as string).searchParams.get('pr')
  const { body: paid } = await desk.driver('/wechat/pay', { prepay_id: prepayId, act: 'pay', ...how })
  return paid.transaction_id as string
}
