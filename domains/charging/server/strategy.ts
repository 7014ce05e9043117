import { randomUUID } from 'node:crypto'
import type { Call, Page } from '../../../platform/contract/call.ts'
import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { plainCard } from '../contract/card.ts'
import { flawOf } from '../contract/price.ts'
import {
  Strategy,
  strategy,
  StrategyPhase,
  type StrategyRow,
  strategySearch,
  StrategyStatus,
  StrategyUser,
  strategyUserSearch,
  UserKind,
} from '../contract/strategy.ts'
import './tables.ts'

const WrongPeriods = refusal('charging.wrong-periods', 41322, '时段不正确：{zh}', 'The periods are not valid: {en}', 422)
const Expired = refusal(
  'charging.price-expired',
  41338,
  '该价格表已失效，请刷新后重新选择',
  'This price table has expired: refresh and choose again',
  422,
)
const InThePast = refusal('charging.price-in-the-past', 41323, '生效时间不能早于现在', 'The effective time cannot be in the past', 422)
const TwoPrices = refusal(
  'charging.two-prices',
  41324,
  '充电站 {stationId} 在该时间已有另一张价格表；请改时间，或编辑那一张',
  'Station {stationId} already has another price table at that time: choose another time, or edit that table',
)
const NoPriceLeft = refusal(
  'charging.no-price-left',
  41325,
  '充电站 {stationId} 将没有价格，请先换上另一张价格表',
  'Station {stationId} would have no price: give it another price table first',
)
const NoSuchStation = refusal(
  'charging.no-such-station',
  41326,
  '没有充电站 {stationId}，请核对编号',
  'There is no station {stationId}: check its id',
  422,
)
const strategies = listOver(Strategy, 'charging.strategy', strategySearch)
const users = listOver(StrategyUser, 'charging.strategyUser', strategyUserSearch)
type Row = Of<typeof Strategy>
/** A price that begins at once was asked for a moment ago. */
const A_MOMENT_MS = 60_000

export const calls = serve(strategy, {
  query: async ({ tx, input, at }) => seenHere(tx, await page(tx, strategies, input), at),
  async detail({ tx, input, at }) {
    const found = await find(tx, strategies, input.id)
    if (!found) throw NotFound()
    return (await seenHere(tx, { records: [found], total: 1, totalExact: true }, at)).records[0]!
  },
  insert: ({ tx, input, actor, at }) => addPrices(tx, input, actor.userName, at),
  async del({ tx, input, at }) {
    const found = await lockRow(tx, strategies, input)
    if (found.status === StrategyStatus.draft) return removeRow(tx, strategies, found, at)
    if (found.status === StrategyStatus.stopped) throw IllegalMove({ status: found.status })
    const [used] = await run<{ stationId: string }>(tx, USED, [found.id, at])
    if (used) throw NoPriceLeft({ ...used })
    await setRow(tx, strategies, found, { status: StrategyStatus.stopped, effectiveTo: laterOf(found.effectiveFrom!, at) }, at)
  },
  queryUser: ({ tx, input }) => page(tx, users, input),
  async insertUser({ tx, input: { users: wanted, ...facts } }) {
    if (wanted.length === 0) throw BadInput({ zh: '请选择用户', en: 'choose users' })
    if (msOf(facts.validTo) <= msOf(facts.validFrom))
      throw BadInput({ zh: '有效期的结束时间须晚于开始时间', en: 'the end of the validity must be after its start' })
    const made: Of<typeof StrategyUser>[] = []
    for (const one of wanted) made.push(await addRow(tx, users, { ...facts, ...keyOf(one) } as never))
    return made
  },
  exportUser: exporting(strategy.exportUser, users),
  async delUser({ tx, input, at }) {
    await removeRow(tx, users, await lockRow(tx, users, input), at)
  },
})

type NewPrices = typeof strategy.insert extends Call<infer Input, infer _> ? Input : never
/** A new table or a new version of one. @throws WrongPeriods, InThePast, TwoPrices */
export async function addPrices(
  tx: Tx,
  { id, effectiveFrom, publish = false, stationIds, periods, ...facts }: NewPrices,
  byName: string,
  at: Instant,
): Promise<Row> {
  const flaw = flawOf(periods)
  if (flaw) throw WrongPeriods(flaw)
  const from = effectiveFrom && msOf(effectiveFrom) > msOf(at) ? effectiveFrom : at
  if (effectiveFrom && msOf(effectiveFrom) < msOf(at) - A_MOMENT_MS) throw InThePast()
  const before = id ? await lockRow(tx, strategies, { id }) : undefined
  const wanted = stationIds ?? (before ? await heldAt(tx, before, at) : [])
  const made = await addRow(tx, strategies, {
    ...(before && {
      idleGraceMin: before.idleGraceMin,
      occupyFenPerMin: before.occupyFenPerMin,
      occupyCapFen: before.occupyCapFen,
      quietFrom: before.quietFrom,
      quietTo: before.quietTo,
    }),
    ...facts,
    tableId: before?.tableId ?? randomUUID(),
    versionNo: before ? await nextVersion(tx, before.tableId) : 1,
    periods: json(periods),
    stationIds: json(wanted),
    effectiveFrom: publish ? from : (effectiveFrom ?? null),
    status: publish ? StrategyStatus.published : StrategyStatus.draft,
    publishedName: publish ? byName : null,
  })
  if (made.occupyFenPerMin > 0 && made.occupyCapFen < made.occupyFenPerMin)
    throw BadInput({ zh: '占位费封顶不能低于每分钟的占位费', en: 'the occupancy cap cannot be below the fee per minute' })
  if (publish) {
    if (before) await endEarlier(tx, { tableId: before.tableId, madeId: made.id, wanted, from }, at)
    await putInForce(tx, made.id, wanted, from)
  }
  return made
}
/** A table may hold at stations of parks that whoever asks knows nothing of: theirs are left out. */
async function seenHere(tx: Tx, found: Page<Row>, at: Instant): Promise<Page<Of<typeof StrategyRow>>> {
  const rows = await run<{ stationId: string }>(tx, { sql: 'select station_id from charging.station where enterprise_id = scope_enterprise()' }, [])
  const seen = new Set(rows.map(({ stationId }) => stationId))
  const records: Of<typeof StrategyRow>[] = []
  for (const one of found.records)
    records.push({ ...one, phase: phaseOf(one, at), stationIds: (await heldAt(tx, one, at)).filter((id) => seen.has(id)) })
  return { ...found, records }
}
function phaseOf({ status, effectiveFrom, effectiveTo }: Row, at: Instant): Of<typeof StrategyRow>['phase'] {
  if (status === StrategyStatus.draft) return StrategyPhase.draft
  if (status === StrategyStatus.stopped) return StrategyPhase.stopped
  if (effectiveFrom !== null && msOf(effectiveFrom) > msOf(at)) return StrategyPhase.coming
  return effectiveTo !== null && msOf(effectiveTo) <= msOf(at) ? StrategyPhase.over : StrategyPhase.now
}
/** The stations of a table: of one that is in force those that have it now, as some were given it, or another one, since it was published. */
async function heldAt(tx: Tx, { id, status, effectiveTo, stationIds }: Row, at: Instant): Promise<string[]> {
  if (status !== StrategyStatus.published || effectiveTo !== null) return stationIds
  return (await run<{ stationId: string }>(tx, { sql: HELD }, [id, at])).map(({ stationId }) => stationId)
}
const HELD = `select station_id from charging.station_price where enterprise_id = scope_enterprise() and strategy_id = $1 and (to_at is null or to_at > $2) order by station_id`
const laterOf = (a: Instant, b: Instant): Instant => instantAt(Math.max(msOf(a), msOf(b)))
const USED = {
  sql: 'select station_id from charging.station_price where enterprise_id = scope_enterprise() and strategy_id = $1 and (to_at is null or to_at > $2) limit 1',
}
const nextVersion = async (tx: Tx, tableId: string): Promise<number> =>
  (
    await run<{ no: number }>(
      tx,
      { sql: 'select max(version_no) + 1 as no from charging.strategy where enterprise_id = scope_enterprise() and table_id = $1' },
      [tableId],
    )
  )[0]!.no

type User = { ownerId?: string; phone?: string; plateNo?: string; cardNo?: string; groupId?: string }
function keyOf({ ownerId, phone, plateNo, cardNo, groupId }: User): { userKind: number; userKey: string } {
  if (ownerId) return { userKind: UserKind.owner, userKey: ownerId }
  if (phone) return { userKind: UserKind.phone, userKey: phone }
  if (plateNo) return { userKind: UserKind.plate, userKey: ordinaryPlate(plateNo) }
  if (cardNo) return { userKind: UserKind.card, userKey: plainCard(cardNo) }
  if (groupId) return { userKind: UserKind.group, userKey: groupId }
  throw BadInput({ zh: '每个用户应有车主、手机号、车牌、充电卡或分组', en: 'each user needs an owner, phone, plate, card or group' })
}

interface Begins {
  tableId: string
  madeId: string
  wanted: readonly string[]
  from: Instant
}
/** The versions of a table that were in force end where the new one begins, at all their stations. @throws NoPriceLeft where it is not to hold at one of them */
async function endEarlier(tx: Tx, { tableId, madeId, wanted, from }: Begins, at: Instant): Promise<void> {
  const rows = await run<{ id: Id<'ChargingStrategyId'> }>(
    tx,
    {
      sql: `select id from charging.strategy where enterprise_id = scope_enterprise() and table_id = $1 and id <> $2 and status = ${StrategyStatus.published} and (effective_to is null or effective_to > $3) for update`,
    },
    [tableId, madeId, from],
  )
  for (const { id } of rows) {
    const found: Row = await lockRow(tx, strategies, { id })
    const [lost] = await run<{ stationId: string }>(tx, { sql: LEFT_OUT }, [id, from, wanted])
    if (lost) throw NoPriceLeft({ ...lost })
    await run(tx, CUT, [id, from])
    await setRow(tx, strategies, found, { effectiveTo: laterOf(found.effectiveFrom!, from) }, at)
  }
}
const LEFT_OUT = `select station_id from charging.station_price where enterprise_id = scope_enterprise() and strategy_id = $1 and (to_at is null or to_at > $2) and station_id <> all($3::text[])
  order by station_id limit 1`
const CUT = {
  sql: 'update charging.station_price set to_at = greatest(from_at, $2) where enterprise_id = scope_enterprise() and strategy_id = $1 and (to_at is null or to_at > $2)',
}

/** From a moment on these stations have this price. @throws NoSuchStation, TwoPrices */
async function putInForce(tx: Tx, strategyId: string, stationIds: readonly string[], from: Instant): Promise<void> {
  for (const stationId of new Set(stationIds)) {
    const [station] = await run<{ parkCode: string }>(
      tx,
      { sql: 'select park_code from charging.station where enterprise_id = scope_enterprise() and station_id = $1 for update' },
      [stationId],
    )
    if (!station) throw NoSuchStation({ stationId })
    const [other] = await run(tx, OTHER, [stationId, from])
    if (other) throw TwoPrices({ stationId })
    await run(tx, { sql: 'insert into charging.station_price (station_id, park_code, strategy_id, from_at) values ($1, $2, $3, $4)' }, [
      stationId,
      station.parkCode,
      strategyId,
      from,
    ])
  }
}
const OTHER = {
  sql: 'select 1 from charging.station_price where enterprise_id = scope_enterprise() and station_id = $1 and tstzrange(from_at, to_at) && tstzrange($2, null) limit 1',
}

/** A station changes to a published table: the one it had ends now. */
export async function giveStations(tx: Tx, strategyId: Id<'ChargingStrategyId'>, stationIds: readonly string[], at: Instant): Promise<void> {
  const found = await lockRow(tx, strategies, { id: strategyId })
  if (found.status !== StrategyStatus.published) throw IllegalMove({ status: found.status })
  if (found.effectiveTo !== null && msOf(found.effectiveTo) <= msOf(at)) throw Expired()
  const from = laterOf(found.effectiveFrom!, at)
  for (const stationId of stationIds) {
    const [same] = await run(
      tx,
      {
        sql: 'select 1 from charging.station_price where enterprise_id = scope_enterprise() and station_id = $1 and strategy_id = $2 and (to_at is null or to_at > $3)',
      },
      [stationId, strategyId, at],
    )
    if (same) continue
    await run(
      tx,
      {
        sql: 'update charging.station_price set to_at = greatest(from_at, $2) where enterprise_id = scope_enterprise() and station_id = $1 and (to_at is null or to_at > $2)',
      },
      [stationId, from],
    )
    await putInForce(tx, strategyId, [stationId], from)
  }
}
