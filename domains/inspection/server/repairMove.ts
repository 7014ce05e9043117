import type { Instant, Of } from '../../../platform/contract/field.ts'
import { msOf, MINUTE_MS } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { json, lockRow } from '../../../platform/server/row.ts'
import { TollType } from '../../staff/contract/collector.ts'
import { fieldWorker } from '../../staff/server/api.ts'
import { COST_MAX_FEN, type Part, type repair, RepairState } from '../contract/repair.ts'
import { type Kept, kept, moveRepair } from './repairRow.ts'
import { giveBack, takeInHand } from './repairThing.ts'

const NoRepairer = refusal(
  'inspection.no-repairer',
  42052,
  '请选择在职的巡检员或充电运维作为维修人',
  'Choose an employed inspector or charging technician as the repairer',
  422,
)
const ByScrap = refusal(
  'inspection.scrap-by-approval',
  42053,
  '转报废须在「报废记录」中申请并审批',
  'To scrap a device, request it under “Scrap records” and have it approved',
  422,
)
const WhyNeeded = refusal('inspection.repair-reason', 42054, '退回与返工须填写原因', 'Enter the reason for the return or rework', 422)
const CostWhenDone = refusal(
  'inspection.cost-when-done',
  42055,
  '配件与人工费在提交验收时填写',
  'Enter parts and labour when submitting for acceptance',
  422,
)
const NotOneself = refusal(
  'inspection.own-repair',
  42056,
  '验收人不能是维修人，请由他人验收',
  'The repairer cannot accept the repair: ask another person to accept it',
  403,
)
const TooDear = refusal(
  'inspection.repair-too-dear',
  42057,
  '配件费合计超过 {max} 元，请核对单价与数量，或申请报废',
  'Parts exceed ¥{max}: check prices and quantities, or request scrapping',
  422,
)

type Input = (typeof repair.move)['input']['~unsafe']
interface Who {
  userId: string
  userName: string
}
interface Step {
  tx: Tx
  found: Kept
  input: Input
  who: Who
  at: Instant
}
const said = ({ input, who, at }: Step, whom: string | null = null) => ({
  at,
  by: who.userName,
  byId: who.userId as Kept['workerId'],
  whom,
  reason: input.reason,
  images: input.images,
})

/** A step on, as the one who takes it asks for it. @throws IllegalMove and each step's own refusals */
export async function stepRepair(tx: Tx, input: Input, who: Who, at: Instant): Promise<Kept> {
  if (input.to === RepairState.scrapped) throw ByScrap()
  if ((input.parts !== undefined || input.labourFen !== undefined) && input.to !== RepairState.handedIn) throw CostWhenDone()
  const found = await lockRow(tx, kept, input)
  const step = steps[input.to]
  return step({ tx, found, input, who, at })
}
const steps: Record<Exclude<Kept['state'], 6>, (step: Step) => Promise<Kept>> = {
  [RepairState.unassigned]: (step) =>
    moveRepair(step.tx, step.found, 'again', { tollNo: null, tollName: null, workerId: null, assignedAt: null }, said(step)),
  [RepairState.assigned]: assign,
  [RepairState.working]: (step) => (step.found.state === RepairState.handedIn ? rework(step) : start(step)),
  [RepairState.handedIn]: handIn,
  [RepairState.done]: accept,
  async [RepairState.returned](step) {
    if (!step.input.reason) throw WhyNeeded()
    return moveRepair(step.tx, step.found, 'return', { reason: step.input.reason }, said(step, step.found.tollName))
  },
}

async function assign(step: Step): Promise<Kept> {
  const { tx, found, input, at } = step
  const worker = input.tollNo ? await fieldWorker(tx, input.tollNo, [TollType.inspector, TollType.charging]) : undefined
  if (!worker) throw NoRepairer()
  const { tollNo, name, personId } = worker
  return moveRepair(tx, found, 'assign', { tollNo, tollName: name, workerId: personId as Kept['workerId'], assignedAt: at }, said(step, name))
}
async function start(step: Step): Promise<Kept> {
  const { tx, found, at, who } = step
  const useBefore = await takeInHand(tx, found.deviceNo, { at, by: who.userName })
  return moveRepair(tx, found, 'start', { startedAt: at, useBefore: useBefore ?? null }, said(step))
}
/** Somebody may have put it elsewhere by hand since it was handed in: it is in repair again. */
async function rework(step: Step): Promise<Kept> {
  const { tx, found, at, who, input } = step
  if (!input.reason) throw WhyNeeded()
  const useBefore = await takeInHand(tx, found.deviceNo, { at, by: who.userName })
  const undone = { repairerId: null, repairerName: null, submittedAt: null, ...(useBefore !== undefined && { useBefore }) }
  return moveRepair(tx, found, 'rework', { reason: input.reason, ...undone }, said(step))
}
function handIn(step: Step): Promise<Kept> {
  const { tx, found, input, who, at } = step
  const parts = input.parts ?? found.parts
  const partsFen = partsCost(parts)
  if (partsFen > COST_MAX_FEN) throw TooDear({ max: COST_MAX_FEN / 100 })
  const cost = { parts: json(parts), partsFen: partsFen as Kept['partsFen'], labourFen: input.labourFen ?? found.labourFen }
  const by = { repairerId: who.userId as Kept['repairerId'], repairerName: who.userName, submittedAt: at }
  return moveRepair(
    tx,
    found,
    'handIn',
    { ...cost, ...by, ...(input.images && { afterImages: input.images }), ...(input.reason && { reason: input.reason }) },
    said(step),
  )
}
const partsCost = (parts: readonly Of<typeof Part>[]) => parts.reduce((sum, { qty, priceFen }) => sum + qty * priceFen, 0)

async function accept(step: Step): Promise<Kept> {
  const { tx, found, who, at } = step
  if (found.state === RepairState.handedIn && (who.userId === found.repairerId || who.userId === found.workerId)) throw NotOneself()
  const repairMin = Math.max(0, Math.floor((msOf(at) - msOf(found.createdAt)) / MINUTE_MS))
  const by = { acceptorId: who.userId as Kept['acceptorId'], acceptorName: who.userName }
  const made = await moveRepair(tx, found, 'accept', { ...by, doneAt: at, repairMin }, said(step))
  await giveBack(tx, found.deviceNo, found.useBefore, { at, by: who.userName })
  await run(tx, { sql: RESULT }, [
    found.deviceNo,
    found.deviceName,
    found.deviceType,
    found.parkCode,
    at,
    found.tollName,
    found.repairNo,
    made.costFen,
    found.desc,
  ])
  return made
}
const RESULT = `insert into inspection.result (result_type, device_no, device_name, device_type, park_code, at, who, from_no, repair_fen, reason) values (2, $1, $2, $3, $4, $5, $6, $7, $8, left($9, 200))`
