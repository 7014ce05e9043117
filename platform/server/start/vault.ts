import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Config, StartRefusal } from './config.ts'

/** Beside the database, never in it: whoever has a copy of the one reads no secret without the other. */
export const VAULT_FILE = 'vault.key'
const KEY = /^[0-9a-f]{64}$/i
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Keeps secrets of others that must be read again: what partners gave us to call them with. */
export interface Vault {
  locked(secret: string): string
  /** @throws when it was locked under another key, or is not what was locked */
  opened(kept: string): string
}

/**
 * Under VAULT_KEY, 32 bytes in hexadecimal; without it under one that is made at first and kept in the data directory, for its owner alone. Several processes over one database need the same.
 * @throws StartRefusal for a key that is none
 */
export function openVault({ dataDir }: Pick<Config, 'dataDir'>, env: Record<string, string | undefined>): Vault {
  const given = env['VAULT_KEY']?.trim()
  if (given && !KEY.test(given)) throw new StartRefusal('VAULT_KEY must be 32 bytes as 64 hexadecimal digits. VAULT_KEY 应为 64 位十六进制。')
  const key = Buffer.from(given || keptKey(path.join(dataDir, VAULT_FILE)), 'hex')
  return {
    locked(secret) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv)
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
    },
    opened(kept) {
      const bytes = Buffer.from(kept, 'base64')
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

function keptKey(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  mkdirSync(path.dirname(file), { recursive: true })
  const made = randomBytes(32).toString('hex')
  writeFileSync(file, made, { mode: 0o600, flag: 'wx' })
  return made
}
