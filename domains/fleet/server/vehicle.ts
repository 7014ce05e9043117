import type { Instant, Of } from '../../../platform/contract/field.ts'
import { impliedColor } from '../../../platform/contract/plate.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, removeRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { plateTyped } from '../../parking/server/api.ts'
import { AllocationState } from '../contract/allocation.ts'
import { Vehicle, vehicle, vehicleCan, VehicleChoice, VehicleLine, vehicleSearch, VehicleStatus, WhyNot } from '../contract/vehicle.ts'
import { refuseSpan } from './span.ts'
import './tables.ts'

export type VehicleRow = Of<typeof Vehicle>
export const vehicleRows = rowsOver(Vehicle, 'fleet.vehicle', Object.keys(Vehicle.properties) as (keyof VehicleRow)[])
const lines = listOver(VehicleLine, 'fleet.vehicleLine', vehicleSearch)
const SamePlate = refusal('fleet.vehicle-exists', 42302, '车队中已有 {vehicleNo}，请核对车牌', '{vehicleNo} is already in the fleet: check the plate')
const SameDevice = refusal(
  'fleet.terminal-taken',
  42303,
  '终端号 {deviceNo} 已装在 {vehicleNo}，请核对终端号',
  'Terminal {deviceNo} is already installed in {vehicleNo}: check the number',
)
const NoBrand = refusal('fleet.no-brand', 42304, '车辆品牌不存在，请重新选择', 'This brand does not exist: choose another', 422)
const VehicleUsed = refusal(
  'fleet.vehicle-used',
  42305,
  '该车有派车记录、轨迹或违章，不能删除；不再使用时请改为报废',
  'This vehicle has allocations, tracks or violations and cannot be deleted: scrap it instead',
)
const VehicleHeld = refusal(
  'fleet.vehicle-held',
  42306,
  '该车有未结束的派车单 {allocationNo}，请先还车或取消',
  'Allocation {allocationNo} is still open: take the vehicle back or cancel it first',
)
const choice = onlyFields(VehicleChoice)

export const calls = serve(vehicle, {
  query: ({ tx, input }) => page(tx, lines, withDevice(input)),
  async one({ tx, input }) {
    const found = await find(tx, lines, input.id)
    if (!found) throw NotFound()
    return found
  },
  async add({ tx, input }) {
    const row = normal(input)
    await refuseTaken(tx, row)
    return addRow(tx, vehicleRows, { ...row, plateColor: row.plateColor ?? impliedColor(row.vehicleNo!) })
  },
  async update({ tx, input: { id, version, ...given }, at }) {
    const found = await lockRow(tx, vehicleRows, { id, version })
    const changes = normal(given)
    await refuseTaken(tx, changes, id)
    if (given.status !== undefined && given.status !== found.status) await refuseMove(tx, found, given.status, at)
    // Whichever device speaks under the new number first is the one.
    if (changes.deviceNo !== undefined && changes.deviceNo !== found.deviceNo) await run(tx, RELEASE, [id])
    return setRow(tx, vehicleRows, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, vehicleRows, input)
    const [{ used } = { used: true }] = await run<{ used: boolean }>(tx, USED, [found.id])
    if (used) throw VehicleUsed()
    await removeRow(tx, vehicleRows, found, at)
  },
  async queryAllocating({ tx, input: { planFrom, planTo, id, all = false } }) {
    refuseSpan({ planFrom, planTo })
    const rows = await run<Of<typeof VehicleChoice>>(tx, FREE, [planFrom, planTo, dayOf(planTo), id ?? null])
    return rows.filter(({ whyNot }) => all || whyNot === null).map(choice)
  },
})

const RELEASE = { sql: 'update fleet.terminal set terminal_id = null, code_hash = null where enterprise_id = scope_enterprise() and vehicle_id = $1' }
const USED = {
  sql: `select exists (select from fleet.allocation where enterprise_id = scope_enterprise() and vehicle_id = $1)
    or exists (select from fleet.position where enterprise_id = scope_enterprise() and vehicle_id = $1)
    or exists (select from fleet.violation where enterprise_id = scope_enterprise() and vehicle_id = $1) as used`,
}
/** The most vehicles that a picker shows. In a larger fleet they are found by the list. */
const CHOICES_MAX = 2_000
const HOLDS = `a.state in (${AllocationState.applied}, ${AllocationState.approved}, ${AllocationState.out})`
const FREE = {
  sql: `select v.*, taken.until, case when v.status in (${VehicleStatus.repair}, ${VehicleStatus.scrapped}) then ${WhyNot.state} when least(v.insurance_end, v.inspect_end) < $3::date then ${WhyNot.papers}
      when taken.until is not null then ${WhyNot.taken} end as why_not
    from fleet.vehicle_line v left join lateral (select max(a.plan_to) as until from fleet.allocation a where a.enterprise_id = v.enterprise_id and a.vehicle_id = v.id and ${HOLDS}
      and a.id is distinct from $4 and tstzrange(least(a.plan_from, coalesce(a.out_at, a.plan_from)), a.plan_to) && tstzrange($1, $2)) taken on true
    where v.enterprise_id = scope_enterprise() order by why_not nulls first, v.vehicle_no limit ${CHOICES_MAX}`,
}

/** As it is kept: the plate without its dot, the terminal's number without the zeros that fill it up. */
const NUMBER = /^[1-9][0-9]{4,19}$/
const BadDevice = refusal(
  'fleet.terminal-number',
  42318,
  '终端号应为终端的手机号：5 至 20 位数字',
  'The terminal number must be its phone number: 5 to 20 digits',
  422,
)
function normal<T extends { vehicleNo?: string; deviceNo?: string | null }>(given: T): T {
  const { deviceNo } = withDevice(given)
  if (typeof deviceNo === 'string' && !NUMBER.test(deviceNo)) throw BadDevice()
  return { ...withDevice(given), ...(given.vehicleNo !== undefined && { vehicleNo: plateTyped(given.vehicleNo, true) }) }
}
const withDevice = <T extends { deviceNo?: string | null }>(given: T): T =>
  typeof given.deviceNo === 'string' ? { ...given, deviceNo: given.deviceNo.replace(/^0+/, '') } : given

async function refuseTaken(tx: Tx, { vehicleNo, deviceNo, brandId }: Partial<VehicleRow>, id?: string): Promise<void> {
  const [other] = await run<{ vehicleNo: string; deviceNo: string | null }>(
    tx,
    {
      sql: 'select vehicle_no, device_no from fleet.vehicle where enterprise_id = scope_enterprise() and (vehicle_no = $1 or device_no = $2) and id is distinct from $3',
    },
    [vehicleNo ?? null, deviceNo ?? null, id ?? null],
  )
  if (other && other.vehicleNo === vehicleNo) throw SamePlate({ vehicleNo })
  if (other) throw SameDevice({ deviceNo, vehicleNo: other.vehicleNo })
  if (brandId === undefined) return
  const brand = await tx.selectFrom('fleet.brand').select('id').where('id', '=', brandId).executeTakeFirst()
  if (!brand) throw NoBrand()
}

/** A car that is out stays in use until it is back; one that is promised is not scrapped. */
async function refuseMove(tx: Tx, found: VehicleRow, status: number, at: Instant): Promise<void> {
  const move = MOVES[status]
  if (!move || move(found.status) === undefined) throw IllegalMove({ status: found.status })
  if (status !== VehicleStatus.scrapped) return
  const [held] = await run<{ allocationNo: string }>(tx, HELD, [found.id, at])
  if (held) throw VehicleHeld(held)
}
const MOVES: Record<number, (typeof vehicleCan)['free'] | undefined> = {
  [VehicleStatus.idle]: vehicleCan.free,
  [VehicleStatus.repair]: vehicleCan.repair,
  [VehicleStatus.scrapped]: vehicleCan.scrap,
}
const HELD = {
  sql: `select a.allocation_no from fleet.allocation a where a.enterprise_id = scope_enterprise() and a.vehicle_id = $1 and ${HOLDS} and a.plan_to > $2 order by a.plan_from limit 1`,
}
