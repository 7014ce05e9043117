import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import * as counted from './counters.ts'
import { callText, codeOf, errorText, type MessageId, readFrame, resultText, type Unreadable, type Version, type Wrong } from './frames.ts'
import { Misshapen } from './shapes.ts'

/** A pile may say this much per second on average; more has to wait in its own socket, nothing is lost. */
const PER_SECOND = 20
const BURST = 300
/** So many messages of one pile wait here at once; then it is not read until there is room. */
const WAITING_MAX = 64
/** Messages that are none: so many within a minute are no mistake. */
const BAD_MAX = 60
const BAD_MS = 60_000
/** A call to a pile that is not answered by then is over. */
export const ANSWER_MS = 30_000
const CALLS_MAX = 100

export type Outcome = { result: unknown } | { error: string; description: string } | { lost: 'timeout' | 'closed' | 'full' }
/** Each frame that crossed, for whoever keeps them. */
export type Crossed = (one: {
  incoming: boolean
  id: string
  action: string
  kind: 'call' | 'result' | 'error' | 'broken' | 'leftOut'
  text: string
}) => void

export interface Peer {
  /** Calls one after the other: a pile may be told one thing at a time. */
  call(action: string, payload: unknown, withinMs?: number): Promise<Outcome>
  close(code: number, why: string): void
  /** The last sign of life, by the process's own clock. */
  heardAt(): number
  idle(): Promise<void>
}

/**
 * Our side of one socket. `answer` does what a call asks and is answered when that is committed; it throws `Misshapen` or `NotKnown` for what cannot be taken.
 * `leaves` notes what of the call could not be read and was left out. Calls in both directions are each one at a time and do not wait for each other.
 */
export function openPeer(
  socket: WebSocket,
  version: Version,
  crossed: Crossed,
  answer: (action: string, payload: unknown, leaves: (what: readonly string[]) => void) => Promise<unknown>,
): Peer {
  const outgoing = openOutgoing(socket, crossed)
  let tail = Promise.resolve()
  let waiting = 0
  let heardAt = performance.now()
  const turn = openTurns()
  const misbehaves = openConduct(socket)

  socket.on('message', (data, isBinary) => {
    heardAt = performance.now()
    if (++waiting >= WAITING_MAX) socket.pause()
    const text = isBinary ? '' : String(data)
    const frame = isBinary ? ({ wrong: 'frame', id: '-1', en: 'messages are text' } satisfies Unreadable) : readFrame(text)
    // An answer to our own call must not stand behind calls that wait for their turn.
    if ('answers' in frame) {
      done()
      misbehaves(frame.wrong)
      return outgoing.spoilt(String(frame.id), frame.en, text)
    }
    if ('kind' in frame && frame.kind !== 'call') {
      done()
      if (!outgoing.heard(frame, text)) misbehaves('unsolicited')
      return
    }
    tail = tail.then(async () => {
      try {
        await turn()
        await take(frame as Exclude<typeof frame, { kind: 'result' | 'error' }>, text)
      } finally {
        done()
      }
    })
  })
  for (const sign of ['ping', 'pong']) socket.on(sign, () => (heardAt = performance.now()))
  socket.on('close', () => outgoing.lose())

  function done() {
    if (--waiting < WAITING_MAX / 2 && socket.isPaused) socket.resume()
  }
  async function take(frame: Unreadable | { kind: 'call'; id: MessageId; action: string; payload: unknown }, text: string): Promise<void> {
    if ('wrong' in frame) {
      crossed({ incoming: true, id: String(frame.id), action: '', kind: 'broken', text })
      misbehaves(frame.wrong)
      return send(frame.id, '', 'error', errorText(frame.id, codeOf(frame.wrong, version), frame.en))
    }
    const { id, action } = frame
    crossed({ incoming: true, id: String(id), action, kind: 'call', text })
    const leaves = (what: readonly string[]) => crossed({ incoming: true, id: String(id), action, kind: 'leftOut', text: what.join('\n') })
    try {
      send(id, action, 'result', resultText(id, await answer(action, frame.payload, leaves)))
      counted.messages.inc({ action, outcome: 'taken' })
    } catch (error) {
      const { wrong, why } = faultOf(error)
      counted.messages.inc({ action: wrong === 'unknownAction' ? 'unknown' : action, outcome: wrong })
      if (wrong !== 'internal') misbehaves(wrong)
      send(id, action, 'error', errorText(id, codeOf(wrong, version), why))
    }
  }
  function send(id: MessageId, action: string, kind: 'result' | 'error', text: string) {
    if (socket.readyState !== socket.OPEN) return
    socket.send(text)
    crossed({ incoming: false, id: String(id), action, kind, text })
  }
  return { call: outgoing.call, close: (code, why) => socket.close(code, why), heardAt: () => heardAt, idle: () => tail }
}

const faultOf = (error: unknown): { wrong: Wrong; why: string } =>
  error instanceof Misshapen ? { wrong: error.wrong, why: error.message } : { wrong: 'internal', why: 'it could not be done now' }

/** Takes a turn, or waits until there is one; by a clock that nobody puts back. */
function openTurns(): () => Promise<void> {
  let tokens = BURST
  let refilledAt = performance.now()
  return async () => {
    const now = performance.now()
    tokens = Math.min(BURST, tokens + ((now - refilledAt) / 1000) * PER_SECOND) - 1
    refilledAt = now
    if (tokens < 0) await new Promise<void>((resolve) => setTimeout(resolve, (-tokens / PER_SECOND) * 1000))
  }
}
/** Counts what is none; a flood of it ends the line. */
function openConduct(socket: WebSocket): (wrong: Wrong | 'unsolicited') => void {
  let bad: number[] = []
  return (wrong) => {
    counted.rejects.inc({ reason: wrong })
    const now = performance.now()
    bad = [...bad.filter((at) => now - at < BAD_MS), now]
    if (bad.length > BAD_MAX) socket.close(1008, 'too many messages that are none')
  }
}

type Answered = { kind: 'result'; id: string; payload: unknown } | { kind: 'error'; id: string; code: string; description: string }
/** One call under way at a time; the rest wait their turn. */
function openOutgoing(socket: WebSocket, crossed: Crossed) {
  let tail: Promise<unknown> = Promise.resolve()
  let length = 0
  let open: { id: string; action: string; end: (outcome: Outcome) => void } | undefined

  async function one(action: string, payload: unknown, withinMs: number): Promise<Outcome> {
    if (socket.readyState !== socket.OPEN) return { lost: 'closed' }
    const id = randomUUID()
    const text = callText(id, action, payload)
    return new Promise<Outcome>((resolve) => {
      const timer = setTimeout(() => end({ lost: 'timeout' }), withinMs)
      const end = (outcome: Outcome) => {
        clearTimeout(timer)
        open = undefined
        counted.calls.inc({ action, outcome: 'result' in outcome ? 'result' : 'error' in outcome ? 'error' : outcome.lost })
        resolve(outcome)
      }
      open = { id, action, end }
      socket.send(text)
      crossed({ incoming: false, id, action, kind: 'call', text })
    })
  }
  return {
    call(action: string, payload: unknown, withinMs = ANSWER_MS): Promise<Outcome> {
      if (length >= CALLS_MAX) return Promise.resolve({ lost: 'full' as const })
      length++
      const done = tail.then(() => one(action, payload, withinMs)).finally(() => length--)
      tail = done
      return done
    },
    /** Whether it answers what was asked: one that comes too late does not. */
    heard(frame: Answered, text: string): boolean {
      const its = open?.id === frame.id ? open : undefined
      crossed({ incoming: true, id: frame.id, action: its?.action ?? '', kind: frame.kind, text })
      its?.end(frame.kind === 'result' ? { result: frame.payload } : { error: frame.code, description: frame.description })
      return its !== undefined
    },
    /** The answer to our call cannot be read: the call is over, and nobody waits for it. */
    spoilt(id: string, en: string, text: string): void {
      const its = open?.id === id ? open : undefined
      crossed({ incoming: true, id, action: its?.action ?? '', kind: 'broken', text })
      its?.end({ error: 'FormationViolation', description: en })
    },
    lose: () => open?.end({ lost: 'closed' }),
  }
}
