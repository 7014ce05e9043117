import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, setRow } from '../../../platform/server/row.ts'
import { parkOf } from '../../parking/server/api.ts'
import { Berth, berthSearch } from '../contract/berth.ts'
import { berthTopic } from './questions.ts'
import { sectionOf } from './section.ts'
import './tables.ts'

const NoSection = refusal(
  'roadside.berth-nowhere',
  41102,
  '路内泊位须指定路段，停车场车位须指定区域',
  'A roadside berth needs a section; a bay in a car park needs an area',
  422,
)
const OtherDistrict = refusal(
  'roadside.other-district',
  41103,
  '路段「{sectionCode}」不属于该片区，请选择该片区的路段',
  'Section “{sectionCode}” does not belong to this district: choose one of its sections',
  422,
)
const CodeTaken = refusal(
  'roadside.berth-code-taken',
  41104,
  '泊位编号「{seatCode}」已用过，编号不可重复使用；请换一个编号',
  'Berth code “{seatCode}” has been used before; codes cannot be reused: choose another one',
)
const Overlaps = refusal(
  'roadside.berths-overlap',
  41105,
  '与泊位「{seatCode}」相距不足 2 米，请核对经纬度',
  'It is less than 2 m from berth “{seatCode}”: check the longitude and latitude',
  422,
)
export const berths = listOver(Berth, 'roadside.berth', berthSearch, { marked: true })
export type BerthRow = Of<typeof Berth>
export type NewBerth = Pick<BerthRow, 'parkCode' | 'seatCode' | 'berthNo'> & Partial<BerthRow>

/** Adds a berth by the rules that hold for every way of adding one. */
export async function addBerth(tx: Tx, wanted: NewBerth): Promise<BerthRow> {
  await parkOf(tx, wanted.parkCode)
  if (!wanted.sectionCode === !wanted.areaCode) throw NoSection()
  if (wanted.sectionCode && (await sectionOf(tx, wanted.sectionCode)).parkCode !== wanted.parkCode)
    throw OtherDistrict({ sectionCode: wanted.sectionCode })
  const [taken] = await run<object>(
    tx,
    { sql: 'select 1 from roadside.berth where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2' },
    [wanted.parkCode, wanted.seatCode],
  )
  if (taken) throw CodeTaken({ seatCode: wanted.seatCode })
  await refuseOverlap(tx, wanted)
  return addRow(tx, berths, wanted)
}
export async function setBerth(tx: Tx, found: BerthRow, changes: Partial<BerthRow>, at: Instant): Promise<BerthRow> {
  const [row] = await Promise.all([setRow(tx, berths, found, changes, at), tell(tx, berthTopic, { park: found.parkCode, ids: [found.seatCode] })])
  return row
}

/** Two berths on one spot would both be paid for one car. Looked at by one transaction of a park at a time. */
export async function refuseOverlap(tx: Tx, { parkCode, seatCode, lng, lat }: NewBerth): Promise<void> {
  if (lng == null || lat == null) return
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`berths ${parkCode}`])
  const [near] = await run<{ seatCode: string }>(tx, NEAR, [parkCode, seatCode, lng, lat, APART_M])
  if (near) throw Overlaps(near)
}
const APART_M = 2
/** A degree of latitude is 111,320 m, one of longitude as much less as the parallel is shorter. */
const NEAR = {
  sql: `select seat_code from roadside.berth where enterprise_id = scope_enterprise() and park_code = $1 and seat_code <> $2 and not deleted and lng is not null
    and sqrt(power((lat - $4) * 111320, 2) + power((lng - $3) * 111320 * cos(radians($4)), 2)) < $5::double precision order by seat_code limit 1`,
}
