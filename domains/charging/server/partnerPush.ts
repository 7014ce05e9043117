import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, longTask, type Task, task } from '../../../platform/server/job/jobs.ts'
import { MessageState, Way } from '../contract/platform.ts'
import { type Partner, partnerOf } from './partner.ts'
import { speak, type Spoken } from './partnerWire.ts'
import { letterAnew, letterTaken } from './said.ts'
import { Said } from '../contract/said.ts'

/** A letter that was not taken is sent again after these; behind the last it is a dead letter, and a person looks at it. */
export const AGAIN_S = [1, 5, 30, 300, 3_600] as const
const SAID_MAX = 2_000
const KEPT_DAYS = 90

export interface Letter {
  platformId: string
  /** The name of the interface, as the protocol has it. */
  name: string
  data: object
  connectorId?: string | null
  orderNo?: string | null
}
/** Of something that goes on changing only the last word matters: it takes the place of one that still waits. */
export async function postLatest(tx: Tx, letter: Letter, at: Instant): Promise<void> {
  const { platformId, name, data, connectorId = null, orderNo = null } = letter
  const taken = await run(tx, { sql: ANEW }, [platformId, connectorId ?? '', name, orderNo, JSON.stringify(data)])
  if (taken.length === 0) await post(tx, letter, at)
}
const ANEW = `update charging.partner_message set said = $5, version = version + 1 where enterprise_id = scope_enterprise() and platform_id = $1 and line = $2 and state = ${MessageState.waiting}
  and interface = $3 and order_no is not distinct from $4 returning id`
/** Puts a letter into the box, with the change that it tells of; those about one connector leave in their order. */
export async function post(tx: Tx, { platformId, name, data, connectorId = null, orderNo = null }: Letter, at: Instant): Promise<void> {
  const line = connectorId ?? ''
  await run(tx, { sql: POST }, [platformId, name, connectorId, orderNo, JSON.stringify(data), line, at])
  await addJob(tx, pushTask, { platformId, line }, { key: keyOf(platformId, line) })
}
const POST = `insert into charging.partner_message (platform_id, way, interface, connector_id, order_no, state, said, line, next_at, created_at)
  values ($1, ${Way.outgoing}, $2, $3, $4, ${MessageState.waiting}, $5, $6, $7, $7)`
const keyOf = (platformId: string, line: string) => `${pushTask.name}:${platformId}:${line}`

interface Dead {
  id: string
  platformId: string
  line: string
  interface: string
  connectorId: string | null
  orderNo: string | null
}
/** Dead letters leave once more. One that told a state tells that of now, and of several about the same thing the last: what else they would say is over. */
export async function sendAgain(tx: Tx, ids: readonly string[], at: Instant): Promise<{ count: number; superseded: number }> {
  const dead = await run<Dead>(tx, { sql: DEAD }, [ids])
  const again: Dead[] = []
  for (const letter of dead.toReversed()) {
    const [anew] = await letterAnew.ask(tx, { ...letter, name: letter.interface })
    const isOver = anew !== undefined && (anew.answer.data === null || (await run(tx, { sql: TOLD_ANYWAY }, [letter.id])).length > 0)
    if (isOver) await run(tx, { sql: OVER }, [letter.id, at])
    else await run(tx, { sql: AGAIN }, [letter.id, at, anew ? JSON.stringify(anew.answer.data) : null])
    if (!isOver) again.push(letter)
  }
  for (const { platformId, line } of again) await addJob(tx, pushTask, { platformId, line }, { key: keyOf(platformId, line) })
  return { count: again.length, superseded: dead.length - again.length }
}
const DEAD = `select id, platform_id, line, interface, connector_id, order_no from charging.partner_message
  where enterprise_id = scope_enterprise() and id = any($1::uuid[]) and state = ${MessageState.dead} order by id for update`
/** One about the same thing waits to be sent. */
const TOLD_ANYWAY = `select 1 from charging.partner_message m join charging.partner_message w on w.enterprise_id = m.enterprise_id and w.platform_id = m.platform_id and w.line = m.line
    and w.interface = m.interface and w.order_no is not distinct from m.order_no and w.state = ${MessageState.waiting}
  where m.enterprise_id = scope_enterprise() and m.id = $1`
const OVER = `update charging.partner_message set state = ${MessageState.superseded}, done_at = $2, version = version + 1 where enterprise_id = scope_enterprise() and id = $1`
const AGAIN = `update charging.partner_message set state = ${MessageState.waiting}, tries = 0, next_at = $2, said = coalesce($3, said), version = version + 1
  where enterprise_id = scope_enterprise() and id = $1`

/** What a partner told us, and what it got. */
export const heard = (
  tx: Tx,
  { platformId, name, ret, said, answer, connectorId = null, startChargeSeq = null }: Omit<Letter, 'data' | 'orderNo'> & Heard,
  at: Instant,
): Promise<unknown> =>
  run(tx, { sql: KEPT }, [
    ...[platformId, name, connectorId, null, ret === 0 ? MessageState.done : MessageState.refused, ret],
    ...[said.slice(0, SAID_MAX), answer.slice(0, SAID_MAX), at, Way.incoming, startChargeSeq],
  ])
interface Heard {
  ret: number
  said: string
  answer: string
  /** Of which charge it is, of theirs here or of ours there. */
  startChargeSeq?: string | null
}
const KEPT = `insert into charging.partner_message (platform_id, interface, connector_id, order_no, state, ret, said, answer, tries, done_at, created_at, way)
  values ($1, $2, $3, coalesce($4, (select order_no from charging.charge where enterprise_id = scope_enterprise() and start_charge_seq = $11 and platform_id = $1::uuid::text
    union all select order_no from charging.roaming where enterprise_id = scope_enterprise() and start_charge_seq = $11 and platform_id = $1::uuid limit 1)), $5, $6, $7, $8, 1, $9, $9, $10)`

/** What we asked of a partner, and waited for, as people read it beside the letters. */
export const asked = (
  tx: Tx,
  { platformId, name, data, connectorId = null, orderNo = null }: Letter,
  { ok, said }: { ok: boolean; said: string },
  at: Instant,
): Promise<unknown> =>
  run(tx, { sql: KEPT }, [
    ...[platformId, name, connectorId, orderNo, ok ? MessageState.done : MessageState.refused, ok ? 0 : null],
    ...[JSON.stringify(data), said.slice(0, SAID_MAX), at, Way.outgoing, null],
  ])

type Line = { platformId: string; line: string }
interface Waiting {
  id: string
  interface: string
  said: string
  tries: number
  nextAt: Instant
  version: number
}
/** The first letter of a line, and then the next; the wait for an answer holds no transaction, and of two at once one has the letter. */
export const pushTask: Task<Line> = longTask<Line>('charging.push', async ({ enterprise, data: { platformId, line }, house }) => {
  const write = <T>(work: (tx: Tx) => Promise<T>) => house.writing(enterprise, pushTask.name, work)
  for (let sent = 0; sent < TOGETHER_MAX; sent++) {
    const now = Date.now()
    const next = await write((tx) => takeFirst(tx, platformId, line, now))
    if (!next) return
    if (msOf(next.letter.nextAt) > now) return write((tx) => later(tx, { platformId, line }, next.letter.nextAt, ':again'))
    const spoken = next.partner ? await speak(next.partner, next.letter.interface, JSON.parse(next.letter.said) as object) : NOT_REACHABLE
    await write((tx) => noted(tx, { platformId, line }, next.letter, spoken, instantAt(Date.now())))
  }
  await write((tx) => later(tx, { platformId, line }, instantAt(Date.now())))
})
/** Another line's turn comes too. */
const TOGETHER_MAX = 50
const NOT_REACHABLE: Spoken = { ret: null, said: Said.notReachable, data: undefined }
/** Whoever finds the letter taken looks again under a key of its own, and moves no job of the one that has it. */
const later = (tx: Tx, { platformId, line }: Line, runAt: Instant, as = '') =>
  addJob(tx, pushTask, { platformId, line }, { runAt, key: `${keyOf(platformId, line)}${as}` })

/** Whoever takes it has it for so long, more than a partner may think; `nextAt` is what it was. */
const TAKEN_MS = 30_000
async function takeFirst(
  tx: Tx,
  platformId: string,
  line: string,
  now: number,
): Promise<{ letter: Waiting; partner: Partner | undefined } | undefined> {
  const [letter] = await run<Waiting>(tx, { sql: TAKE }, [platformId, line, instantAt(now), instantAt(now + TAKEN_MS)])
  return letter && { letter, partner: await partnerOf(tx, platformId).catch(() => undefined) }
}
/** One row: a subquery in the place of a value is asked once, whereas a table in its place may be asked again for each letter, and then sees past the one that it has just taken. */
const TAKE = `update charging.partner_message m set next_at = case when m.next_at <= $3 then $4 else m.next_at end
  where m.enterprise_id = scope_enterprise() and m.state = ${MessageState.waiting} and m.id = (
    select id from charging.partner_message where enterprise_id = scope_enterprise() and platform_id = $1 and line = $2 and state = ${MessageState.waiting} order by id limit 1 for update)
  returning m.id, m.interface, m.said, m.tries, old.next_at, m.version`

/** Taken is taken, whatever they make of it: a business result is theirs to explain. Busy, refused and silent are tried again; so is what was written anew while it was on its way. */
async function noted(tx: Tx, line: Line, letter: Waiting, { ret, said, data }: Spoken, at: Instant): Promise<void> {
  const { id, tries, version } = letter
  const wait = AGAIN_S[tries]
  const state = ret === 0 ? MessageState.done : wait === undefined ? MessageState.dead : MessageState.waiting
  const nextAt = state === MessageState.waiting ? instantAt(msOf(at) + wait! * 1_000) : null
  const answer = said.slice(0, SAID_MAX)
  const doneAt = state === MessageState.done ? at : null
  const kept = await run(tx, { sql: NOTED }, [id, state, ret, answer, nextAt, doneAt, version, JSON.stringify([{ at, ret, answer }])])
  if (kept.length === 0) return void (await run(tx, { sql: RELEASED }, [id, at]))
  if (nextAt) await later(tx, line, nextAt)
  if (state === MessageState.done && data)
    await letterTaken.ask(tx, { platformId: line.platformId, name: letter.interface, said: letter.said, data, at })
}
const NOTED = `update charging.partner_message set state = $2, ret = $3, answer = $4, next_at = $5, done_at = $6, sendings = sendings || $8::jsonb, tries = tries + 1, version = version + 1
  where enterprise_id = scope_enterprise() and id = $1 and version = $7 and state = ${MessageState.waiting} returning id`
const RELEASED = `update charging.partner_message set next_at = $2 where enterprise_id = scope_enterprise() and id = $1 and state = ${MessageState.waiting}`

/** What was said is kept for so long. */
export const forgetTask = task(
  'charging.partner-forget',
  async ({ tx, at }) => {
    const since = (ms: number) => instantAt(msOf(at) - ms)
    await run(
      tx,
      {
        sql: `delete from charging.partner_message where enterprise_id = scope_enterprise() and created_at < $1 and state <> ${MessageState.waiting}`,
      },
      [since(KEPT_DAYS * 86_400_000)],
    )
    await run(tx, { sql: 'delete from charging.partner_token where enterprise_id = scope_enterprise() and expires_at < $1' }, [at])
  },
  { every: '40 18 * * *' },
)
