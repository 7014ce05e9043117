import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { House } from '../../../platform/server/domain.ts'
import { addJob, longTask, type Task, task } from '../../../platform/server/jobs.ts'
import { MessageState, Way } from '../contract/platform.ts'
import { type Partner, partnerOf } from './partner.ts'
import { speak, type Spoken } from './partnerWire.ts'

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

/** What a partner told us, and what it got. */
export const heard = (
  tx: Tx,
  { platformId, name, ret, said, answer, connectorId = null, orderNo = null }: Omit<Letter, 'data'> & { ret: number; said: string; answer: string },
  at: Instant,
): Promise<unknown> =>
  run(tx, { sql: HEARD }, [
    ...[platformId, name, connectorId, orderNo, ret === 0 ? MessageState.done : MessageState.refused, ret],
    ...[said.slice(0, SAID_MAX), answer.slice(0, SAID_MAX), at],
  ])
const HEARD = `insert into charging.partner_message (platform_id, way, interface, connector_id, order_no, state, ret, said, answer, tries, done_at, created_at)
  values ($1, ${Way.incoming}, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9)`

let house: House | undefined
export const sendFrom = (one: House): void => void (house = one)

type Line = { platformId: string; line: string }
interface Waiting {
  id: string
  interface: string
  said: string
  tries: number
  nextAt: Instant
  version: number
}
/** The first letter of a line, and then the next; the wait for an answer holds no transaction. */
export const pushTask: Task<Line> = longTask<Line>('charging.push', async ({ enterprise, data: { platformId, line } }) => {
  for (let sent = 0; sent < TOGETHER_MAX; sent++) {
    const next = await house!.reading(enterprise, (tx) => firstOf(tx, platformId, line))
    if (!next) return
    const now = Date.now()
    if (msOf(next.letter.nextAt) > now) return house!.writing(enterprise, pushTask.name, (tx) => later(tx, { platformId, line }, next.letter.nextAt))
    const spoken = next.partner ? await speak(next.partner, next.letter.interface, JSON.parse(next.letter.said) as object) : NOT_REACHABLE
    await house!.writing(enterprise, pushTask.name, (tx) => noted(tx, { platformId, line }, next.letter, spoken, instantAt(Date.now())))
  }
  await house!.writing(enterprise, pushTask.name, (tx) => later(tx, { platformId, line }, instantAt(Date.now())))
})
/** Another line's turn comes too. */
const TOGETHER_MAX = 50
const NOT_REACHABLE: Spoken = { ret: null, said: '对方地址或密钥未设置', data: undefined }
const later = (tx: Tx, { platformId, line }: Line, runAt: Instant) =>
  addJob(tx, pushTask, { platformId, line }, { runAt, key: keyOf(platformId, line) })

async function firstOf(tx: Tx, platformId: string, line: string): Promise<{ letter: Waiting; partner: Partner | undefined } | undefined> {
  const [letter] = await run<Waiting>(tx, { sql: FIRST }, [platformId, line])
  return letter && { letter, partner: await partnerOf(tx, platformId).catch(() => undefined) }
}
const FIRST = `select id, interface, said, tries, next_at, version from charging.partner_message
  where enterprise_id = scope_enterprise() and platform_id = $1 and line = $2 and state = ${MessageState.waiting} order by id limit 1`

/** Taken is taken, whatever they make of it: a business result is theirs to explain. Busy, refused and silent are tried again; so is what was written anew while it was on its way. */
async function noted(tx: Tx, line: Line, { id, tries, version }: Waiting, { ret, said }: Spoken, at: Instant): Promise<void> {
  const wait = AGAIN_S[tries]
  const state = ret === 0 ? MessageState.done : wait === undefined ? MessageState.dead : MessageState.waiting
  const nextAt = state === MessageState.waiting ? instantAt(msOf(at) + wait! * 1_000) : null
  await run(tx, { sql: NOTED }, [id, state, ret, said.slice(0, SAID_MAX), nextAt, state === MessageState.done ? at : null, version])
  if (nextAt) await later(tx, line, nextAt)
}
const NOTED = `update charging.partner_message set state = $2, ret = $3, answer = $4, next_at = $5, done_at = $6, tries = tries + 1, version = version + 1
  where enterprise_id = scope_enterprise() and id = $1 and version = $7 and state = ${MessageState.waiting}`

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
