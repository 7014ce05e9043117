import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { Outcome, RowContext } from '../../../platform/server/sheets/importing.ts'
import type { berth } from '../contract/berth.ts'
import { addBerth, type BerthRow, refuseOverlap, setBerth } from './berthRow.ts'
import { bindOne, boundTo } from './binding.ts'
import { districtOf } from './district.ts'
import './tables.ts'

type Row = Of<(typeof berth)['import']['row']>
interface Known {
  parkCode: string
  sections: ReadonlySet<string>
  there: ReadonlyMap<string, BerthRow>
}
const FIELDS = [
  'id',
  'parkCode',
  'sectionCode',
  'areaCode',
  'seatCode',
  'berthNo',
  'type',
  'chargeType',
  'lng',
  'lat',
  'status',
  'remark',
  'version',
  'createdAt',
  'updatedAt',
] as const

const NoSection = refusal(
  'roadside.sheet-section',
  41148,
  '该片区没有路段「{sectionCode}」，请核对编号，或先新增路段',
  'The district has no section “{sectionCode}”: check its code, or add the section first',
  422,
)

/** Berths of one district by the rules of adding and changing one: unknown sections, codes given before, berths on one spot and devices that are bound already are its rows' errors. */
export const berthSheet = {
  prepare,
  faults: ({ row: { sectionCode }, known }: { row: Row; known: Known }) => (known.sections.has(sectionCode) ? [] : [NoSection({ sectionCode })]),
  columns: { 'roadside.sheet-section': 'sectionCode' },
  row,
} as const

async function prepare({ tx, rows, input }: { tx: Tx; rows: readonly Row[]; input: { parkCode: string } }): Promise<Known> {
  await districtOf(tx, input.parkCode)
  const codes = rows.map(({ seatCode }) => seatCode)
  const there = await tx
    .selectFrom('roadside.berth')
    .select(FIELDS)
    .where('parkCode', '=', input.parkCode)
    .where('deleted', '=', false)
    .where('seatCode', 'in', codes.length ? codes : [''])
    .execute()
  const sections = await run<{ sectionCode: string }>(tx, { sql: SECTIONS }, [input.parkCode])
  return {
    parkCode: input.parkCode,
    sections: new Set(sections.map(({ sectionCode }) => sectionCode)),
    there: new Map(there.map((one) => [one.seatCode, one as BerthRow])),
  }
}

const SECTIONS = 'select section_code from roadside.section where enterprise_id = scope_enterprise() and park_code = $1 and not deleted'

async function row({ tx, row: { deviceNo, lng, lat, ...row }, known, at, actor }: RowContext<Row, Known>): Promise<Outcome> {
  const place = lng === undefined || lat === undefined ? {} : { lng, lat }
  const wanted = { parkCode: known.parkCode, ...row, ...place }
  const there = known.there.get(row.seatCode)
  const changed = there && (Object.keys(wanted) as (keyof typeof wanted)[]).some((name) => !alike(there[name], wanted[name]))
  if (!there) await addBerth(tx, wanted)
  else if (changed) {
    await refuseOverlap(tx, { ...there, ...wanted })
    await setBerth(tx, there, wanted as Partial<BerthRow>, at)
  }
  const berth = { parkCode: known.parkCode, seatCode: row.seatCode }
  const bound = deviceNo ? await boundTo(tx, berth) : []
  const binds = deviceNo !== undefined && !bound.some((one) => one.deviceNo === deviceNo)
  if (binds) await bindOne(tx, { ...berth, deviceNo, replace: false, at, by: actor.userName }, bound)
  return !there ? 'added' : changed || binds ? 'changed' : 'same'
}
type Place = Pick<BerthRow, 'parkCode' | 'seatCode'>
/** Berths as the import reads them, each with a device that watches it. */
export async function forSheet<B extends Place>(tx: Tx, berths: readonly B[]) {
  const bound = await run<{ parkCode: string; seatCode: string; deviceNo: string }>(tx, { sql: BOUND }, [
    berths.map(({ parkCode }) => parkCode),
    berths.map(({ seatCode }) => seatCode),
  ])
  const devices = new Map(bound.map(({ parkCode, seatCode, deviceNo }) => [`${parkCode} ${seatCode}`, deviceNo]))
  return berths.map((berth) => ({ ...berth, deviceNo: devices.get(`${berth.parkCode} ${berth.seatCode}`) ?? null }))
}
const BOUND = `select park_code, seat_code, min(device_no) as device_no from roadside.binding join unnest($1::text[], $2::text[]) as w (park_code, seat_code) using (park_code, seat_code)
  where enterprise_id = scope_enterprise() and to_at is null group by park_code, seat_code`
/** Programs for sheets cut the last digits of a number. */
const alike = (a: unknown, b: unknown) => (typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) < 1e-7 : a === b)
