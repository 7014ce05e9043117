import type { Instant, Of } from '../../../platform/contract/field.ts'
import { paired } from '../../../platform/contract/said.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import {
  ofPrice,
  PlatformReduce,
  platformReduce,
  reduceGives,
  reduceSearch,
  ReduceShown,
  ReduceStatus,
  ReduceType,
} from '../contract/platformReduce.ts'
import type { Period } from '../contract/strategy.ts'
import { refuseUnknownStations } from './activity.ts'
import { platforms } from './platform.ts'
import './tables.ts'

const Backwards = refusal('charging.reduce-backwards', 41380, '结束时间须晚于开始时间', 'The end must be after the start', 422)
const BadShare = refusal(
  'charging.reduce-share',
  41381,
  '服务费折扣的实付比例不能超过 100%',
  'The share of the service fee still paid cannot exceed 100%',
  422,
)
const ParkingOnly = refusal(
  'charging.reduce-own',
  41382,
  '本平台的优惠只能是停车优惠；充电优惠请用充电活动',
  'Our own platform offers parking discounts only; use promotions for charging discounts',
  422,
)
const NothingOff = refusal(
  'charging.reduce-nothing',
  41383,
  '停车减免的时长或金额须大于 0',
  'The parking minutes or amount must be greater than 0',
  422,
)
const NoPark = refusal('charging.reduce-park', 41384, '车场 {parkCode} 不存在，请核对编号', 'There is no car park {parkCode}: check its code', 422)
const RunsNow = refusal('charging.reduce-runs', 41385, '优惠正在使用，请先停用再删除', 'The discount is in use: stop it before you delete it')

const shown = listOver(ReduceShown, 'charging.platformReduceShown', reduceSearch)
const reduces = listOver(PlatformReduce, 'charging.platformReduce', reduceSearch)
type Row = Of<typeof PlatformReduce>

export const calls = serve(platformReduce, {
  getTableList: ({ tx, input }) => page(tx, shown, input),
  export: exporting(platformReduce.export, { list: shown, told: (row: Row) => ({ ...row, gives: paired(reduceGives(row)) }) }),
  async add({ tx, input }) {
    await refuseOdd(tx, input)
    return addRow(tx, reduces, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, reduces, { id, version })
    await refuseOdd(tx, { ...found, ...changes })
    return setRow(tx, reduces, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, reduces, input)
    if (found.status === ReduceStatus.inUse && msOf(found.startAt) <= msOf(at) && msOf(at) < msOf(found.endAt)) throw RunsNow()
    await removeRow(tx, reduces, found, at)
  },
})

type Asked = Pick<Row, 'platformId' | 'reduceType' | 'value' | 'startAt' | 'endAt'> & Partial<Pick<Row, 'stationIds' | 'parkCodes'>>
async function refuseOdd(tx: Tx, { platformId, reduceType, value, startAt, endAt, stationIds = [], parkCodes = [] }: Asked): Promise<void> {
  if (msOf(endAt) <= msOf(startAt)) throw Backwards()
  if (reduceType === ReduceType.serviceRate && value > 1000) throw BadShare()
  if ((reduceType === ReduceType.parkMinutes || reduceType === ReduceType.parkAmount) && value === 0) throw NothingOff()
  const platform = await find(tx, platforms, platformId)
  if (!platform) throw NotFound()
  if (platform.builtIn && ofPrice(reduceType)) throw ParkingOnly()
  await refuseUnknownStations(tx, stationIds)
  const sql = 'select park_code from parking.park where enterprise_id = scope_enterprise() and park_code = any($1)'
  const known = parkCodes.length === 0 ? [] : await run<{ parkCode: string }>(tx, { sql }, [parkCodes])
  const missing = parkCodes.find((one) => !known.some(({ parkCode }) => parkCode === one))
  if (missing !== undefined) throw NoPark({ parkCode: missing })
}

type Prices = Of<typeof Period>[]
/** What a partner's driver pays for the service: of two discounts the one that makes the whole day cheaper. Half a hundredth of a fen is rounded up, and nothing goes below nothing. */
export async function pricesFor(
  tx: Tx,
  { platformId, stationId, periods, at }: { platformId: string; stationId: string; periods: Prices; at: Instant },
): Promise<Prices> {
  const found = await run<Pick<Row, 'reduceType' | 'value'>>(tx, { sql: FOR_PARTNER }, [platformId, stationId, at])
  return found.map((one) => periods.map((period) => ({ ...period, servicePriceE4: lowered(period.servicePriceE4, one) }))).reduce(cheaper, periods)
}
const FOR_PARTNER = `select reduce_type, value from charging.platform_reduce where enterprise_id = scope_enterprise() and platform_id = $1 and reduce_type in (${ReduceType.serviceRate}, ${ReduceType.servicePrice})
  and status = ${ReduceStatus.inUse} and start_at <= $3 and $3 < end_at and (cardinality(station_ids) = 0 or $2 = any(station_ids)) order by created_at, id`
export const lowered = (servicePriceE4: number, { reduceType, value }: Pick<Row, 'reduceType' | 'value'>): number =>
  reduceType === ReduceType.serviceRate ? Math.floor((servicePriceE4 * value + 500) / 1000) : Math.max(0, servicePriceE4 - value)
const cheaper = (best: Prices, next: Prices): Prices => (dayPrice(next) < dayPrice(best) ? next : best)
const dayPrice = (periods: Prices): number =>
  periods.reduce((sum, { from, to, servicePriceE4 }) => sum + servicePriceE4 * (minuteOf(to) - minuteOf(from)), 0)
const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
