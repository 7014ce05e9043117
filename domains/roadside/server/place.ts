import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { UseStatus, type Park } from '../../parking/contract/park.ts'
import type { Berth } from '../contract/berth.ts'

/** A berth of the street with what its district says of all its stays. */
export interface Place {
  parkCode: string
  sectionCode: string
  seatCode: string
  berthNo: string
  chargeType: Of<typeof Berth>['chargeType']
  sectionName: string
  /** District, section and berth are all switched on. */
  inForce: boolean
  park: Pick<Of<typeof Park>, 'ruleBind' | 'noEntry' | 'noEntryFeeFen' | 'exitGraceMin' | 'plateFillMin' | 'billMaxFen' | 'overstayDays'>
}
type Row = Omit<Place, 'park'> & Place['park']

/** @throws NotFound for a berth that is not there, or is none of a street */
export async function placeOf(tx: Tx, { parkCode, seatCode }: { parkCode: string; seatCode: string }): Promise<Place> {
  const place = await placeIf(tx, { parkCode, seatCode })
  if (!place) throw NotFound({ parkCode, seatCode })
  return place
}
/** By its code, or by the number that is painted on it: devices know either. */
export async function placeIf(tx: Tx, { parkCode, seatCode }: { parkCode: string; seatCode: string }): Promise<Place | undefined> {
  return asPlace((await run<Row>(tx, PLACE, [parkCode, seatCode]))[0])
}
/** Of a stay: its berth may have been removed since, its code is never given again. @throws NotFound for one that is none of a street */
export async function placeOnceOf(tx: Tx, { parkCode, seatCode }: { parkCode: string; seatCode: string }): Promise<Place> {
  const place = asPlace((await run<Row>(tx, PLACE_ONCE, [parkCode, seatCode]))[0])
  if (!place) throw NotFound({ parkCode, seatCode })
  return place
}
function asPlace(row: Row | undefined): Place | undefined {
  if (!row) return undefined
  const { ruleBind, noEntry, noEntryFeeFen, exitGraceMin, plateFillMin, billMaxFen, overstayDays, ...place } = row
  return { ...place, park: { ruleBind, noEntry, noEntryFeeFen, exitGraceMin, plateFillMin, billMaxFen, overstayDays } }
}
const PLACES = `select b.park_code, b.section_code, b.seat_code, b.berth_no, b.charge_type, s.name as section_name,
      not b.deleted and b.status = ${UseStatus.inUse} and s.flag = ${UseStatus.inUse} and p.status = ${UseStatus.inUse} as in_force,
      p.rule_bind, p.no_entry, p.no_entry_fee_fen, p.exit_grace_min, p.plate_fill_min, p.bill_max_fen, p.overstay_days
    from roadside.berth b join roadside.section s on s.enterprise_id = b.enterprise_id and s.section_code = b.section_code
      join parking.park p on p.enterprise_id = b.enterprise_id and p.park_code = b.park_code
    where b.enterprise_id = scope_enterprise() and b.park_code = $1`
const PLACE = { sql: `${PLACES} and (b.seat_code = $2 or b.berth_no = $2) and not b.deleted order by b.seat_code <> $2 limit 1` }
const PLACE_ONCE = { sql: `${PLACES} and b.seat_code = $2` }
