import type { Instant } from '../../../platform/contract/field.ts'
import { cityTime, dayOf, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Allocation, allocation, allocationCan, AllocationLine, allocationSearch, AllocationState, EARLY_MIN, STEP } from '../contract/allocation.ts'
import { DriverStatus } from '../contract/driver.ts'
import { VehicleStatus } from '../contract/vehicle.ts'
import { type AllocationRow, allocationRows, type Doing } from './allocationRow.ts'
import { drivers } from './driver.ts'
import { drivenBy, handOut, takeBack } from './keys.ts'
import { refuseSpan } from './span.ts'
import { vehicleRows } from './vehicle.ts'
import './tables.ts'

const lines = listOver(AllocationLine, 'fleet.allocationLine', allocationSearch)
const shown = onlyFields(Allocation)

const Taken = refusal(
  'fleet.taken',
  42310,
  '{what}在 {from} 至 {to} 已被派车单 {allocationNo} 占用；请换一个或改时间',
  'The {whatEn} is taken from {from} to {to} by allocation {allocationNo}: choose another one or another time',
)
const Papers = refusal('fleet.papers', 42311, '{zh}于 {until} 到期，早于计划还车', 'The {en} expires on {until}, before the planned return', 422)
const NotInService = refusal(
  'fleet.not-in-service',
  42312,
  '车辆在维修或已报废，不能派出；请换一辆车',
  'The vehicle is under repair or scrapped and cannot be allocated: choose another vehicle',
)
const NotDriving = refusal(
  'fleet.driver-away',
  42313,
  '驾驶员休假或已停用，不能出车；请换一位驾驶员',
  'The driver is on leave or disabled and cannot drive: choose another driver',
)
const OwnWork = refusal('fleet.own-application', 42314, '不能审批自己提交或修改过的用车申请', 'You cannot review a request that you made or changed')
const WhyRejected = refusal('fleet.why-rejected', 42315, '驳回须填写意见', 'Enter the reason for rejecting', 422)
const PlanFixed = refusal('fleet.plan-fixed', 42316, '出车后只能改计划还车时间', 'Once the vehicle is out, only the planned return can be changed')
const ReturnPast = refusal(
  'fleet.return-past',
  42339,
  '计划还车时间已过，请先修改计划还车时间再出车',
  'The planned return is in the past: move it to a later time, then hand the vehicle out',
)
const TooLate = refusal('fleet.plan-past', 42317, '计划还车时间已过，请选择以后的时间', 'The planned return is in the past: choose a later time', 422)

export const calls = serve(allocation, {
  query: ({ tx, input }) => page(tx, lines, input),
  /** For one that is out, the distance by its terminal: the person who takes the car back judges by it. */
  async one({ tx, input, at }) {
    const found = await find(tx, lines, input.id)
    if (!found) throw NotFound()
    return found.state === AllocationState.out ? { ...found, trackM: await drivenBy(tx, found, at) } : found
  },
  async add({ tx, input, actor, at }) {
    refuseSpan(input)
    if (msOf(input.planTo) <= msOf(at)) throw TooLate()
    await refuseUnfit(tx, input)
    const [{ no } = { no: '' }] = await run<{ no: string }>(tx, { sql: `select platform.business_no('PC') as no` }, [])
    const made = { allocationNo: no, applicantId: actor.userId, applicantName: actor.userName, createdAt: at, updatedAt: at }
    return addRow(tx, allocationRows, { ...input, ...made })
  },
  async update({ tx, input, actor, at }) {
    if (input.state !== undefined) return stepOn({ tx, input, actor, at })
    const found = await lockRow(tx, allocationRows, { id: input.id, version: input.version })
    return shown(await replan({ tx, found, input, actor, at })) as AllocationRow
  },
  approve: (asked) => stepOn(asked),
  handOut: ({ input, ...asked }) => stepOn({ ...asked, input: { ...input, state: AllocationState.out } }),
  takeBack: ({ input, ...asked }) => stepOn({ ...asked, input: { ...input, state: AllocationState.returned } }),
  cancel: ({ input, ...asked }) => stepOn({ ...asked, input: { ...input, state: AllocationState.cancelled } }),
  export: exporting(allocation.export, lines),
})

/** The next step, by its right, from a state in which it is one. */
async function stepOn({ tx, input, actor, at }: Omit<Doing, 'found'>): Promise<AllocationRow> {
  const step = STEPS[input.state!]
  if (step && !actor.may.has(STEP[step.right])) throw NoPermission()
  const found = await lockRow(tx, allocationRows, { id: input.id, version: input.version })
  if (!step || allocationCan[step.move](found.state) === undefined) throw IllegalMove({ state: found.state })
  return shown(await step.work({ tx, found, input, actor, at })) as AllocationRow
}
const STEPS: Record<number, { right: keyof typeof STEP; move: keyof typeof allocationCan; work: (doing: Doing) => Promise<AllocationRow> }> = {
  [AllocationState.approved]: { right: 'approve', move: 'approve', work: (doing) => decide(doing, AllocationState.approved) },
  [AllocationState.rejected]: { right: 'approve', move: 'reject', work: (doing) => decide(doing, AllocationState.rejected) },
  [AllocationState.out]: { right: 'handOut', move: 'handOut', work: giveKeys },
  [AllocationState.returned]: { right: 'takeBack', move: 'takeBack', work: takeBack },
  [AllocationState.cancelled]: { right: 'cancel', move: 'cancel', work: (doing) => cancel(doing) },
}

async function decide({ tx, found, input, actor, at }: Doing, state: 1 | 4): Promise<AllocationRow> {
  if ([found.applicantId, ...found.changerIds].some((id) => id === actor.userId)) throw OwnWork()
  if (state === AllocationState.rejected && !input.verdict) throw WhyRejected()
  if (state === AllocationState.approved) await refuseUnfit(tx, found, found.id)
  const said = { approverId: actor.userId, approverName: actor.userName, decidedAt: at, verdict: input.verdict ?? null }
  return setRow(tx, allocationRows, found, { ...said, state }, at)
}
async function giveKeys(doing: Doing): Promise<AllocationRow> {
  const { tx, found, at } = doing
  if (msOf(found.planTo) <= msOf(at)) throw ReturnPast()
  const early = msOf(found.planFrom) - msOf(at) <= EARLY_MIN * MINUTE_MS ? at : found.planFrom
  await refuseUnfit(tx, { ...found, planFrom: msOf(early) < msOf(found.planFrom) ? early : found.planFrom }, found.id)
  return handOut(doing)
}
const cancel = ({ tx, found, input, at }: Doing) =>
  setRow(tx, allocationRows, found, { state: AllocationState.cancelled, verdict: input.verdict ?? found.verdict }, at)

/** Before it is out the whole plan may change, and is then to be approved anew; afterwards only when it comes back. */
async function replan({ tx, found, input, actor, at }: Doing): Promise<AllocationRow> {
  const { vehicleId, driverId, reason, planFrom, planTo, origin, dest } = input
  const open = found.state === AllocationState.applied || found.state === AllocationState.approved
  if (!open && found.state !== AllocationState.out) throw IllegalMove({ state: found.state })
  if (!open && [vehicleId, driverId, reason, planFrom, origin, dest].some((one) => one !== undefined)) throw PlanFixed()
  const asked = { vehicleId, driverId, reason, planFrom, planTo, origin, dest }
  const changes = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Partial<AllocationRow>
  const next = { ...found, ...changes }
  refuseSpan(next)
  if (msOf(next.planTo) <= msOf(at)) throw TooLate()
  await refuseUnfit(tx, next, found.id, found.state === AllocationState.out)
  const changed = found.state === AllocationState.approved ? [] : found.changerIds
  const changerIds = [...new Set([...changed, actor.userId])]
  const undecided = { state: AllocationState.applied, approverId: null, approverName: null, decidedAt: null, verdict: null, changerIds }
  return setRow(tx, allocationRows, found, { ...changes, ...(open && undecided) }, at)
}

interface Plan {
  vehicleId: string
  driverId: string
  planFrom: Instant
  planTo: Instant
}
/** Papers good until it is back, both in service, neither taken. The rows are held, so that nobody takes them meanwhile; the table's constraints stand behind it. */
async function refuseUnfit(tx: Tx, plan: Plan, id?: string, out = false): Promise<void> {
  const vehicle = await lockRow(tx, vehicleRows, { id: plan.vehicleId })
  const driver = await lockRow(tx, drivers, { id: plan.driverId })
  if (!out && vehicle.status !== VehicleStatus.idle && vehicle.status !== VehicleStatus.inUse) throw NotInService()
  if (!out && (driver.status === DriverStatus.leave || driver.status === DriverStatus.disabled)) throw NotDriving()
  const until = dayOf(plan.planTo)
  if (vehicle.inspectEnd < until) throw Papers({ zh: '车辆年检', en: 'vehicle inspection', until: vehicle.inspectEnd })
  if (vehicle.insuranceEnd < until) throw Papers({ zh: '车辆保险', en: 'vehicle insurance', until: vehicle.insuranceEnd })
  if (driver.licenceEnd < until) throw Papers({ zh: '驾驶证', en: 'driving licence', until: driver.licenceEnd })
  const [other] = await run<{ allocationNo: string; planFrom: Instant; planTo: Instant; ofVehicle: boolean }>(tx, OVERLAPS, [
    plan.vehicleId,
    plan.driverId,
    plan.planFrom,
    plan.planTo,
    id ?? null,
  ])
  if (!other) return
  const [what, whatEn] = other.ofVehicle ? ['车辆', 'vehicle'] : ['驾驶员', 'driver']
  throw Taken({ what, whatEn, from: cityTime(other.planFrom), to: cityTime(other.planTo), allocationNo: other.allocationNo })
}
const OVERLAPS = {
  sql: `select allocation_no, plan_from, plan_to, vehicle_id = $1 as of_vehicle from fleet.allocation
    where enterprise_id = scope_enterprise() and (vehicle_id = $1 or driver_id = $2) and state in (${AllocationState.applied}, ${AllocationState.approved}, ${AllocationState.out})
      and tstzrange(least(plan_from, coalesce(out_at, plan_from)), plan_to) && tstzrange($3, $4) and id is distinct from $5 order by plan_from limit 1`,
}
