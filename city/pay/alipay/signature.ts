import { createVerify, sign } from 'node:crypto'
import type { AlipayApp, AlipayKeys } from '../keys.ts'
import { AlipayRefusal } from './refusals.ts'

// RSA2 written apart from the platform's own, as the real channel's is: if the two disagree, the tests say so.
export type Parameters = Readonly<Record<string, string>>

/** `name=value` of all parameters but `without`, sorted by name and joined by `&`, nothing encoded. */
export const textOf = (parameters: Parameters, without: readonly string[], isKept: (value: string) => boolean = (value) => value !== ''): string =>
  Object.keys(parameters)
    .filter((name) => !without.includes(name) && isKept(parameters[name]!))
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
export const signed = (text: string, privateKey: string): string => sign('sha256', Buffer.from(text), privateKey).toString('base64')
const isSigned = (text: string, signature: string, publicKey: string) => createVerify('sha256').update(text).verify(publicKey, signature, 'base64')

/**
 * The application that signed a request. Its `sign_type` is part of the signed text; empty parameters may be.
 * @throws AlipayRefusal
 */
export function appOf(parameters: Parameters, { apps }: AlipayKeys): AlipayApp {
  const { app_id: appId, sign: signature, sign_type: type } = parameters
  if (!appId) throw new AlipayRefusal('isv.missing-app-id', '缺少AppID参数')
  const app = apps.find((one) => one.appId === appId)
  if (!app) throw new AlipayRefusal('isv.invalid-app-id', '无效的AppID参数')
  if (!signature) throw new AlipayRefusal('isv.missing-signature', '缺少签名参数')
  if (type !== 'RSA2') throw new AlipayRefusal('isv.invalid-signature-type', '无效签名类型')
  const texts = [textOf(parameters, ['sign']), textOf(parameters, ['sign'], () => true)]
  if (texts.some((text) => isSigned(text, signature, app.publicKey))) return app
  throw new AlipayRefusal('isv.invalid-signature', '验签出错，建议检查签名字符串或签名私钥与应用公钥是否匹配')
}

/** Slashes are escaped, so that only the literal text of the answer verifies. */
export const literal = (value: unknown): string => JSON.stringify(value).replaceAll('/', '\\/')
/** Parameters that Alipay sends, in a notice or to a return address: `sign` is over all but itself and `sign_type`. */
export const withSign = (parameters: Parameters, { gateway }: AlipayKeys): Record<string, string> => ({
  ...parameters,
  sign_type: 'RSA2',
  sign: signed(textOf(parameters, []), gateway.privateKey),
})
