import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { button, moment, type Page, payButtons, row, sentence, words } from './parts.ts'
import { type Lease, payRent, type RentBill, signLease } from './rentAsk.ts'
import { plural } from '../../../platform/contract/plural.ts'

/** As in the contract's `ContractState`, `Cycle`, `BillState` and `BillKind`. */
const STATES: Record<number, Text> = {
  0: ['待签署', 'To be signed'],
  1: ['生效', 'In force'],
  2: ['已到期', 'Expired'],
  3: ['已解约', 'Ended early'],
}
const CYCLES: Record<number, Text> = { 1: ['按月', 'Monthly'], 2: ['按季', 'Quarterly'], 3: ['按年', 'Yearly'] }
const [TO_SIGN, IN_FORCE] = [0, 1]
const [TO_PAY, PAID] = [0, 1]
const RENT = 1

export interface OwnRent {
  leases: readonly Lease[]
  bills: readonly RentBill[]
}
type Doing = (work: () => Promise<unknown>) => void
/** One's own leases, what is due of them now, what comes next and what was paid. */
export function leasesPart(page: Page, { leases, bills }: OwnRent, doing: Doing): Node[] {
  const open = bills.filter(({ state }) => state === TO_PAY)
  // A deposit that waits behind a rent would be missed; of what is not late yet the next is enough to act on.
  const late = open.filter(({ lateDays, kind }) => lateDays > 0 || kind !== RENT)
  const [next] = open.filter((one) => !late.includes(one))
  const now = next ? [...late, next] : late
  const later = open.filter((one) => !now.includes(one))
  const paid = bills.filter(({ state }) => state === PAID).toReversed()
  return [
    ...leases.map((lease) => leaseCard(page, lease, doing)),
    ...now.map((bill) => billCard(page, bill)),
    ...folded([`后续账单 ${later.length} 笔`, `${later.length} later ${plural(later.length, 'bill')}`], later, ({ dueDay }) =>
      say([`${dueDay} 到期`, `due ${dueDay}`]),
    ),
    ...folded([`已付账单 ${paid.length} 笔`, `${paid.length} paid ${plural(paid.length, 'bill')}`], paid, ({ paidAt }) =>
      paidAt === null ? '' : moment(paidAt),
    ),
  ]
}

function leaseCard(page: Page, lease: Lease, doing: Doing): HTMLElement {
  const {
    id,
    version,
    contractNo,
    projectName,
    fromDay,
    toDay,
    rentFen,
    cycle,
    depositFen,
    freeDays,
    state,
    lessorSignedAt,
    lesseeSignedAt,
    signBy,
    endReason,
  } = lease
  const mine = state === TO_SIGN && lesseeSignedAt === null
  const sure: Text = [
    `签署合同 ${contractNo}？租期 ${fromDay} 至 ${toDay}，年租金 ${yuan(rentFen)}，押金 ${yuan(depositFen)}。签署后不能撤回`,
    `Sign lease ${contractNo}? Term ${fromDay} to ${toDay}, ${yuan(rentFen)} a year, deposit ${yuan(depositFen)}. It cannot be taken back`,
  ]
  return node(
    'section',
    {},
    node('h2', { textContent: say([`租赁合同 · ${projectName}`, `Lease · ${projectName}`]) }),
    node('p', { className: `told s${state === IN_FORCE ? 3 : 0}`, textContent: say(STATES[state] ?? ['', '']) }),
    node(
      'dl',
      {},
      row(say(['合同编号', 'Lease number']), contractNo),
      row(say(['租期', 'Lease term']), `${fromDay} – ${toDay}`),
      row(say(['年租金', 'Annual rent']), yuan(rentFen)),
      row(say(['付款周期', 'Payment period']), say(CYCLES[cycle] ?? ['', ''])),
      freeDays > 0 && row(say(['免租期', 'Rent-free period']), say([`${freeDays} 天`, `${freeDays} ${plural(freeDays, 'day')}`])),
      depositFen > 0 && row(say(['押金', 'Deposit']), yuan(depositFen)),
      state === TO_SIGN && signBy !== null && row(say(['签署期限', 'Sign by']), signBy),
      state === TO_SIGN && row(say(['出租方签署', 'Lessor signed']), lessorSignedAt === null ? say(['尚未签署', 'Not yet']) : moment(lessorSignedAt)),
      lesseeSignedAt !== null && row(say(['我的签署', 'I signed']), moment(lesseeSignedAt)),
      endReason !== null && sentence(say(['解约原因', 'Ended because']), endReason),
    ),
    mine &&
      words(
        ['合同文本请在招租窗口阅看；也可在窗口签署纸质合同。', 'Read the lease at the leasing counter; you can also sign it there on paper.'],
        'aside',
      ),
    mine && button(['签署合同', 'Sign the lease'], page, () => confirm(say(sure)) && doing(() => signLease(id, version)), 'main'),
  )
}

function billCard(page: Page, bill: RentBill): HTMLElement {
  const { id, projectName, kind, periodFrom, periodTo, dueDay, dueFen, amountFen, creditFen, penaltyFen, lateDays } = bill
  return node(
    'section',
    {},
    node('h2', { textContent: say(titleOf(kind)) }),
    lateDays > 0 &&
      node('p', { className: 'told s5', textContent: say([`已逾期 ${lateDays} 天`, `${lateDays} ${plural(lateDays, 'day')} overdue`]) }),
    node(
      'dl',
      {},
      sentence(say(['项目', 'Project']), projectName),
      row(say(['账期', 'Period']), `${periodFrom} – ${periodTo}`),
      row(say(['到期', 'Due']), dueDay),
      row(say(kind === RENT ? ['租金', 'Rent'] : ['押金', 'Deposit']), yuan(amountFen)),
      creditFen > 0 && row(say(['保证金抵付', 'Paid by earnest money']), yuan(-creditFen)),
      penaltyFen > 0 && row(say(['违约金', 'Penalty']), yuan(penaltyFen)),
      row(say(['应付', 'To pay']), yuan(dueFen), 'sum'),
    ),
    ...payButtons(page, dueFen, (way) => payRent(id, way)),
  )
}
const titleOf = (kind: number): Text => (kind === RENT ? ['待付租金', 'Rent to pay'] : ['待付押金', 'Deposit to pay'])

/** Bills that nobody has to act on now, each a line. */
function folded(title: Text, bills: readonly RentBill[], when: (bill: RentBill) => string): Node[] {
  if (bills.length === 0) return []
  const line = (bill: RentBill) =>
    node(
      'li',
      { className: 'line' },
      node(
        'span',
        {},
        say(bill.kind === RENT ? ['租金', 'Rent'] : ['押金', 'Deposit']),
        node('small', { textContent: `${bill.projectName} · ${bill.periodFrom} – ${bill.periodTo}` }),
      ),
      node('span', { className: 'sum' }, yuan(bill.dueFen), node('small', { textContent: when(bill) })),
    )
  return [node('section', {}, node('details', {}, node('summary', { textContent: say(title) }), node('ul', {}, ...bills.map(line))))]
}
