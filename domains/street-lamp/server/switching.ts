import { randomUUIDv7 } from 'node:crypto'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayBy, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { tell } from '../../../platform/server/realtime.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { CommandState } from '../../device/contract/command.ts'
import { BoxUse } from '../contract/box.ts'
import { type Batch, BOXES_UNASKED, Source, type wiring, WiringMode, WIRINGS_MAX, Why, Relay } from '../contract/wiring.ts'
import { dispatch, holdBoxes, lampTopic, type New, queue } from './command.ts'
import { nightOf, noonOf } from './night.ts'
import { type Known, knownOf, programsFor, ruling } from './status.ts'
import { type Place, sunrise } from './sun.ts'

type Which = Pick<Of<typeof wiring.status.input>, 'wiringIds' | 'boxCodes' | 'regionCode'>
export interface Wish {
  relay: 0 | 1
  dim: number
}
/** The longest hold by hand; for longer a program is made. */
const HOLD_MAX_MS = 31 * DAY_MS
const WhichOne = refusal('lamp.which', 42212, '请选择回路、配电箱或区域中的一种', 'Choose one of circuits, boxes or regions', 422)
const TooManyCircuits = refusal('lamp.too-many', 42213, '一次最多 {max} 个回路，请缩小范围', 'At most {max} circuits at a time: choose fewer', 422)
const Confirm = refusal(
  'lamp.confirm',
  42214,
  '将操作 {boxes} 个配电箱，请输入 {boxes} 确认',
  'This switches {boxes:box|boxes}: type {boxes} to confirm',
  422,
)
const PastHold = refusal('lamp.hold', 42215, '保持时间应晚于现在，且不超过 31 天', 'The hold must end in the future, at most 31 days ahead', 422)

/** The circuits that are meant, by one of the three ways to say so. @throws WhichOne, TooManyCircuits */
export async function wiringsOf(tx: Tx, { wiringIds, boxCodes, regionCode }: Which): Promise<string[]> {
  if ([wiringIds, boxCodes, regionCode].filter((one) => one !== undefined).length !== 1) throw WhichOne()
  const rows = await run<{ id: string }>(tx, { sql: MEANT }, [wiringIds ?? null, boxCodes ?? null, regionCode ?? null])
  if (rows.length > WIRINGS_MAX) throw TooManyCircuits({ max: WIRINGS_MAX })
  return rows.map(({ id }) => id)
}
const MEANT = `select w.id from lamp.wiring w join lamp.box b on b.enterprise_id = w.enterprise_id and b.box_code = w.box_code where w.enterprise_id = scope_enterprise()
  and ($1::uuid[] is null or w.id = any($1)) and ($2::text[] is null or w.box_code = any($2)) and ($3::text is null or b.region_code ^@ platform.region_prefix($3)) order by w.box_code, w.circuit_no limit ${WIRINGS_MAX + 1}`

type Hand = Of<typeof wiring.batchUpdate.input>
/** The one switch. @throws WhichOne, TooManyCircuits, Confirm, PastHold */
export async function switchByHand(tx: Tx, input: Hand, actor: Actor, at: Instant): Promise<Of<typeof Batch>> {
  const { untilAt = null, reason = null } = input
  const wish = wishIn(input)
  if (untilAt !== null && (untilAt <= at || msOf(untilAt) > msOf(at) + HOLD_MAX_MS)) throw PastHold()
  const rows = await knownOf(tx, await wiringsOf(tx, input))
  if (rows.length === 0 || (input.wiringIds && rows.length < new Set(input.wiringIds).size)) throw NotFound()
  return switchAll(tx, { rows, wishFor: () => wish, untilAt, reason, source: Source.hand, confirm: input.confirm, actor }, at)
}
/** A dim says on or off by itself; on alone is full. */
function wishIn({ relay, dim }: Hand): Wish {
  if (relay === undefined && dim === undefined) throw BadInput({ zh: '请选择开、关或亮度', en: 'choose on, off or a dim level' })
  if (relay !== undefined && dim !== undefined && (relay === Relay.on) !== dim > 0)
    throw BadInput({ zh: '开合与亮度矛盾', en: 'relay and dim level contradict each other' })
  return { relay: relay ?? (dim! > 0 ? Relay.on : Relay.off), dim: dim ?? (relay === Relay.on ? 100 : 0) }
}

interface Batched {
  rows: readonly Known[]
  wishFor: (row: Known) => Wish
  untilAt: Instant | null
  reason: string | null
  source: New['source']
  confirm: number | undefined
  actor: Pick<Actor, 'userId' | 'userName'>
}
/** Writes down what is wanted of each circuit and sends what can be sent; each answers for itself. */
export async function switchAll(tx: Tx, { rows, wishFor, untilAt, reason, source, confirm, actor }: Batched, at: Instant): Promise<Of<typeof Batch>> {
  const batchId = randomUUIDv7()
  const boxCodes = [...new Set(rows.map(({ boxCode }) => boxCode))].sort()
  if (boxCodes.length > BOXES_UNASKED && confirm !== boxCodes.length) throw Confirm({ boxes: boxCodes.length })
  await holdBoxes(tx, boxCodes)
  const without = await withoutController(tx, boxCodes)
  const skipped = new Map(rows.flatMap((row) => (skip(row, without) ? [[row.id as string, skip(row, without)!]] : [])))
  const meant = rows.filter(({ id }) => !skipped.has(id))
  const rules = ruling(await programsFor(tx, meant, at))
  const wishes = meant.map((row): New => {
    const holds = untilAt ?? (row.mode === WiringMode.automatic ? earlier(rules.wanted(row, msOf(at))?.nextEventAt ?? null, morning(row, at)) : null)
    const { wiringCode, boxCode, circuitNo } = row
    return {
      ...{ batchId: batchId, wiringId: row.id, wiringCode, boxCode, circuitNo, source, ...wishFor(row), untilAt: holds, reason },
      ...{ expiresAt: earlier(holds, endOfNight(at)), actorId: actor.userId, actorName: actor.userName },
    }
  })
  const made = new Map((await queue(tx, wishes, at)).map(({ id, wiringId }) => [wiringId, id]))
  await run(tx, { sql: HOLD }, [JSON.stringify(wishes)])
  await dispatch(tx, [...new Set(meant.map(({ boxCode }) => boxCode))], at)
  await tell(tx, lampTopic, { ids: boxCodes })
  const states = await run<{ wiringId: string; cmdState: number }>(tx, { sql: STATES }, [batchId])
  const stateOf = new Map(states.map(({ wiringId, cmdState }) => [wiringId, cmdState]))
  const targets = rows.map((row) => {
    const cmdState = stateOf.get(row.id) ?? null
    const why = skipped.get(row.id) ?? (cmdState === CommandState.queued ? (row.online ? Why.next : Why.waits) : null)
    return { wiringId: row.id, wiringCode: row.wiringCode, commandId: made.get(row.id) ?? null, cmdState, why, taggedName: row.taggedName }
  })
  return { batchId, targets } as Of<typeof Batch>
}
const skip = ({ mode, boxUseState, boxCode }: Known, without: ReadonlySet<string>) =>
  mode === WiringMode.tagged ? Why.tagged : boxUseState === BoxUse.disabled ? Why.boxDisabled : without.has(boxCode) ? Why.noBox : undefined
const withoutController = async (tx: Tx, boxCodes: readonly string[]) =>
  new Set((await run<{ boxCode: string }>(tx, { sql: WITHOUT }, [boxCodes])).map(({ boxCode }) => boxCode))
const WITHOUT = 'select box_code from lamp.box where enterprise_id = scope_enterprise() and box_code = any($1) and gateway_no is null'
const endOfNight = (at: Instant): Instant => instantAt(noonOf(nightOf(msOf(at))) + DAY_MS)
/** Returns the end of a hold without a given time: sunrise of this night, by day noon. */
function morning(place: Place, at: Instant): Instant {
  const up = sunrise(dayBy(nightOf(msOf(at)), 1), place)
  return up > msOf(at) ? instantAt(up) : endOfNight(at)
}
const earlier = (one: Instant | null, other: Instant): Instant => (one !== null && msOf(one) < msOf(other) ? one : other)
const HOLD = `update lamp.wiring_now n set override_relay = r.relay, override_dim = r.dim, override_until = r."untilAt", override_by = r.source, override_name = r."actorName", override_reason = r.reason
  from jsonb_to_recordset($1::jsonb) as r("wiringId" uuid, relay smallint, dim smallint, "untilAt" timestamptz, source smallint, "actorName" text, reason text) where n.enterprise_id = scope_enterprise() and n.wiring_id = r."wiringId"`
const STATES = 'select wiring_id, cmd_state from lamp.command where enterprise_id = scope_enterprise() and batch_id = $1'
