import { type KeyObject, sign, verify } from 'node:crypto'

/** RSA2 is RSA with SHA-256; the older RSA with SHA-1 is not spoken. */
const DIGEST = 'sha256'
const BASE64 = /^[A-Za-z0-9+/]{4,2048}={0,2}$/

/** What is signed of a form: `name=value` by name, joined by `&`, nothing encoded. Values that have such signs themselves stand as they are. */
export const textOf = (fields: Iterable<readonly [name: string, value: string]>): string =>
  [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** Base64 over the text in UTF-8, the charset of every request. */
export const signatureOf = (text: string, key: KeyObject): string => sign(DIGEST, Buffer.from(text), key).toString('base64')
/** A request with its signature. `sign_type` is part of what is signed here, and is not in a notice. */
export const signedForm = (fields: ReadonlyMap<string, string>, key: KeyObject): Map<string, string> =>
  new Map([...fields, ['sign', signatureOf(textOf(fields), key)]])

export const isSigned = (text: string, signature: string, key: KeyObject): boolean =>
  BASE64.test(signature) && verify(DIGEST, Buffer.from(text), key, Buffer.from(signature, 'base64'))
