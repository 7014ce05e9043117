import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { run, type Tx } from './database.ts'
import { FileReply } from './fileReply.ts'
import { InFlight, KeyReused } from './refusal.ts'

/** One request under its `Idempotency-Key`: whose, which, of what. */
export interface Keyed {
  /** The person, or the address of somebody without a name. */
  who: string
  key: string
  call: string
  input: unknown
}
/** A call cut off between its effect and its answer holds its key so long; every call is over well before (handlerTimeout). */
export const HELD = '60 seconds'

/** In the call's own transaction: the same request again gets the first answer and has no second effect. @throws InFlight, KeyReused */
export async function once(tx: Tx, keyed: Keyed, work: () => Promise<unknown>): Promise<unknown> {
  const { who, key, call, body } = kept(keyed)
  const [claim] = await run<Claim>(tx, { sql: 'select state, answer from platform.claim($1, $2, $3, $4)' }, [who, key, call, body])
  if (claim!.state !== 'new') return earlier(claim!, keyed)
  const reply = (await work()) ?? null
  await run(tx, SETTLE, [who, key, seal(keyed.key, reply)])
  return reply
}

/** Around a call of several transactions: claimed before the first, settled after the last, free again when it fails. @throws InFlight, KeyReused */
export async function onceAround(
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  keyed: Keyed,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const { who, key, call, body } = kept(keyed)
  const hold = { sql: 'select state, answer from platform.hold($1, $2, $3, $4, $5::interval)' }
  const [claim] = await write((tx) => run<Claim>(tx, hold, [who, key, call, body, HELD]))
  if (claim!.state !== 'new') return earlier(claim!, keyed)
  let reply: unknown
  try {
    reply = (await work()) ?? null
  } catch (error) {
    // With the database away it stays held and expires.
    await write((tx) => run(tx, RELEASE, [who, key])).catch(() => {})
    throw error
  }
  // A file is made anew for whoever asks again: nobody keeps it.
  if (reply instanceof FileReply) await write((tx) => run(tx, RELEASE, [who, key]))
  else await write((tx) => run(tx, SETTLE, [who, key, seal(keyed.key, reply)]))
  return reply
}
const RELEASE = { sql: 'select platform.release($1, $2)' }
const SETTLE = { sql: 'select platform.settle($1, $2, $3)' }

interface Claim {
  state: 'new' | 'busy' | 'reused' | 'done'
  answer: string | null
}
function earlier({ state, answer }: Claim, { key }: Keyed): unknown {
  if (state === 'busy') throw InFlight()
  if (state === 'reused') throw KeyReused()
  return open(key, answer!)
}

/** What the table holds of it. The key itself is not in it, because it opens the answer. */
const kept = ({ who, key, call, input }: Keyed) => ({ who, key: hash('sha256', `kept ${key}`), call, body: bodyOf(input) })
/** The bytes of a file count by their hash: 20 MB of them written out as JSON would hold everybody up for two seconds. */
function bodyOf(input: unknown): string {
  const brief = (part: unknown) =>
    part && (part as { bytes?: unknown }).bytes instanceof Uint8Array
      ? { ...part, bytes: hash('sha256', (part as { bytes: Uint8Array }).bytes) }
      : part
  const parts = input && typeof input === 'object' ? Object.entries(input).map(([name, part]) => [name, brief(part)]) : input
  return hash('sha256', JSON.stringify(parts))
}

/** An answer may hold a one-time password or a device's secret: only who has the key reads it again. */
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const secretOf = (key: string) => hash('sha256', `seal ${key}`, 'buffer')
function seal(key: string, reply: unknown): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(key), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(reply), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}
function open(key: string, answer: string): unknown {
  const bytes = Buffer.from(answer, 'base64')
  const decipher = createDecipheriv(CIPHER, secretOf(key), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return JSON.parse(decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8'))
}
