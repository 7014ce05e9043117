import type { Instant } from '../../../../platform/contract/field.ts'
import { dayOf, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { House } from '../../../../platform/server/domain.ts'
import type { ChannelInside } from '../channel.ts'
import { insideOf } from '../channel.ts'
import { ignoresQuiet, quietUntil, ruleOf, type Rule } from '../rule.ts'
import type { RecordInside } from '../tables.ts'
import type { Of } from '../../../../platform/contract/field.ts'
import type { MessageRecord } from '../../contract/record.ts'
import { SendState, AttemptOutcome, WaitsFor } from '../../contract/record.ts'
import { MessageKind } from '../../contract/template.ts'
import { finish, type Ended } from './finish.ts'
import { sendBy } from './provider.ts'
import { Said } from '../../contract/said.ts'

/** One look takes at most this many of a channel: they are under way at once. */
const BATCH = 20
const CHANNELS_MAX = 50
/** A message taken by a process that was killed is free again after this time, well beyond the time that a provider has. */
const LEASE_MS = 60_000
const SECOND_MS = 1_000

export type RecordRow = Of<typeof MessageRecord> & RecordInside
export interface Taken {
  record: RecordRow
  channel: ChannelInside
  attemptId: string
  key: string
}

/**
 * Brings out what is due at `at`: takes it, lets the providers have it with no transaction open, writes down what they said. A message taken by a process that is gone is
 * taken again after its lease, under the same key, so that the provider sends it once.
 * @returns how many were tried or settled; 0 when nothing is due or every channel is at its rate
 */
export async function deliver(house: House, enterprise: number, at: Instant): Promise<number> {
  const { taken, settled } = await house.writing(enterprise, 'message.deliver', (tx) => take(tx, at))
  if (taken.length === 0) return settled
  const ended = await Promise.all(
    taken.map(async ({ record, channel, attemptId, key }): Promise<Ended> => {
      const { address, toName, kind, title, content, link, third } = record
      return { record, attemptId, said: await sendBy(channel, { key, address: address ?? '', toName, kind, title, content, link, third, at }) }
    }),
  )
  await house.writing(enterprise, 'message.deliver', (tx) => finish(tx, ended, at))
  return taken.length + settled
}

/** All that is due at `at`, to the end. */
export async function bringOut(house: House, enterprise: number, at: Instant): Promise<void> {
  while ((await deliver(house, enterprise, at)) > 0);
}

/** When the next message is due, or when its channel lets it out. */
export async function nextDue(tx: Tx, at: Instant): Promise<Instant | undefined> {
  const [row] = await run<{ next: Instant | null }>(
    tx,
    {
      sql: `select greatest(min(r.next_at), $1::timestamptz + interval '200 milliseconds') as next from message.record r where r.enterprise_id = scope_enterprise() and r.send_state in (${SendState.waiting}, ${SendState.sending})`,
    },
    [at],
  )
  return row?.next ?? undefined
}

async function take(tx: Tx, at: Instant): Promise<{ taken: Taken[]; settled: number }> {
  const due = await run<{ channelId: string }>(
    tx,
    {
      sql: `select distinct channel_id from message.record where enterprise_id = scope_enterprise() and send_state in (${SendState.waiting}, ${SendState.sending}) and next_at <= $1 limit ${CHANNELS_MAX}`,
    },
    [at],
  )
  if (due.length === 0) return { taken: [], settled: 0 }
  const rule = await ruleOf(tx)
  const taken: Taken[] = []
  let settled = 0
  for (const { channelId } of due) {
    const one = await takeOf(tx, channelId, rule, at)
    taken.push(...one.taken)
    settled += one.settled
  }
  return { taken, settled }
}

/** Of one channel, as many as its rate lets out within this second. Another process that has the channel in hand is left to it. */
async function takeOf(tx: Tx, channelId: string, rule: Rule, at: Instant): Promise<{ taken: Taken[]; settled: number }> {
  const [free] = await run<{ freeAt: string }>(
    tx,
    {
      sql: `select greatest(free_at, $2::timestamptz) as free_at from message.channel where enterprise_id = scope_enterprise() and id = $1 for update skip locked`,
    },
    [channelId, at],
  )
  if (!free) return { taken: [], settled: 0 }
  const channel = await insideOf(tx, channelId)
  const held = await holdOvernight(tx, channel, rule, at)
  const step = SECOND_MS / channel.ratePerSec
  const room = Math.min(BATCH, Math.floor((msOf(at) + SECOND_MS - msOf(free.freeAt as Instant)) / step))
  if (room <= 0) return { taken: [], settled: held }
  const rows = await run<RecordRow>(tx, { sql: TAKE }, [channelId, at, room, instantAt(msOf(at) + LEASE_MS)])
  const within = await withinCaps(tx, rows, channel, rule, at)
  const freeAt = instantAt(msOf(free.freeAt as Instant) + Math.ceil(within.length * step))
  await run(tx, { sql: 'update message.channel set free_at = $2 where enterprise_id = scope_enterprise() and id = $1' }, [channelId, freeAt])
  const taken = await Promise.all(within.map((record) => begin(tx, record, channel, at)))
  return { taken, settled: held + rows.length - within.length }
}
// `array(...)`: a sub-query in `in (...)` may be run again for every row, and then its limit is none.
const TAKE = `update message.record set send_state = ${SendState.sending}, next_at = $4, waits = null, updated_at = $2 where enterprise_id = scope_enterprise() and id = any (array (
    select id from message.record where enterprise_id = scope_enterprise() and channel_id = $1 and send_state in (${SendState.waiting}, ${SendState.sending}) and next_at <= $2 order by urgent desc, next_at, id limit $3 for update skip locked))
  returning *`

/** Puts off messages due in the quiet hours until their end. */
async function holdOvernight(tx: Tx, { id, type }: ChannelInside, rule: Rule, at: Instant): Promise<number> {
  const until = quietUntil(rule, at)
  if (!until || ignoresQuiet({ channelType: type, kind: MessageKind.notice, urgent: false })) return 0
  const held = await run<{ id: string }>(
    tx,
    {
      sql: `update message.record set next_at = $3, waits = ${WaitsFor.quietHours}, updated_at = $2 where enterprise_id = scope_enterprise() and channel_id = $1 and send_state = ${SendState.waiting} and next_at <= $2 and not urgent and kind <> ${MessageKind.code}
        returning id`,
    },
    [id, at, until],
  )
  return held.length
}

/** Counts messages that leave for the first time; one over a cap ends here. One that was counted before (a retry, a lost try) is not counted again. */
async function withinCaps(tx: Tx, rows: readonly RecordRow[], channel: ChannelInside, rule: Rule, at: Instant): Promise<RecordRow[]> {
  const within: RecordRow[] = []
  const day = dayOf(at)
  for (const record of rows) {
    const [tried] = await run<{ yes: boolean }>(
      tx,
      { sql: 'select exists (select from message.attempt where enterprise_id = scope_enterprise() and record_id = $1 and key = $2) as yes' },
      [record.id, keyOf(record)],
    )
    const over = tried!.yes ? undefined : await overCap(tx, record, channel, rule, day)
    if (!over) within.push(record)
    else
      await run(
        tx,
        {
          sql: `update message.record set send_state = ${SendState.overCap}, next_at = null, finished_at = $2, error = $3, updated_at = $2 where enterprise_id = scope_enterprise() and id = $1`,
        },
        [record.id, at, over],
      )
  }
  return within
}
async function overCap(tx: Tx, record: RecordRow, channel: ChannelInside, rule: Rule, day: string): Promise<string | undefined> {
  if (!(await countUp(tx, `channel:${channel.id}`, day, channel.dayCap))) return Said.channelCap({ cap: channel.dayCap })
  if (!(await countUp(tx, 'enterprise', day, rule.enterpriseDayCap))) return Said.enterpriseCap({ cap: rule.enterpriseDayCap })
  if (!(await countUp(tx, `to:${channel.type}:${record.address}`, day, rule.recipientDayCap))) return Said.recipientCap({ cap: rule.recipientDayCap })
  return undefined
}
/** One guarded statement: two hundred at once cannot pass a cap of ten. */
async function countUp(tx: Tx, of: string, day: string, cap: number): Promise<boolean> {
  const sql = `insert into message.counter as c (of, day, n) values ($1, $2, 1) on conflict (enterprise_id, of, day) do update set n = c.n + 1 where c.n < $3 returning n`
  return (await run(tx, { sql }, [of, day, cap])).length > 0
}

const keyOf = ({ id, round, backup }: RecordRow) => `${id}.${round}${backup ? '.b' : ''}`
async function begin(tx: Tx, record: RecordRow, channel: ChannelInside, at: Instant): Promise<Taken> {
  const key = keyOf(record)
  // One that was under way when its process died: nobody knows whether it arrived.
  await run(
    tx,
    {
      sql: `update message.attempt set outcome = ${AttemptOutcome.unknown}, ended_at = $2, answer = '${Said.interrupted}' where enterprise_id = scope_enterprise() and record_id = $1 and outcome = ${AttemptOutcome.running}`,
    },
    [record.id, at],
  )
  const [attempt] = await run<{ id: string }>(
    tx,
    { sql: 'insert into message.attempt (record_id, channel_id, channel_name, key, backup, at) values ($1, $2, $3, $4, $5, $6) returning id' },
    [record.id, channel.id, channel.name, key, record.backup, at],
  )
  return { record, channel, attemptId: attempt!.id, key }
}
