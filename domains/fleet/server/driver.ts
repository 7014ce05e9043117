import type { Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { AllocationState } from '../contract/allocation.ts'
import { Driver, driver, driverCan, DriverChoice, driverSearch, DriverStatus } from '../contract/driver.ts'
import { WhyNot } from '../contract/vehicle.ts'
import { refuseSpan } from './span.ts'
import './tables.ts'

export const drivers = listOver(Driver, 'fleet.driver', driverSearch)
const SameLicence = refusal(
  'fleet.driver-exists',
  42308,
  '该驾驶证号已登记为 {name}，请核对证号',
  'This licence number is already registered to {name}: check the number',
)
const DriverUsed = refusal(
  'fleet.driver-used',
  42309,
  '该驾驶员有派车记录，不能删除；不再出车时请停用',
  'This driver has allocations and cannot be deleted: disable the driver instead',
)
const choice = onlyFields(DriverChoice)

export const calls = serve(driver, {
  query: ({ tx, input }) => page(tx, drivers, input),
  async add({ tx, input }) {
    await refuseSame(tx, input.licenceNo)
    return addRow(tx, drivers, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, drivers, { id, version })
    if (changes.licenceNo !== undefined) await refuseSame(tx, changes.licenceNo, id)
    if (changes.status !== undefined && changes.status !== found.status && MOVES[changes.status]?.(found.status) === undefined)
      throw IllegalMove({ status: found.status })
    return setRow(tx, drivers, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, drivers, input)
    const used = await tx.selectFrom('fleet.allocation').select('id').where('driverId', '=', found.id).limit(1).executeTakeFirst()
    if (used) throw DriverUsed()
    await removeRow(tx, drivers, found, at)
  },
  async queryAllocating({ tx, input: { planFrom, planTo, id, all = false } }) {
    refuseSpan({ planFrom, planTo })
    const rows = await run<Of<typeof DriverChoice>>(tx, FREE, [planFrom, planTo, dayOf(planTo), id ?? null])
    return rows.filter(({ whyNot }) => all || whyNot === null).map(choice)
  },
})
const MOVES: Record<number, (typeof driverCan)['back'] | undefined> = {
  [DriverStatus.free]: driverCan.back,
  [DriverStatus.leave]: driverCan.leave,
  [DriverStatus.disabled]: driverCan.disable,
}
/** The most drivers that a picker shows. */
const CHOICES_MAX = 2_000
const FREE = {
  sql: `select d.*, taken.until, case when d.status in (${DriverStatus.leave}, ${DriverStatus.disabled}) then ${WhyNot.state} when d.licence_end < $3::date then ${WhyNot.papers}
      when taken.until is not null then ${WhyNot.taken} end as why_not
    from fleet.driver d left join lateral (select max(a.plan_to) as until from fleet.allocation a where a.enterprise_id = d.enterprise_id and a.driver_id = d.id
      and a.state in (${AllocationState.applied}, ${AllocationState.approved}, ${AllocationState.out}) and a.id is distinct from $4
      and tstzrange(least(a.plan_from, coalesce(a.out_at, a.plan_from)), a.plan_to) && tstzrange($1, $2)) taken on true
    where d.enterprise_id = scope_enterprise() order by why_not nulls first, d.name limit ${CHOICES_MAX}`,
}

async function refuseSame(tx: Tx, licenceNo: string, id?: string): Promise<void> {
  const [same] = await run<{ name: string }>(
    tx,
    { sql: 'select name from fleet.driver where enterprise_id = scope_enterprise() and licence_no = $1 and id is distinct from $2' },
    [licenceNo, id ?? null],
  )
  if (same) throw SameLicence(same)
}
