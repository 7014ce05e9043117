import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  attachments,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  message,
  moves,
  orNone,
  pick,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Bidder, type BidderId } from './bidder.ts'
import { type EnrollmentId, Paying } from './enrollment.ts'
import { Project, type ProjectId, projectName } from './project.ts'

export const Cycle = dictionary('rent_cycle', ['付款周期', 'Payment period'], {
  month: [1, '月', 'Monthly'],
  quarter: [2, '季', 'Quarterly'],
  year: [3, '年', 'Yearly'],
})
export const ContractState = dictionary('rent_contract_state', ['合同状态', 'Lease status'], {
  toSign: [0, '待签', 'To be signed', 'warning'],
  inForce: [1, '生效', 'In force', 'success'],
  expired: [2, '到期', 'Expired'],
  ended: [3, '解约', 'Ended early', 'error'],
})
export const contractCan = moves(ContractState, { sign: { 0: 1 }, expire: { 1: 2 }, end: { 1: 3 } })
export const Party = dictionary('rent_party', ['签署方', 'Party'], { lessor: [1, '出租方', 'Lessor'], lessee: [2, '承租方', 'Lessee'] })
const kept = {
  ...rowFields<'RentContractId'>(),
  contractNo: text('合同编号', 'Lease number', { max: 40 }),
  projectId: id<ProjectId>('项目', 'Project'),
  enrollId: id<EnrollmentId>('中标报名', 'Winner'),
  bidderId: id<BidderId>('承租人编号', 'Lessee (id)'),
  parkCode: Project.properties.parkCode,
  fromDay: day('租期开始', 'Lease from'),
  toDay: day('租期结束', 'Lease to'),
  rentFen: fen('年租金', 'Annual rent', { min: 1 }),
  cycle: among('付款周期', 'Payment period', Cycle),
  freeDays: whole('免租期', 'Rent-free period', { unit: 'day', min: 0, max: 365 }),
  depositFen: fen('押金', 'Deposit', { min: 0 }),
  files: attachments('合同文件', 'Files'),
  state: among('合同状态', 'Status', ContractState),
  makerId: id<'PersonId'>('拟稿人编号', 'Drafted by (id)'),
  makerName: text('拟稿人', 'Drafted by'),
  lessorId: orNone(id<'PersonId'>('出租方签署人编号', 'Lessor signatory (id)')),
  lessorName: orNone(text('出租方签署人', 'Lessor signatory')),
  lessorSignedAt: orNone(instant('出租方签署', 'Lessor signed at')),
  lesseeSignedAt: orNone(instant('承租方签署', 'Lessee signed at')),
  /** The person who recorded that the lessee signed on paper, and the signed pages; null where the lessee signed on the phone. */
  lesseeById: orNone(id<'PersonId'>('承租方签署登记人编号', 'Lessee signature recorded by (id)')),
  lesseeByName: orNone(text('承租方签署登记人', 'Lessee signature recorded by')),
  lesseeFiles: attachments('承租方签署件', 'Signed pages'),
  endedAt: orNone(instant('解约时间', 'Ended at')),
  endReason: orNone(text('解约原因', 'Reason for ending', { max: 500 })),
  renewsId: orNone(id<'RentContractId'>('原合同', 'Renewed lease (id)')),
}
/** The lease with the winner of a letting. */
export const Contract = entity(['租赁合同', 'Lease'], kept)
export const ContractLine = entity({
  ...kept,
  projectNo: Project.properties.projectNo,
  projectName,
  bidderName: text('承租人', 'Lessee', { max: 60 }),
  phone: Bidder.properties.phone,
  signBy: Project.properties.signBy,
  returnableFen: fen('可退', 'Refundable', { min: 0 }),
  renewsNo: orNone(text('续签自', 'Renews', { max: 40 })),
  renewedNo: orNone(text('续签合同', 'Renewed by', { max: 40 })),
})
export const contractSearch = searchOf(
  ContractLine,
  {
    id: 'equals',
    projectId: 'equals',
    contractNo: 'equals',
    projectName: 'contains',
    bidderName: 'contains',
    phone: 'equals',
    state: 'among',
    parkCode: 'equals',
    toDay: 'between',
  },
  { sort: ['createdAt', 'toDay'] },
)
export const BillKind = dictionary('rent_bill_kind', ['账单类型', 'Bill type'], { rent: [1, '租金', 'Rent'], deposit: [2, '押金', 'Deposit'] })
export const BillState = dictionary('rent_bill_state', ['账单状态', 'Bill status'], {
  toPay: [0, '待付', 'To be paid', 'warning'],
  paid: [1, '已付', 'Paid', 'success'],
  void: [2, '作废', 'Void'],
})
export const billCan = moves(BillState, { pay: { 0: 1 }, void: { 0: 2, 1: 2 } })
/** The amount due for a period of a lease. */
export const Bill = entity(['租赁账单', 'Lease bill'], {
  ...rowFields<'RentBillId'>(),
  billNo: text('账单编号', 'Bill number', { max: 40 }),
  contractId: id<'RentContractId'>('合同', 'Lease'),
  bidderId: kept.bidderId,
  parkCode: kept.parkCode,
  kind: among('类型', 'Type', BillKind),
  periodFrom: day('账期开始', 'Period from'),
  periodTo: day('账期结束', 'Period to'),
  dueDay: day('到期', 'Due'),
  amountFen: fen('金额', 'Amount', { min: 1 }),
  creditFen: fen('保证金抵付', 'Paid by earnest money', { min: 0 }),
  penaltyFen: fen('违约金', 'Penalty', { min: 0 }),
  waivedFen: fen('减免违约金', 'Penalty waived', { min: 0 }),
  withheldFen: fen('押金扣款', 'Kept of the deposit', { min: 0 }),
  orderId: orNone(id<'OrderId'>('订单', 'Order')),
  state: among('状态', 'Status', BillState),
  paidAt: orNone(instant('支付时间', 'Paid at')),
  waivingFen: fen('待确认减免', 'Waiver to confirm', { min: 0 }),
  waiveMakerId: orNone(id<'PersonId'>('减免申请人编号', 'Waiver requested by (id)')),
  waiveMaker: orNone(text('减免申请人', 'Waiver requested by')),
  waiveReason: orNone(text('减免原因', 'Waiver reason', { max: 200 })),
  waiveChecker: orNone(text('减免确认人', 'Waiver decided by')),
})
export const FeeKind = dictionary('rent_fee_kind', ['费项', 'Fee type'], {
  earnest: [1, '保证金', 'Earnest money'],
  rent: [2, '租金', 'Rent'],
  deposit: [3, '押金', 'Deposit'],
  penalty: [4, '违约金', 'Penalty'],
  refund: [5, '退款', 'Refund'],
})
export const OrderLineState = dictionary('rent_order_state', ['款项状态', 'Status'], {
  toPay: [0, '待付', 'To be paid', 'warning'],
  paid: [1, '已付', 'Paid', 'success'],
  overdue: [2, '逾期', 'Overdue', 'error'],
  returning: [3, '待退', 'To refund', 'warning'],
  returned: [4, '已退', 'Refunded'],
  void: [5, '作废', 'Void'],
  rent: [6, '转租金', 'Applied to rent', 'success'],
})
/** All money of leases, line by line, each fen once: earnest money that paid bills stands in those. */
export const OrderLine = entity({
  id: id<'RentOrderId'>(),
  feeKind: among('费项', 'Fee type', FeeKind),
  billNo: text('单号', 'Number', { max: 48 }),
  projectNo: Project.properties.projectNo,
  projectName,
  bidderName: text('承租人', 'Lessee', { max: 60 }),
  parkCode: kept.parkCode,
  periodFrom: orNone(Bill.properties.periodFrom),
  periodTo: orNone(Bill.properties.periodTo),
  receivableFen: fen('应收', 'Receivable'),
  receivedFen: fen('实收', 'Paid'),
  overdueFen: fen('逾期', 'Overdue'),
  pendingFen: fen('待退', 'To refund'),
  dueDay: orNone(Bill.properties.dueDay),
  state: among('状态', 'Status', OrderLineState),
  orderId: orNone(id<'OrderId'>('订单', 'Order')),
  billId: orNone(id<'RentBillId'>('账单', 'Bill')),
  waivingFen: Bill.properties.waivingFen,
  waiveMakerId: Bill.properties.waiveMakerId,
  createdAt: instant('时间', 'Time'),
  /** Sort key: late bills first, then the next due, then the newest of the rest. */
  urgency: text('先后', 'Order', { max: 32 }),
})
export const orderSearch = searchOf(
  OrderLine,
  {
    feeKind: 'among',
    billNo: 'equals',
    projectNo: 'equals',
    projectName: 'contains',
    bidderName: 'contains',
    parkCode: 'equals',
    state: 'among',
    dueDay: 'between',
    createdAt: 'between',
  },
  { sort: ['urgency', 'createdAt'], ascending: true },
)
const one = pick(Contract, 'id', 'version').properties
const lease = { service: 'business', writes: true, own: true } as const
const view = { service: 'business', needs: 'rent:contract:view', own: true } as const
export const contract = {
  query: call('rent.contract.query', { ...view, post: '/rentContract/query', body: paged(contractSearch), reply: pageOf(ContractLine) }),
  add: call('rent.contract.add', {
    ...lease,
    needs: 'rent:contract:edit',
    post: '/rentContract/add',
    does: ['拟订租赁合同', 'Drafted a lease'],
    body: message({ ...pick(Contract, 'projectId', 'fromDay', 'cycle').properties }, pick(Contract, 'freeDays', 'depositFen', 'files').properties),
    reply: Contract,
  }),
  /**
   * Renews a running lease for another term from the day after its last: the lessee, the thing let and the deposit stay. It is signed like every other, by the last day of the
   * one before.
   */
  renew: call('rent.contract.renew', {
    ...lease,
    needs: 'rent:contract:edit',
    post: '/rentContract/renew',
    does: ['拟订续签合同', 'Drafted a lease renewal'],
    body: message(
      { ...one, leaseMonths: Project.properties.leaseMonths, ...pick(Contract, 'rentFen', 'cycle').properties },
      pick(Contract, 'files').properties,
    ),
    reply: Contract,
  }),
  /** Drawn up wrongly, and signed by nobody yet: it is gone, and another may be drawn up. */
  withdraw: call('rent.contract.withdraw', {
    ...lease,
    needs: 'rent:contract:edit',
    post: '/rentContract/withdraw',
    does: ['撤回合同草稿', 'Withdrew a lease draft'],
    body: message({ ...one, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: message({}),
  }),
  /**
   * Each party once, the lessor by another than who drew it up, and nobody for both: a person who records that the lessee signed on paper adds the signed pages. With the
   * second it is in force and its bills are there.
   */
  sign: call('rent.contract.sign', {
    ...lease,
    needs: 'rent:contract:sign',
    post: '/rentContract/sign',
    does: ['签署租赁合同', 'Signed a lease'],
    body: message({ ...one, party: among('签署方', 'Party', Party) }, { files: kept.lesseeFiles }),
    reply: Contract,
  }),
  end: call('rent.contract.end', {
    ...lease,
    needs: 'rent:contract:sign',
    post: '/rentContract/end',
    does: ['解除租赁合同', 'Ended a lease early'],
    body: message({ ...one, reason: text('解约原因', 'Reason', { max: 500 }) }),
    reply: Contract,
  }),
  /**
   * Requests the refund of the lessee's money once the lease is over, and again after a rejection: of the deposit all but the penalty, which is income once the rest is paid
   * out.
   */
  refund: call('rent.contract.refund', {
    ...lease,
    needs: 'rent:contract:refund',
    post: '/rentContract/refund',
    does: ['申请退还押金', 'Requested a deposit refund'],
    body: message({ ...one, reason: text('原因', 'Reason', { max: 200 }) }, { penaltyFen: fen('扣除违约金', 'Penalty to keep', { min: 0 }) }),
    reply: Contract,
  }),
  bills: call('rent.bill.query', { ...view, post: '/rentBill/query', body: pick(Bill, 'contractId'), reply: pageOf(Bill) }),
  /** With the penalty as it is today. */
  bill: call('rent.bill.one', { ...view, post: '/rentBill/one', body: pick(Bill, 'id'), reply: Bill }),
  /** `amountFen` is what the cashier was shown, with the penalty of this day. */
  payBill: call('rent.bill.pay', {
    ...lease,
    needs: 'rent:bill:pay',
    post: '/rentBill/pay',
    does: ['收取租金', 'Took a rent payment'],
    body: message(
      { id: Bill.properties.id, payMethod: among('支付方式', 'Payment method', PayMethod) },
      { amountFen: fen('金额', 'Amount', { min: 1 }) },
    ),
    reply: Paying,
  }),
  /** Asks for a penalty of an unpaid bill to be let off. */
  waive: call('rent.bill.waive', {
    ...lease,
    needs: 'rent:bill:waive',
    post: '/rentBill/waive',
    does: ['申请减免租金违约金', 'Asked for a penalty to be waived'],
    body: message({
      ...pick(Bill, 'id', 'version').properties,
      waivedFen: fen('减免金额', 'Amount to waive', { min: 1 }),
      reason: text('原因', 'Reason', { max: 200 }),
    }),
    reply: Bill,
  }),
  /** By another than who asked. */
  confirmWaiver: call('rent.bill.confirm-waiver', {
    ...lease,
    needs: 'rent:bill:confirm',
    post: '/rentBill/confirmWaiver',
    does: ['确认减免租金违约金', 'Decided a penalty waiver'],
    body: message({ ...pick(Bill, 'id', 'version').properties, pass: yes('同意', 'Agree') }, { opinion: text('确认意见', 'Opinion', { max: 200 }) }),
    reply: Bill,
  }),
  orders: call('rent.order.query', {
    service: 'business',
    own: true,
    needs: 'rent:order:view',
    post: '/rentOrder/query',
    body: paged(orderSearch),
    reply: pageOf(OrderLine),
  }),
}
