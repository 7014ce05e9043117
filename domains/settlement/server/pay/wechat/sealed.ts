import { createDecipheriv } from 'node:crypto'

export const ALGORITHM = 'AEAD_AES_256_GCM'
const TAG_BYTES = 16
export interface Sealed {
  algorithm: string
  ciphertext: string
  nonce: string
  associatedData: string
}

/**
 * What was locked under the APIv3 key, as text; undefined where it was not, or was changed since. An account's key has 32 bytes (`keysOf`); that of the published examples
 * has 16.
 */
export function unsealed({ algorithm, ciphertext, nonce, associatedData }: Sealed, key: Buffer): string | undefined {
  const bytes = Buffer.from(ciphertext, 'base64')
  if (algorithm !== ALGORITHM) return undefined
  try {
    const decipher = createDecipheriv(key.length === TAG_BYTES ? 'aes-128-gcm' : 'aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(associatedData))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString()
  } catch {
    return undefined
  }
}
