import type { Instant, Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { ParkType, statusCan, UseStatus } from '../../parking/contract/park.ts'
import { parkTopic } from '../../parking/server/api.ts'
import { holdRegion } from '../../system/server/api.ts'
import { District, district, type DistrictNow, districtSearch } from '../contract/district.ts'
import { refuseBare } from './ruled.ts'
import './tables.ts'

export const ReasonNeeded = refusal('roadside.reason-needed', 41100, '停用须填写原因', 'Give a reason for disabling', 422)

/** A district is a park's row: whatever asks about parks asks about districts too. */
const districts = listOver(District, 'parking.park', districtSearch, { only: `p_type = ${ParkType.roadside}`, marked: true })
const byCode = listOver(District, 'parking.park', districtSearch, { key: 'parkCode', only: `p_type = ${ParkType.roadside}`, marked: true })
type DistrictRow = Of<typeof District>

export const calls = serve(district, {
  async find({ tx, input }) {
    const found = await page(tx, districts, input)
    return { ...found, records: await counted(tx, found.records) }
  },
  one: async ({ tx, input }) => (await counted(tx, [await districtOf(tx, input.parkCode)]))[0]!,
  async add({ tx, input }) {
    await holdRegion(tx, input.regionCode)
    return addRow(tx, districts, { ...input, pType: ParkType.roadside, totalBays: 0 })
  },
  async edit({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, districts, { id, version })
    if (changes.regionCode && changes.regionCode !== found.regionCode) await holdRegion(tx, changes.regionCode)
    return setDistrict(tx, found, changes, at)
  },
  // Said again, it answers the same and does nothing more.
  async changeStatus({ tx, input: { parkCode, ...input }, at }) {
    const found = await lockRow(tx, byCode, { id: parkCode })
    if (found.status !== input.status) await switched(tx, found, input, at)
  },
  async changeStatusPost({ tx, input: { parkCode, version, ...input }, at }) {
    await switched(tx, await lockRow(tx, byCode, { id: parkCode, version }), input, at)
  },
  export: exporting(district.export, districts),
})

/** @throws NotFound for a park that is no district, or that the scope hides */
export async function districtOf(tx: Tx, parkCode: string): Promise<DistrictRow> {
  const found = await find(tx, byCode, parkCode)
  if (!found) throw NotFound({ parkCode })
  return found
}

/** Cars on its berths go on and pay by the rule that they came under; new ones stop where they may not. */
async function switched(
  tx: Tx,
  found: DistrictRow,
  { status, reason }: { status: DistrictRow['status']; reason?: string },
  at: Instant,
): Promise<void> {
  if (status === UseStatus.disabled && !reason) throw ReasonNeeded()
  if (reason) await because(tx, reason)
  const next = status === UseStatus.inUse ? statusCan.enable(found.status) : statusCan.disable(found.status)
  if (next === undefined) throw IllegalMove({ status: found.status })
  if (next === UseStatus.inUse) await refuseBare(tx, found.parkCode, at)
  await setDistrict(tx, found, { status: next }, at)
}

async function setDistrict(tx: Tx, found: DistrictRow, changes: Partial<DistrictRow>, at: Instant): Promise<DistrictRow> {
  const [row] = await Promise.all([setRow(tx, districts, found, changes, at), tell(tx, parkTopic, { park: found.parkCode, ids: [found.parkCode] })])
  return row
}

async function counted(tx: Tx, rows: readonly DistrictRow[]): Promise<Of<typeof DistrictNow>[]> {
  const counts = await run<{ parkCode: string; sections: number; seats: number; occupied: number }>(tx, COUNTS, [
    rows.map(({ parkCode }) => parkCode),
  ])
  const of = new Map(counts.map((one) => [one.parkCode, one]))
  return rows.map((row) => {
    const { sections = 0, seats = 0, occupied = 0 } = of.get(row.parkCode) ?? {}
    return { ...row, sections, seats, occupied }
  })
}
const COUNTS = {
  sql: `select p.park_code,
      (select count(*)::int from roadside.section s where s.enterprise_id = scope_enterprise() and s.park_code = p.park_code and not s.deleted) as sections,
      (select count(*)::int from roadside.berth b where b.enterprise_id = scope_enterprise() and b.park_code = p.park_code and not b.deleted) as seats,
      (select count(*)::int from parking.present c where c.enterprise_id = scope_enterprise() and c.park_code = p.park_code) as occupied
    from unnest($1::text[]) as p (park_code)`,
}
