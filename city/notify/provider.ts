import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** A provider's answer over HTTP. `lagMs` passes before it is given. */
export interface Reply {
  status: number
  body: Record<string, unknown>
  retryAfterS?: number
  lagMs?: number
}
export interface NotifyOptions {
  secret: string
  /** More than this in one second is answered 429. */
  perSecond?: number
  /** Of a hundred first tries so many fail; the next try of the same message then succeeds. */
  failing?: number
  /** An answer takes up to this long. */
  lagMs?: number
}
/** A message that went out: one line for each, however often it was asked to send it. */
export interface Sent {
  id: string
  key: string
  type: number
  to: string
  text: string
}
export interface Headers {
  timestamp: string
  signature: string
  key: string
}

const FRESH_S = 300
const KEPT = 50_000
/** Longer than any client waits. */
const TOO_LATE_MS = 8_000
const no = (status: number, error: string, more: Partial<Reply> = {}): Reply => ({ status, body: { error }, ...more })

/**
 * A provider of text messages, WeChat, push and voice as it is seen from outside: signed requests in, one message out for each key. It fails, lags and throttles as
 * real ones do. An address decides too: one that ends in 0000 does not exist, 1111 always fails, 2222 fails once, 3333 answers too late although it was sent.
 */
export class SandboxNotify {
  readonly #options: Required<NotifyOptions>
  readonly #sent = new Map<string, Sent>()
  readonly #tries = new Map<string, number>()
  #second = 0
  #inSecond = 0
  readonly counts = { asked: 0, sent: 0, again: 0, failed: 0, refused: 0, throttled: 0, forged: 0, hooks: 0 }

  constructor({ secret, perSecond = 50, failing = 0, lagMs = 0 }: NotifyOptions) {
    this.#options = { secret, perSecond, failing, lagMs }
  }

  get sent(): readonly Sent[] {
    return [...this.#sent.values()]
  }

  send({ timestamp, signature, key }: Headers, text: string): Reply {
    this.counts.asked++
    if (!this.#isGenuine(timestamp, signature, text)) return this.#count('forged', no(401, 'signature'))
    if (this.#isTooMany()) return this.#count('throttled', no(429, 'THROTTLED', { retryAfterS: 1 }))
    const known = this.#sent.get(key)
    if (known) return this.#count('again', { status: 200, body: { id: known.id, duplicate: true } })
    const { type, to, text: content } = JSON.parse(text) as { type: number; to: string; text: string }
    const tries = (this.#tries.get(key) ?? 0) + 1
    this.#tries.set(key, tries)
    const lagMs = (this.#options.lagMs * roll(key)) / 100
    if (to.endsWith('0000')) return this.#count('refused', no(422, 'NUMBER_DOES_NOT_EXIST', { lagMs }))
    if (to.endsWith('1111') || (to.endsWith('2222') && tries === 1) || (tries === 1 && roll(`fails ${key}`) < this.#options.failing))
      return this.#count('failed', no(500, 'OPERATOR_BUSY', { lagMs }))
    const id = `N${hash('sha256', key).slice(0, 16)}`
    this.#remember({ id, key, type, to, text: content })
    return this.#count('sent', { status: 200, body: { id }, lagMs: to.endsWith('3333') && tries === 1 ? TOO_LATE_MS : lagMs })
  }

  /** Somebody's own program that hears our webhooks. */
  hook({ timestamp, signature, key }: Headers, text: string): Reply {
    if (!this.#isGenuine(timestamp, signature, text)) return this.#count('forged', no(401, 'signature'))
    if (this.#sent.has(key)) return this.#count('again', { status: 200, body: { id: key } })
    const { title } = JSON.parse(text) as { title: string }
    this.#remember({ id: key, key, type: 8, to: 'webhook', text: title })
    return this.#count('hooks', { status: 200, body: { id: key } })
  }

  #count(what: keyof SandboxNotify['counts'], reply: Reply): Reply {
    this.counts[what]++
    return reply
  }
  #remember(one: Sent): void {
    if (this.#sent.size >= KEPT) this.#sent.delete(this.#sent.keys().next().value!)
    this.#sent.set(one.key, one)
  }
  #isTooMany(): boolean {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) this.#inSecond = 0
    this.#second = second
    return ++this.#inSecond > this.#options.perSecond
  }
  // Written apart from the platform's own, as a real provider's would be: if the two disagree, the tests say so.
  #isGenuine(timestamp: string, signature: string, text: string): boolean {
    const wanted = Buffer.from(createHmac('sha256', this.#options.secret).update(timestamp).update('.').update(text).digest('hex'))
    const given = Buffer.from(signature)
    return Math.abs(Date.now() / 1000 - Number(timestamp)) <= FRESH_S && wanted.length === given.length && timingSafeEqual(wanted, given)
  }
}

/** 0 to 99, the same for the same text. */
const roll = (text: string) => parseInt(hash('sha256', text).slice(0, 8), 16) % 100
