import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing, type Outcome, type RowContext, saysNothingNew } from '../../../platform/server/sheets/importing.ts'
import { AllocationState } from '../contract/allocation.ts'
import { Violation, violation, violationCan, ViolationLine, violationSearch, ViolationSource } from '../contract/violation.ts'
import './tables.ts'

type Row = Of<typeof Violation>
type Written = Of<typeof violation.add.input>
type SheetRow = Of<typeof violation.import.row>
const violations = rowsOver(Violation, 'fleet.violation', Object.keys(Violation.properties) as (keyof Row & string)[])
const lines = listOver(ViolationLine, 'fleet.violationLine', violationSearch, { sums: ['fineFen', 'points'] })

const NumberTaken = refusal(
  'fleet.violation-exists',
  42332,
  '违章编号 {violationNo} 已登记，请核对编号，或修改原记录',
  'Violation {violationNo} is recorded already: check the number, or change that record',
)
const NoVehicle = refusal(
  'fleet.violation-vehicle',
  42333,
  '车队里没有车辆 {vehicleNo}，请核对车牌，或先在车辆管理登记',
  'The fleet has no vehicle {vehicleNo}: check the plate, or add it under Fleet vehicles first',
  422,
)
const NotYet = refusal('fleet.violation-ahead', 42334, '违章时间不能晚于现在，请核对', 'The time of the violation lies ahead: check it', 422)

export const calls = serve(violation, {
  query: ({ tx, input }) => page(tx, lines, input),
  add: ({ tx, input, at }) => add(tx, input, ViolationSource.byHand, at),
  async update({ tx, input: { id, version, ...changes }, at }) {
    return change(tx, await lockRow(tx, violations, { id, version }), changes, at)
  },
  async settle({ tx, input: { id, version, remark }, actor, at }) {
    const found = await lockRow(tx, violations, { id, version })
    const state = violationCan.settle(found.state)
    if (state === undefined) throw IllegalMove({ state: found.state })
    return setRow(tx, violations, found, { state, settledBy: actor.userName, settledAt: at, ...(remark !== undefined && { remark }) }, at)
  },
  async delete({ tx, input, at }) {
    await removeRow(tx, violations, await lockRow(tx, violations, input), at)
  },
  import: importing(violation.import, { row: importRow, columns: { 'fleet.violation-vehicle': 'vehicleNo', 'fleet.violation-ahead': 'at' } }),
  export: exporting(violation.export, lines),
})

async function add(tx: Tx, input: Written, source: Row['source'], at: Instant): Promise<Row> {
  refuseAhead(input.at, at)
  if (await numbered(tx, input.violationNo)) throw NumberTaken({ violationNo: input.violationNo })
  const who = await whoHad(tx, input.vehicleId, input.at)
  return addRow(tx, violations, { ...input, at: toTheSecond(input.at), ...who, source, createdAt: at, updatedAt: at })
}
async function change(tx: Tx, found: Row, changes: Partial<Written>, at: Instant): Promise<Row> {
  const next = { ...found, ...changes, ...(changes.at && { at: toTheSecond(changes.at) }) }
  refuseAhead(next.at, at)
  if (next.violationNo !== found.violationNo && (await numbered(tx, next.violationNo))) throw NumberTaken({ violationNo: next.violationNo })
  const moved = next.at !== found.at || next.vehicleId !== found.vehicleId
  return setRow(tx, violations, found, { ...changes, at: next.at, ...(moved && (await whoHad(tx, next.vehicleId, next.at))) }, at)
}
async function importRow({ tx, row: { vehicleNo, ...row }, at }: RowContext<SheetRow>): Promise<Outcome> {
  const [vehicle] = await run<{ id: Row['vehicleId'] }>(tx, { sql: VEHICLE }, [vehicleNo])
  if (!vehicle) throw NoVehicle({ vehicleNo })
  const told = { ...row, vehicleId: vehicle.id }
  const id = await numbered(tx, row.violationNo)
  if (!id) return (await add(tx, told, ViolationSource.sheet, at), 'added')
  const found = await lockRow(tx, violations, { id })
  if (saysNothingNew(told, found)) return 'same'
  await change(tx, found, told, at)
  return 'changed'
}
const VEHICLE = 'select id from fleet.vehicle where enterprise_id = scope_enterprise() and vehicle_no = $1'

/** As notices and sheets say it. */
const toTheSecond = (when: Instant): Instant => instantAt(Math.floor(msOf(when) / SECOND_MS) * SECOND_MS)
const SECOND_MS = 1000
function refuseAhead(when: Instant, at: Instant): void {
  if (Date.parse(when) > Date.parse(at)) throw NotYet()
}
async function numbered(tx: Tx, violationNo: string): Promise<string | undefined> {
  const sql = 'select id from fleet.violation where enterprise_id = scope_enterprise() and violation_no = $1'
  return (await run<{ id: string }>(tx, { sql }, [violationNo]))[0]?.id
}
/** Whose the car was in that minute: fetched before, and not back yet. */
async function whoHad(tx: Tx, vehicleId: string, when: Instant): Promise<Pick<Row, 'driverId' | 'allocationId'>> {
  const [had] = await run<Pick<Row, 'driverId' | 'allocationId'>>(tx, { sql: HAD }, [vehicleId, when])
  return had ?? { driverId: null, allocationId: null }
}
const HAD = `select driver_id, id as allocation_id from fleet.allocation where enterprise_id = scope_enterprise() and vehicle_id = $1 and state in (${AllocationState.out}, ${AllocationState.returned})
  and out_at <= $2 and (in_at is null or in_at > $2) order by out_at desc limit 1`
