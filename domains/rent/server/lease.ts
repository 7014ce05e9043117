import { type Fen, type Instant, type Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { cancelOrder } from '../../settlement/server/api.ts'
import { ChangeState } from '../contract/award.ts'
import { Award, EarnestBack, EarnestState } from '../contract/enrollment.ts'
import { billCan, BillKind, BillState, contract, contractCan, ContractState, OrderLine, orderSearch, Party } from '../contract/lease.ts'
import { RentState } from '../contract/project.ts'
import { mustBeAttested, OwnWork } from './bidder.ts'
import { addBills, duesOf, lockBill, monthsAfter, orderBill, penaltyOf, returnDeposits } from './bills.ts'
import { dayAt, dayNumber } from './days.ts'
import { turnIntoRent } from './earnest.ts'
import { dropDrafts, proposeAll } from './failing.ts'
import { advance } from './life.ts'
import {
  type BillRow,
  bills,
  contractLines,
  type ContractRow,
  contracts,
  enrolledIn,
  lockContract,
  lockEnroll,
  lockProject,
  moveProject,
  numberOf,
  type Person,
  type ProjectRow,
  renewalOf,
} from './row.ts'
import { takeMoney } from './taking.ts'
import { returnDeposit, returnUnearned, unearn } from './returning.ts'
import { Said } from '../contract/said.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

const orders = listOver(OrderLine, 'rent.orderLine', orderSearch, { sums: ['receivableFen', 'receivedFen', 'overdueFen', 'pendingFen'] })
const StillShown = refusal(
  'rent.still-shown',
  42470,
  '中标公示至 {until}，公示结束后才能签约',
  'The award is shown until {until}: sign the lease after that',
  422,
)
const ChangeWaits = refusal(
  'rent.change-to-decide',
  42471,
  '有待确认的中标变更，请先处理',
  'An award change is waiting to be confirmed: decide it first',
)
const NotLeft = refusal(
  'rent.earnest-missing',
  42472,
  '中标人的保证金未缴，不能签约',
  'The winner has not paid the earnest money: the lease cannot be signed',
  422,
)
const DrawnAlready = refusal(
  'rent.contract-there',
  42473,
  '该项目已有合同 {contractNo}，请查看该合同',
  'This project already has lease {contractNo}: see that contract',
)
const SignedAlready = refusal('rent.signed-by-party', 42474, '该方已签署，请待另一方签署', 'This party has already signed: wait for the other party')
const LessThanEarnest = refusal(
  'rent.rent-below-earnest',
  42475,
  '租金总额低于保证金，请减少免租期',
  'The total rent is less than the earnest money: reduce the rent-free days',
  422,
)
const TooMuch = refusal('rent.waived-too-much', 42476, '违约金现为 ¥{yuan}，减免不能超过它', 'The penalty is now ¥{yuan}: you cannot waive more', 422)
const BeingPaid = refusal(
  'rent.bill-being-paid',
  42446,
  '该账单正在支付，请待支付完成或失效后再同意减免',
  'This bill is being paid: agree once the payment has ended or lapsed',
)
const WaiverWaits = refusal(
  'rent.waiver-to-decide',
  42445,
  '该账单已有待确认的减免，请先确认或驳回',
  'This bill already has a waiver to be confirmed: confirm or reject it first',
)
const Overdue = refusal(
  'rent.sign-by',
  42477,
  '须在 {day} 前签约，现已逾期；中标人未签约请提出中标变更',
  'The lease had to be signed by {day}; if the winner does not sign, request an award change',
  422,
)

/** A lease may have begun before it was signed, or begin some time later; a slip in the year is neither. */
const FROM_MOST_DAYS = 366
const FarOff = refusal('rent.lease-far-off', 42478, '租期开始须在一年以内', 'The lease must start within a year', 422)

export const calls = serve(contract, {
  query: ({ tx, input }) => page(tx, contractLines, input),
  add: ({ tx, input, actor, at }) => draw(tx, input, actor, at),
  renew: ({ tx, input, actor, at }) => renew(tx, input, actor, at),
  withdraw: ({ tx, input, at }) => withdraw(tx, input, at),
  sign: ({ tx, input, actor, at }) => sign(tx, input, actor, at),
  end: ({ tx, input, actor, at }) => end(tx, input, actor, at),
  refund: ({ tx, input, actor, at }) => refund(tx, input, actor, at),
  async bills({ tx, input }) {
    const records = await run<BillRow>(tx, { sql: BILLS }, [input.contractId])
    return { records, total: records.length, totalExact: true }
  },
  async bill({ tx, input, at }) {
    const found = await find(tx, bills, input.id)
    if (!found) throw NotFound()
    return found.state === BillState.toPay ? { ...found, penaltyFen: penaltyOf(found, dayOf(at)) as Fen } : found
  },
  payBill: phased(async ({ input: { id, payMethod, amountFen }, actor, at, write }) => {
    const { orderId, payableFen } = await write((tx) => orderBill(tx, id, at))
    return takeMoney(write, { orderId, payMethod, amountFen: amountFen ?? payableFen, actor, at })
  }),
  async waive({ tx, input: { id, version, waivedFen, reason }, actor, at }) {
    const found = await lockRow(tx, bills, { id, version })
    if (found.state !== BillState.toPay) throw IllegalMove({ state: found.state })
    if (found.waivingFen > 0) throw WaiverWaits()
    const penalty = penaltyOf(found, dayOf(at))
    if (waivedFen > penalty) throw TooMuch({ yuan: (penalty / 100).toFixed(2) })
    await because(tx, reason)
    const asked = { waiveMakerId: actor.userId, waiveMaker: actor.userName, waiveReason: reason, waiveCheckerId: null, waiveChecker: null }
    return setRow(tx, bills, found, { waivingFen: waivedFen, ...asked }, at)
  },
  confirmWaiver: ({ tx, input, actor, at }) => confirmWaiver(tx, input, actor, at),
  orders: ({ tx, input }) => page(tx, orders, input),
})
/** Five years by the month have so many. */
const BILLS_MAX = 100
const BILLS = `select id, version, created_at, updated_at, bill_no, contract_id, bidder_id, park_code, kind, period_from, period_to, due_day, amount_fen, credit_fen, waived_fen, withheld_fen, order_id, state, paid_at, waiving_fen, waive_maker_id, waive_maker, waive_reason, waive_checker,
    case when state = ${BillState.toPay} and kind = ${BillKind.rent} then greatest(0, rent.penalty(amount_fen - credit_fen, due_day, (now() at time zone 'Asia/Shanghai')::date) - waived_fen) else penalty_fen end as penalty_fen
  from rent.bill where enterprise_id = scope_enterprise() and contract_id = $1 order by period_from, kind limit ${BILLS_MAX}`

/** For the winner, once the award has been shown. */
async function draw(
  tx: Tx,
  { projectId, fromDay, cycle, freeDays = 0, depositFen = 0 as Fen, files = [] }: Of<typeof contract.add.input>,
  by: Person,
  at: Instant,
): Promise<ContractRow> {
  const project = await advance(tx, await lockProject(tx, projectId), at)
  if (project.state !== RentState.shown || project.winnerId === null || project.publicUntil === null) throw IllegalMove({ state: project.state })
  if (dayOf(at) <= project.publicUntil) throw StillShown({ until: project.publicUntil })
  const [there] = await run<{ contractNo: string }>(
    tx,
    { sql: 'select contract_no from rent.contract where enterprise_id = scope_enterprise() and project_id = $1' },
    [projectId],
  )
  if (there) throw DrawnAlready({ contractNo: there.contractNo })
  const [waits] = await run(
    tx,
    { sql: `select from rent.award_change where enterprise_id = scope_enterprise() and project_id = $1 and state = ${ChangeState.waiting}` },
    [projectId],
  )
  if (waits) throw ChangeWaits()
  refuseLate(project, at)
  if (Math.abs(dayNumber(fromDay) - dayNumber(dayOf(at))) > FROM_MOST_DAYS) throw FarOff()
  const winner = await lockEnroll(tx, project.winnerId)
  if (winner.earnestState !== EarnestState.frozen || winner.award !== Award.won) throw NotLeft()
  await mustBeAttested(tx, winner.bidderId)
  const toDay = dayAt(dayNumber(monthsAfter(fromDay, project.leaseMonths)) - 1)
  const rentFen = winner.bidFen!
  const total = duesOf({ fromDay: dayAt(dayNumber(fromDay) + freeDays), toDay, rentFen, cycle }).reduce((sum, one) => sum + one.amountFen, 0)
  if (total < winner.earnestFen) throw LessThanEarnest()
  const terms = { fromDay, toDay, rentFen, cycle, freeDays, depositFen, files: json(files) }
  const who = {
    projectId: project.id,
    enrollId: winner.id,
    bidderId: winner.bidderId,
    parkCode: project.parkCode,
    makerId: by.userId,
    makerName: by.userName,
  }
  return addRow(tx, contracts, { contractNo: await numberOf(tx, 'HT'), ...terms, ...who, createdAt: at, updatedAt: at })
}

const NotRunning = refusal('rent.not-running', 42447, '只能续签租期内的生效合同', 'Only a lease in force can be renewed, during its term', 422)
const RenewedAlready = refusal(
  'rent.renewed-already',
  42448,
  '该合同已有续签合同 {contractNo}，请先撤回或解约',
  'This lease already has renewal {contractNo}: withdraw or end that first',
)
const RenewalLate = refusal(
  'rent.renewal-late',
  42449,
  '原合同已到期或解约，续签合同不能再签署；请另拟新合同',
  'The lease it renews has expired or was ended: the renewal can no longer be signed: draw up a new contract',
  422,
)
const isRunning = ({ state, fromDay, toDay }: ContractRow, at: Instant) =>
  state === ContractState.inForce && fromDay <= dayOf(at) && dayOf(at) <= toDay
/** From the day after the last one on, without a day between and none twice. */
async function renew(
  tx: Tx,
  { id, version, leaseMonths, rentFen, cycle, files = [] }: Of<typeof contract.renew.input>,
  by: Person,
  at: Instant,
): Promise<ContractRow> {
  const found = await lockContract(tx, id, version)
  if (!isRunning(found, at)) throw NotRunning()
  const there = await renewalOf(tx, id)
  if (there) throw RenewedAlready({ contractNo: there.contractNo })
  await mustBeAttested(tx, found.bidderId)
  const fromDay = dayAt(dayNumber(found.toDay) + 1)
  const toDay = dayAt(dayNumber(monthsAfter(fromDay, leaseMonths)) - 1)
  const { projectId, enrollId, bidderId, parkCode, depositFen } = found
  return addRow(tx, contracts, {
    contractNo: await numberOf(tx, 'HT'),
    renewsId: found.id,
    projectId,
    enrollId,
    bidderId,
    parkCode,
    fromDay,
    toDay,
    rentFen,
    cycle,
    depositFen,
    files: json(files),
    makerId: by.userId,
    makerName: by.userName,
    createdAt: at,
    updatedAt: at,
  })
}

function refuseLate({ signBy }: ProjectRow, at: Instant): void {
  if (dayOf(at) > signBy!) throw Overdue({ day: signBy })
}
const SignedByOne = refusal(
  'rent.signed-by-one',
  42443,
  '已有一方签署，不能撤回：请完成签署，或提出中标变更',
  'One party has signed, so it cannot be withdrawn: complete the signing, or request an award change',
)
async function withdraw(tx: Tx, { id, version, reason }: Of<typeof contract.withdraw.input>, at: Instant) {
  await because(tx, reason)
  const found = await lockContract(tx, id, version)
  if (found.state !== ContractState.toSign) throw IllegalMove({ state: found.state })
  // An award binds the winner; a renewal binds nobody before both have signed.
  if (found.renewsId === null && (found.lessorSignedAt ?? found.lesseeSignedAt) !== null) throw SignedByOne()
  await removeRow(tx, contracts, found, at)
  return {}
}
/** Each party signs once. The lessee does it on their own telephone (`by` is nobody), or on paper, which another than the lessor's signatory takes down. */
export async function sign(
  tx: Tx,
  { id, version, party, files = [] }: Of<typeof contract.sign.input>,
  by: Person | null,
  at: Instant,
): Promise<ContractRow> {
  const found = await lockContract(tx, id, version)
  if (found.state !== ContractState.toSign) throw IllegalMove({ state: found.state })
  const lessor = party === Party.lessor
  if ((lessor ? found.lessorSignedAt : found.lesseeSignedAt) !== null) throw SignedAlready()
  // The lessee loses nothing if the lessor signs after them.
  if (found.renewsId !== null) {
    if (!isRunning(await lockRow(tx, contracts, { id: found.renewsId }), at)) throw RenewalLate()
  } else if (found.lesseeSignedAt === null) refuseLate(await lockProject(tx, found.projectId), at)
  refuseSigner(found, by, { lessor, paper: files.length > 0 })
  const signed = lessor
    ? { lessorId: by!.userId, lessorName: by!.userName, lessorSignedAt: at }
    : { lesseeSignedAt: at, lesseeById: by?.userId ?? null, lesseeByName: by?.userName ?? null, lesseeFiles: json(files) }
  const both = (lessor ? found.lesseeSignedAt : found.lessorSignedAt) !== null
  const next = await setRow(tx, contracts, found, { ...signed, ...(both && { state: contractCan.sign(found.state)! }) }, at)
  if (both) await (next.renewsId === null ? begin(tx, next, at) : addBills(tx, next, 0, at))
  return next
}
/** @throws OwnWork, ForBoth, NoPaper */
function refuseSigner(found: ContractRow, by: Person | null, { lessor, paper }: { lessor: boolean; paper: boolean }): void {
  if (by === null) return
  if (lessor && found.makerId === (by.userId as string)) throw OwnWork()
  if ((lessor ? found.lesseeById : found.lessorId) === (by.userId as string)) throw ForBoth()
  if (!lessor && !paper) throw NoPaper()
}
const ForBoth = refusal(
  'rent.signs-for-both',
  42408,
  '同一人不能既代表出租方签署、又登记承租方签署，请由另一人办理',
  'One person cannot sign for the lessor and record the lessee’s signature: ask another person to do it',
  422,
)
const NoPaper = refusal(
  'rent.no-signed-pages',
  42409,
  '登记承租方签署须上传签署页；承租方也可在手机上自行签署',
  'Attach the signed pages to record the lessee’s signature; the lessee can also sign on their phone',
  422,
)
/** Both have signed: earnest money is rent, bills are there, and the second in rank gets theirs back. */
async function begin(tx: Tx, lease: ContractRow, at: Instant): Promise<void> {
  const project = await lockProject(tx, lease.projectId)
  const winner = await lockEnroll(tx, lease.enrollId)
  if (project.winnerId !== winner.id) throw IllegalMove({ state: project.state })
  await turnIntoRent(tx, winner, at)
  await addBills(tx, lease, winner.earnestFen, at)
  await proposeAll(tx, await enrolledIn(tx, project.id), { why: EarnestBack.signed, reason: Said.signed({ project: project.name }), at })
  await advance(tx, await moveProject(tx, project, 'sign', {}, at), at)
}
/** Reduces a bill by its waiver after the second person's approval; while somebody pays it at the amount they were shown, nothing is waived. */
async function confirmWaiver(tx: Tx, { id, version, pass, opinion }: Of<typeof contract.confirmWaiver.input>, by: Person, at: Instant) {
  const { found, open } = await lockBill(tx, { id, version }, at)
  if (found.state !== BillState.toPay || found.waivingFen === 0) throw IllegalMove({ state: found.state })
  if (found.waiveMakerId === by.userId) throw OwnWork()
  if (pass && !open) throw BeingPaid()
  if (opinion) await because(tx, opinion)
  const decided = { waivingFen: 0 as Fen, waiveCheckerId: by.userId, waiveChecker: by.userName }
  if (!pass) return setRow(tx, bills, found, decided, at)
  await setRow(tx, bills, found, { ...decided, waivedFen: (found.waivedFen + found.waivingFen) as Fen, penaltyFen: 0 as Fen }, at)
  if (found.orderId) await orderBill(tx, id, at)
  return lockRow(tx, bills, { id })
}
/** Ends a lease: bills not due yet are void, and their payments go back; due bills stay due. */
async function end(tx: Tx, { id, version, reason }: Of<typeof contract.end.input>, by: Person, at: Instant): Promise<ContractRow> {
  await because(tx, reason)
  const found = await lockContract(tx, id, version)
  const state = contractCan.end(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  if (found.makerId === (by.userId as string)) throw OwnWork()
  await advance(tx, await lockProject(tx, found.projectId), at)
  const renewal = await renewalOf(tx, id)
  if (renewal?.state === ContractState.inForce) throw RenewedAlready({ contractNo: renewal.contractNo })
  await dropDrafts(tx, found.projectId)
  const ended = await setRow(tx, contracts, found, { state, endedAt: at, endReason: reason }, at)
  await voidLater(tx, ended, at)
  await returnUnearned(tx, ended, { reason: Said.endedRent({ why: reason }), by: { userId: null, userName: SYSTEM }, at })
  // A renewal that has not begun leaves the lease before it as it is.
  if (found.renewsId !== null && found.fromDay > dayOf(at)) return ended
  await returnDeposits(tx, id, Said.endedDeposit({ why: reason }), at)
  await moveProject(tx, await lockProject(tx, found.projectId), 'terminate', {}, at)
  return ended
}
const NothingLeft = refusal(
  'rent.nothing-to-return',
  42479,
  '该合同没有可退的款项，或退款已在办理',
  'Nothing of this lease is left to refund, or the refund is already under way',
  422,
)
/** Asked for by the procedure when it ended; after an approver's no it is asked for again here, the deposit in part where something is kept of it. */
async function refund(
  tx: Tx,
  { id, version, reason, penaltyFen = 0 as Fen }: Of<typeof contract.refund.input>,
  by: Person,
  at: Instant,
): Promise<ContractRow> {
  await because(tx, reason)
  const found = await lockContract(tx, id, version)
  if (found.state !== ContractState.expired && found.state !== ContractState.ended) throw IllegalMove({ state: found.state })
  const told = { contractNo: found.contractNo, why: reason }
  const penalty = `¥${(penaltyFen / 100).toFixed(2)}`
  const asking = { reason: penaltyFen > 0 ? Said.depositPart({ ...told, penalty }) : Said.depositBack(told), by, at }
  const depositFen = await returnDeposit(tx, found, penaltyFen, asking)
  const rentFen = await returnUnearned(tx, found, { ...asking, reason: Said.rentBack(told) })
  if (depositFen + rentFen === 0) throw NothingLeft()
  return found
}
/** Cancels an unpaid deposit and all bills after today. */
async function voidLater(tx: Tx, lease: ContractRow, at: Instant): Promise<void> {
  for (const { id } of await run<{ id: string }>(tx, { sql: LATER }, [lease.id, dayOf(at)])) {
    const { found: bill } = await lockBill(tx, { id }, at)
    if (bill.kind === BillKind.rent) await unearn(tx, lease, bill, at)
    if (bill.orderId && bill.state === BillState.toPay) await cancelOrder(tx, bill.orderId, { reason: Said.leaseEnded, at })
    await setRow(tx, bills, bill, { state: billCan.void(bill.state)!, waivingFen: 0 as Fen }, at)
  }
}
const LATER = `select id from rent.bill where enterprise_id = scope_enterprise() and contract_id = $1 and ((kind = ${BillKind.rent} and state <> ${BillState.void} and period_from > $2) or (kind = ${BillKind.deposit} and state = ${BillState.toPay})) order by id`
