import type { Instant } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { AlarmState } from '../contract/alarm.ts'
import { BoxUse, TrendUnit } from '../contract/box.ts'
import { trend } from './energy.ts'
import { nightOf, noonOf } from './night.ts'
import { type Known, statusOf } from './status.ts'
import { Relay } from '../contract/wiring.ts'

/** A district's lamps in six figures. Of the lamps that are due to be lit now, and of which it is known, so many are: by day it is told of none. */
export async function summary(tx: Tx, regionCode: string, at: Instant) {
  const [now] = await run<Figures>(tx, { sql: FIGURES }, [regionCode])
  const from = noonOf(nightOf(msOf(at))) - DAY_MS
  const night = await trend(
    tx,
    { ...(regionCode && { regionCode }), unit: TrendUnit.hour, timeFrom: instantAt(from), timeTo: instantAt(from + DAY_MS) },
    at,
  )
  const { circuits, boxes, online, lamps, alarms } = now!
  const { due, lit } = await litNow(tx, regionCode, at)
  return {
    ...{ circuits, lamps, openAlarms: alarms },
    litPermille: permilleOf(lit, due),
    ...{ boxes, boxesOnline: online, onlinePermille: permilleOf(online, boxes) },
    lastNightWh: night.points.some(({ wh }) => wh !== null) ? night.totalWh : null,
    savedRate: night.savedRate,
  }
}
interface Figures {
  circuits: number
  lamps: number
  boxes: number
  online: number
  alarms: number
}
const FIGURES = `with l as (select * from lamp.wiring_line where enterprise_id = scope_enterprise() and coalesce(region_code, '') ^@ platform.region_prefix($1)),
    b as (select * from lamp.box_line where enterprise_id = scope_enterprise() and coalesce(region_code, '') ^@ platform.region_prefix($1) and use_state = ${BoxUse.inUse})
  select (select count(*) from l)::int as circuits, (select coalesce(sum(lamp_count), 0) from l)::int as lamps, (select count(*) from b)::int as boxes, (select count(*) from b where online)::int as online,
    (select count(*) from lamp.alarm a where a.enterprise_id = scope_enterprise() and a.recovered_at is null and a.state = ${AlarmState.raised} and exists (select from lamp.box x where x.enterprise_id = a.enterprise_id and x.box_code = a.box_code and coalesce(x.region_code, '') ^@ platform.region_prefix($1)))::int as alarms`

/** Circuits are asked about in such parts: others have their turn between them. */
const AT_ONCE = 500
async function litNow(tx: Tx, regionCode: string, at: Instant): Promise<{ due: number; lit: number }> {
  const rows = await run<Known>(tx, { sql: ONLINE }, [regionCode])
  const sum = { due: 0, lit: 0 }
  for (let from = 0; from < rows.length; from += AT_ONCE)
    for (const { stale, relayWanted, lampCount, lampsLit } of await statusOf(tx, rows.slice(from, from + AT_ONCE), at)) {
      if (stale || relayWanted !== Relay.on || lampsLit === null) continue
      sum.due += lampCount
      sum.lit += lampsLit
    }
  return sum
}
const ONLINE =
  "select * from lamp.wiring_line where enterprise_id = scope_enterprise() and online and coalesce(region_code, '') ^@ platform.region_prefix($1) order by box_code, circuit_no"
