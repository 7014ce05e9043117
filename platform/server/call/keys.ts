import { createCipheriv, createDecipheriv, hash, randomBytes, randomUUID } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { run, type Tx } from '../database.ts'
import { FileReply } from './fileReply.ts'
import { InFlight, Interrupted, KeyReused } from '../refusal.ts'

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

/** A transaction of its own. */
export type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
export interface Write {
  <T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Takes back what the transactions before it did: the same request then does them anew. */
  undo?: Read
  /** For a part of the call that takes back its own alone. */
  part?: () => Write
}
export const undoing = (write: Write): Read => write.undo ?? write
export const partOf = (write: Write): Write => write.part?.() ?? write
/** The transactions of one call, in the order in which they begin. */
export interface Steps {
  reading(read: Read): Read
  writing(write: Read): Write
}
/** Nobody asks again without a key. */
export const unkept: Steps = { reading: (read) => read, writing: (write) => write }

/**
 * Around a call of several transactions: claimed before the first, settled after the last. Each that writes keeps what it and the looks before it
 * answered, and the same request again, after a failure or a death anywhere between two of them, gets these answers and goes on behind them. @throws InFlight, KeyReused, Interrupted
 */
export async function onceAround(write: Read, keyed: Keyed, work: (steps: Steps) => Promise<unknown>): Promise<unknown> {
  const { who, key, call, body } = kept(keyed)
  const holder = randomUUID()
  const release = () => write((tx) => run(tx, RELEASE, [who, key, holder]))
  try {
    const [claim] = await write((tx) => run<Claim>(tx, HOLD, [who, key, call, body, holder, HELD]))
    const { state } = claim!
    if (state !== 'new' && state !== 'again') return earlier(claim!, keyed)
    const reply = (await work(stepsOf(keyed, state === 'again'))) ?? null
    // A file is made anew for whoever asks again: nobody keeps it.
    if (reply instanceof FileReply) await release()
    else await write((tx) => run(tx, SETTLE, [who, key, seal(keyed.key, reply)]))
    return reply
  } catch (error) {
    await release().catch(() => {}) // with the database away it stays held and expires
    throw error
  }
}
const HOLD = { sql: 'select state, answer from platform.hold($1, $2, $3, $4, $5, $6::interval)' }
const RELEASE = { sql: 'select platform.release($1, $2, $3)' }
const SETTLE = { sql: 'select platform.settle($1, $2, $3)' }

/** One that another version of the code has taken, or another way through the call, is not taken for this one. */
interface Step {
  number: number
  name: string
}
function stepsOf(keyed: Keyed, again: boolean): Steps {
  const { who, key } = kept(keyed)
  let begun = 0
  let looks: (Step & { answer: string })[] = []
  const next = (work: unknown): Step => ({ number: ++begun, name: hash('sha256', String(work)).slice(0, NAME_LENGTH) })
  const answered = (step: Step, reply: unknown) => ({ ...step, answer: sealBytes(keyed.key, serialize(reply)) })
  /** Returns the answer of the first run of this step, in a list. */
  async function earlier<T>(tx: Tx, { number, name }: Step): Promise<T[]> {
    if (!again) return []
    const rows = await run<{ name: string; answer: string }>(tx, STEP_OF, [who, key, number])
    if (rows.some((row) => row.name !== name)) throw Interrupted()
    return rows.map(({ answer }) => deserialize(unseal(keyed.key, answer)) as T)
  }
  return {
    reading: (read) => (work) => {
      const step = next(work)
      return read(async (tx) => {
        const [first] = await earlier<{ reply: Awaited<ReturnType<typeof work>> }>(tx, step)
        if (first) return first.reply
        const reply = await work(tx)
        looks.push(answered(step, { reply }))
        return reply
      })
    },
    writing,
  }
  function writing(write: Read): Write {
    const from = begun
    const takeStep: Read = (work) => {
      const step = next(work)
      return write(async (tx) => {
        const [first] = await earlier<{ reply: Awaited<ReturnType<typeof work>> }>(tx, step)
        if (first) return first.reply
        const reply = await work(tx)
        const steps = [...looks, answered(step, { reply })]
        looks = []
        await run(tx, KEEP_STEPS, [who, key, JSON.stringify(steps)])
        return reply
      })
    }
    const undo: Read = (work) =>
      write(async (tx) => {
        await run(tx, FORGET_STEPS, [who, key, from])
        return work(tx)
      })
    return Object.assign(takeStep, { undo, part: () => writing(write) })
  }
}
const NAME_LENGTH = 16
const STEP_OF = { sql: 'select name, answer from platform.step_of($1, $2, $3)' }
const KEEP_STEPS = { sql: 'select platform.keep_steps($1, $2, $3)' }
const FORGET_STEPS = { sql: 'select platform.forget_steps($1, $2, $3)' }

interface Claim {
  state: 'new' | 'again' | 'busy' | 'reused' | 'done'
  answer: string | null
}
function earlier({ state, answer }: Claim, { key }: Keyed): unknown {
  if (state === 'busy') throw InFlight()
  if (state === 'reused') throw KeyReused()
  return open(key, answer!)
}

/** The columns that the table stores for a key. The key itself is left out, because it opens the answer. */
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
const seal = (key: string, reply: unknown) => sealBytes(key, Buffer.from(JSON.stringify(reply)))
const open = (key: string, answer: string): unknown => JSON.parse(unseal(key, answer).toString())
function sealBytes(key: string, plain: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(key), iv)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}
function unseal(key: string, answer: string): Buffer {
  const bytes = Buffer.from(answer, 'base64')
  const decipher = createDecipheriv(CIPHER, secretOf(key), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}
