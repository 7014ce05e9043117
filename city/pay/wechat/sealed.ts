import { createCipheriv, randomBytes } from 'node:crypto'

/** A text that only the merchant with this APIv3 key can read. */
export interface Sealed {
  algorithm: 'AEAD_AES_256_GCM'
  nonce: string
  associated_data: string
  ciphertext: string
}
/** The nonce is a text of twelve characters. */
const NONCE_BYTES = 6

export function sealed(text: string, apiV3Key: string, associatedData: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce)).setAAD(Buffer.from(associatedData))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  return { algorithm: 'AEAD_AES_256_GCM', nonce, associated_data: associatedData, ciphertext }
}
