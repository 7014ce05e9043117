import type { Instant, Of } from '../../../platform/contract/field.ts'
import { paired } from '../../../platform/contract/said.ts'
import { dayOf, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Activity, activity, activityCan, activityGives, ActivityKind, ActivityRow, activitySearch, ActivityState } from '../contract/activity.ts'
import './tables.ts'

const Backwards = refusal(
  'charging.activity-backwards',
  41370,
  '结束时间须晚于开始时间，且不能早于现在',
  'The end must be after the start and not in the past',
  422,
)
const BadShare = refusal(
  'charging.activity-share',
  41371,
  '服务费折扣的实付比例应低于 100%',
  'The share of the service fee still paid must be below 100%',
  422,
)
const NeedsThreshold = refusal(
  'charging.activity-threshold',
  41372,
  '满减活动须填写门槛金额，其他活动不填',
  'Only an amount off above a minimum names that minimum',
  422,
)
const NothingOff = refusal('charging.activity-nothing', 41373, '优惠值须大于 0', 'The discount must be greater than 0', 422)
const NoStation = refusal(
  'charging.activity-station',
  41374,
  '充电站 {stationId} 不存在，请核对编号',
  'There is no station {stationId}: check its id',
  422,
)

const shown = listOver(Activity, 'charging.activityShown', activitySearch)
const activities = listOver(ActivityRow, 'charging.activity', activitySearch)
type Row = Of<typeof Activity>

export const calls = serve(activity, {
  query: ({ tx, input }) => page(tx, shown, input),
  export: exporting(activity.export, { list: shown, told: (row: Row) => ({ ...row, gives: paired(activityGives(row)) }) }),
  async add({ tx, input, at }) {
    refuseOdd(input, at)
    await refuseUnknownStations(tx, input.stationIds ?? [])
    const { id } = await addRow(tx, activities, input)
    return (await find(tx, shown, id))!
  },
  async updateState({ tx, input, at }) {
    const found = await lockRow(tx, activities, input)
    const { state } = (await find(tx, shown, input.id))!
    const stopped = input.state === ActivityState.stopped
    const next = stopped ? activityCan.stop(state) : input.state === ActivityState.notYet ? activityCan.resume(state) : undefined
    if (next === undefined || (!stopped && msOf(found.endAt) <= msOf(at))) throw IllegalMove({ state })
    await setRow(tx, activities, found, { stopped }, at)
    return (await find(tx, shown, input.id))!
  },
})

function refuseOdd({ kind, value, thresholdFen, startAt, endAt }: Of<typeof activity.add.input>, at: Instant) {
  if (msOf(endAt) <= msOf(startAt) || msOf(endAt) <= msOf(at)) throw Backwards()
  if (kind === ActivityKind.serviceRate && value >= 1000) throw BadShare()
  if (kind !== ActivityKind.serviceRate && value === 0) throw NothingOff()
  if ((kind === ActivityKind.threshold) !== (thresholdFen !== undefined && thresholdFen !== null)) throw NeedsThreshold()
}
export async function refuseUnknownStations(tx: Tx, stationIds: readonly string[]): Promise<void> {
  if (stationIds.length === 0) return
  const known = await run<{ stationId: string }>(tx, { sql: KNOWN }, [stationIds])
  const missing = stationIds.find((one) => !known.some(({ stationId }) => stationId === one))
  if (missing !== undefined) throw NoStation({ stationId: missing })
}
const KNOWN = 'select station_id from charging.station where enterprise_id = scope_enterprise() and station_id = any($1)'

/** A charge that may take part: where, how it was started, and whose it is. */
export interface Charged {
  stationId: string
  startMode: number
  /** Whoever charges: an owner who is signed in, or a card. Nobody known takes part in nothing that is counted per person. */
  userKey: string | null
  at: Instant
}
export type OpenActivity = Pick<Row, 'id' | 'name' | 'kind' | 'value' | 'thresholdFen' | 'maxDiscountFen' | 'createdAt'>
/** The promotions that are open to a charge when it begins, oldest first. What is counted per person is counted again when it is taken. */
export const activitiesFor = (tx: Tx, { stationId, startMode, userKey, at }: Charged): Promise<OpenActivity[]> =>
  run(tx, { sql: OPEN_TO }, [stationId, startMode, userKey, at, dayOf(at)])
/** $3 is who charges, $5 the day of the city. */
const mayTake = (user: string, day: string) => `(a.per_user_times is null or a.per_user_times > (select count(*) from charging.activity_use u
      where u.enterprise_id = a.enterprise_id and u.activity_id = a.id and u.user_key = ${user}))
    and (a.per_day_times is null or a.per_day_times > (select count(*) from charging.activity_use u
      where u.enterprise_id = a.enterprise_id and u.activity_id = a.id and u.user_key = ${user} and u.day = ${day}::date))`
const isFirst = (user: string, orderNo: string) => `(a.kind <> ${ActivityKind.first} or not exists (select from charging.charge c
      where c.enterprise_id = a.enterprise_id and coalesce(c.owner_id, c.card_no, c.plate_no) = ${user} and c.final_at is not null and c.order_no <> ${orderNo}))`
const OPEN_TO = `select a.id, a.name, a.kind, a.value, a.threshold_fen, a.max_discount_fen, a.created_at from charging.activity a
  where a.enterprise_id = scope_enterprise() and not a.stopped and a.start_at <= $4 and $4 < a.end_at
    and (cardinality(a.station_ids) = 0 or $1 = any(a.station_ids)) and (cardinality(a.start_modes) = 0 or $2::smallint = any(a.start_modes))
    and (a.budget_fen is null or a.used_fen < a.budget_fen)
    and ($3::text is not null or (a.kind <> ${ActivityKind.first} and a.per_user_times is null and a.per_day_times is null))
    and ${mayTake('$3', '$5')} and ${isFirst('$3', "''")} order by a.created_at, a.id`

/** Takes from the budget what a bill gives: all of it, or, where too little is left, nothing. */
export async function takeActivity(
  tx: Tx,
  {
    activityId,
    orderNo,
    userKey,
    discountFen,
    at,
  }: { activityId: string; orderNo: string; userKey: string | null; discountFen: number; at: Instant },
): Promise<boolean> {
  // Held before it is looked at: of two bills that would take the last of a budget, or a person's last time, one gets it.
  await run(tx, { sql: HOLD }, [activityId])
  const [taken] = await run(tx, { sql: TAKE }, [activityId, discountFen, userKey, orderNo, dayOf(at)])
  if (!taken) return false
  await run(tx, { sql: USED }, [activityId, orderNo, userKey ?? '', dayOf(at), discountFen, at])
  return true
}
const HOLD = 'select id from charging.activity where enterprise_id = scope_enterprise() and id = $1 for update'
const TAKE = `update charging.activity a set used_fen = used_fen + $2, used_times = used_times + 1, version = version + 1
  where a.enterprise_id = scope_enterprise() and a.id = $1 and (a.budget_fen is null or a.used_fen + $2 <= a.budget_fen) and ${mayTake('$3', '$5')} and ${isFirst('$3', '$4')} returning id`
const USED = 'insert into charging.activity_use (activity_id, order_no, user_key, day, discount_fen, at) values ($1, $2, $3, $4, $5, $6)'
