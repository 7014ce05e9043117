import pg from 'pg'
import type { WebSocket } from 'ws'
import type { Permission } from '../contract/call.ts'
import { afterCommit, enterpriseOf, type Tx } from './database.ts'
import { cut } from './faults.ts'
import type { Log } from './log.ts'
import { gauge } from './metrics.ts'
import type { Actor } from './serve.ts'

export interface Topic {
  name: string
  needs: Permission
  everywhere: boolean
}
const topics = new Map<string, Topic>()
/**
 * Declares a topic that open pages may follow. Users without `needs` hear nothing of it. `everywhere`: for data that all
 * enterprises share, a dictionary for example.
 */
export const topic = (name: string, needs: Permission, { everywhere = false } = {}): Topic => {
  const made = { name, needs, everywhere }
  topics.set(name, made)
  return made
}

export interface Notice {
  ids?: readonly string[]
  /** Only those who may see this park hear it. */
  park?: string
  /** Only this person hears it. */
  person?: string
}
const CHANNEL = 'kerbline'
/** NOTIFY takes 8,000 bytes; a page that missed ids simply reads its list again. */
const IDS_MAX = 100

/** Said after the commit, never before. Ids only: the page asks for the rows itself, under its own rights. */
export const tell = async (tx: Tx, of: Topic, { ids = [], park, person }: Notice): Promise<void> => {
  say(tx, { t: of.name, e: enterpriseOf(tx), i: ids.slice(0, IDS_MAX), ...(park && { p: park }), ...(person && { u: person }) })
}
/** For processes among themselves: not shown to pages. Who must not miss it also looks by himself now and then. */
export const signal = async (tx: Tx, name: string, data: string): Promise<void> => say(tx, { s: name, d: data })

// Inside a transaction NOTIFY makes every commit of the database wait for the one before it; so what transactions have to say goes out together, behind them.
const say = (tx: Tx, notice: object) => {
  const text = JSON.stringify(notice)
  afterCommit(tx, (pool) => speakers.get(pool)?.(text))
}
const speakers = new WeakMap<pg.Pool, (text: string) => void>()
/** Messages within this time, in milliseconds, leave in one statement. */
const SAY_MS = 4

interface Listener {
  actor: Actor
  socket: WebSocket
  waiting: Map<string, Set<string>>
  timer: NodeJS.Timeout | undefined
}
/** Ten frames a second at most: what comes in between is told together. */
const FRAME_MS = 100
const open = gauge('kerbline_realtime_connections', 'Open realtime connections of this process')

export interface Hub {
  add(actor: Actor, socket: WebSocket): void
  /** Closes what a person or a session has open: signed out, locked, rights changed. */
  drop(of: (actor: Actor) => boolean): void
  onSignal(name: string, hear: (data: string) => void): void
  /** The database does not answer: the connection may be dead without knowing it. It listens on another. */
  cut(): void
  stop(): Promise<void>
}

/** One connection LISTENs for the whole process and passes on to each page what it may know. Lost, it is opened again and every page reads afresh. `pool` is the one whose transactions tell. */
export async function openHub(url: string, pool: pg.Pool, log: Log): Promise<Hub> {
  const listeners = new Set<Listener>()
  const signals = new Map<string, ((data: string) => void)[]>()
  const hear = (payload: string) => {
    const { t, e, i, p, u, s, d } = JSON.parse(payload) as { t: string; e: number; i: string[]; p?: string; u?: string; s?: string; d?: string }
    if (s !== undefined) return (signals.get(s) ?? []).forEach((one) => one(d ?? ''))
    const of = topics.get(t)
    if (of) for (const one of listeners) if (mayHear(one.actor, of, e, p, u)) queue(one, t, i)
  }
  const mayHaveMissed = () => listeners.forEach((one) => sendTo(one, { topic: '*', ids: [] }))
  const ear = await listenAt(url, hear, mayHaveMissed, log)
  speakers.set(pool, ear.speak)
  return {
    add(actor, socket) {
      const one: Listener = { actor, socket, waiting: new Map(), timer: undefined }
      listeners.add(one)
      open.set(listeners.size)
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        clearTimeout(one.timer)
        listeners.delete(one)
        open.set(listeners.size)
      })
    },
    drop(of) {
      for (const one of listeners) if (of(one.actor)) one.socket.close(4401, 'session')
    },
    onSignal: (name, hearer) => void signals.set(name, [...(signals.get(name) ?? []), hearer]),
    cut: ear.cut,
    async stop() {
      speakers.delete(pool)
      for (const one of listeners) one.socket.terminate()
      await ear.stop()
    },
  }
}

function queue(one: Listener, name: string, ids: string[]) {
  const known = one.waiting.get(name) ?? new Set()
  for (const id of ids) if (known.size < IDS_MAX) known.add(id)
  one.waiting.set(name, known)
  one.timer ??= setTimeout(() => flush(one), FRAME_MS)
}
function flush(one: Listener) {
  one.timer = undefined
  for (const [name, ids] of one.waiting) sendTo(one, { topic: name, ids: [...ids] })
  one.waiting.clear()
}
/** A page that does not read what it is told is cut off; when it comes again it reads everything afresh. */
function sendTo({ socket }: Listener, notice: { topic: string; ids: string[] }) {
  if (socket.bufferedAmount > BEHIND_MAX) socket.terminate()
  else socket.send(JSON.stringify(notice))
}
/** The most bytes that wait in memory for one page, besides the system's own buffers: some minutes of a busy morning. */
const BEHIND_MAX = 256 * 1024

interface Ear {
  speak(text: string): void
  cut(): void
  stop(): Promise<void>
}
const SAY = 'select pg_notify($1, text) from unnest($2::text[]) text'
/** Listens as long as it is not stopped: a connection that is lost is opened again, and `onBack` is told that something may have been missed. */
async function listenAt(url: string, hear: (payload: string) => void, onBack: () => void, log: Log): Promise<Ear> {
  let stopped = false
  let client: pg.Client | undefined
  async function listen(): Promise<void> {
    const made = new pg.Client({ connectionString: url, connectionTimeoutMillis: LISTENS_MS, query_timeout: LISTENS_MS })
    made.on('notification', ({ payload }) => payload && hear(payload))
    made.on('error', () => {})
    try {
      await made.connect()
      await made.query(`listen ${CHANNEL}`)
    } catch (error) {
      cut(made)
      throw error
    }
    client = made
    // Only now: a connection that never came to be ends too, and whoever asked for it tries again already.
    made.on('end', () => !stopped && setTimeout(() => void again(), RETRY_MS))
  }
  async function again() {
    try {
      await listen()
      onBack()
    } catch (error) {
      log.warn({ err: error }, 'The realtime hub cannot listen; it tries again.')
      if (!stopped) setTimeout(() => void again(), RETRY_MS)
    }
  }
  await listen()
  let waiting: string[] = []
  let speaking = false
  async function speakNow(): Promise<void> {
    const said = [...new Set(waiting)]
    waiting = []
    // Not said because the database is away: pages read afresh when it is back.
    await client?.query({ name: 'say', text: SAY, values: [CHANNEL, said] }).catch(() => {})
    speaking = waiting.length > 0
    if (speaking) setTimeout(() => void speakNow(), SAY_MS)
  }
  function speak(text: string) {
    waiting.push(text)
    if (speaking) return
    speaking = true
    setTimeout(() => void speakNow(), SAY_MS)
  }
  return {
    speak,
    cut: () => void (client && cut(client)),
    async stop() {
      stopped = true
      await client?.end().catch(() => {})
    },
  }
}
const RETRY_MS = 1_000
const LISTENS_MS = 5_000

const mayHear = (actor: Actor, of: Topic, enterprise: number, park: string | undefined, person: string | undefined) =>
  (of.everywhere || actor.enterprise === enterprise) &&
  (of.needs === 'signed-in' || actor.may.has(of.needs)) &&
  (park === undefined || actor.scope.parks === null || actor.scope.parks.includes(park)) &&
  (person === undefined || person === actor.userId)
