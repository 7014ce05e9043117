import { searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, moves, orNone, pictures, plate, text, whole, yes } from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { ArrearsSource, OrderType } from '../../settlement/contract/order.ts'

export const ArrearsState = dictionary('arrears_state', ['欠费状态', 'Arrears status'], {
  open: [0, '待缴', 'Open', 'error'],
  partly: [1, '部分补缴', 'Partly repaid', 'warning'],
  repaid: [2, '已补缴', 'Repaid', 'success'],
  appealed: [3, '申诉中', 'Appealed', 'warning'],
  waived: [4, '已减免', 'Waived'],
  writtenOff: [5, '坏账核销', 'Written off'],
  revoked: [6, '已撤销', 'Revoked'],
})
export const EscapeType = dictionary('escape_type', ['欠费类型', 'Arrears type'], {
  unpaid: [1, '欠费', 'Unpaid'],
  evaded: [2, '逃费', 'Evaded', 'error'],
})
/** The reason why a debt cannot be asked for. */
export const ExceptionType = dictionary('arrears_exception', ['异常原因', 'Abnormal reason'], {
  none: [0, '无', 'None'],
  evidence: [1, '证据不足', 'Evidence missing', 'warning'],
  plate: [2, '车牌存疑', 'Plate in doubt', 'warning'],
  amount: [3, '金额异常', 'Amount in doubt', 'warning'],
  twice: [4, '疑似重复', 'Possible duplicate', 'warning'],
  etcUnknown: [5, 'ETC 结果未知', 'ETC result unknown', 'warning'],
})
/** The missing evidence of each kind; a person who marks a debt writes their own words. */
export const MISSING: Record<number, readonly [zh: string, en: string]> = {
  [ExceptionType.evidence]: ['缺少能看清泊位和车牌的驶入、驶离图片', 'Missing arrival or departure picture showing berth and plate'],
  [ExceptionType.plate]: ['车牌需人工核对', 'The plate is to be checked'],
  [ExceptionType.amount]: ['金额需人工核对', 'The amount is to be checked'],
  [ExceptionType.twice]: ['可能与另一笔重复', 'May be the same as another'],
  [ExceptionType.etcUnknown]: ['等待 ETC 扣费结果', 'The result of the ETC deduction'],
}
export const EvidenceKind = dictionary('evidence_kind', ['证据类型', 'Evidence type'], {
  coming: [1, '驶入', 'Arrival'],
  parked: [2, '在停', 'Parked'],
  leaving: [3, '驶离', 'Departure'],
})

/** A rejected appeal goes back to where it came from; what was written off may still be paid. */
const { open, partly, repaid, appealed, waived, writtenOff, revoked } = ArrearsState
export const recordCan = moves(ArrearsState, {
  repayPart: { [open]: partly, [partly]: partly, [appealed]: partly },
  repayAll: { [open]: repaid, [partly]: repaid, [appealed]: repaid, [writtenOff]: repaid },
  /** Money of a debt that is not whole went back: a part of it, or all. */
  giveBackPart: { [partly]: partly, [appealed]: appealed },
  giveBackAll: { [partly]: open, [appealed]: appealed },
  appeal: { [open]: appealed, [partly]: appealed, [repaid]: appealed },
  waive: { [open]: waived, [partly]: waived, [appealed]: waived },
  writeOff: { [open]: writtenOff, [partly]: writtenOff },
  revoke: { [open]: revoked, [partly]: revoked, [appealed]: revoked },
})

/** The collection file of one order that nobody paid when the car left. */
export const ArrearsRecord = entity(['欠费记录', 'Arrears record'], {
  id: id<'ArrearsRecordId'>(),
  arrearsNo: text('欠费编号', 'Arrears number', { max: 40 }),
  orderId: id<'OrderId'>('订单', 'Order'),
  orderNo: text('订单号', 'Order number', { max: 40 }),
  orderType: among('订单类型', 'Order type', OrderType),
  stayId: orNone(id<'StayId'>('停车记录', 'Stay')),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  sectionCode: orNone(text('路段编号', 'Section code', { max: 24 })),
  pType: among('车场类型', 'Car park type', ParkType),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  amountFen: fen('欠费金额', 'Amount', { min: 1 }),
  paidFen: fen('已补缴', 'Repaid', { min: 0 }),
  waivedFen: fen('已减免', 'Waived', { min: 0 }),
  writtenOffFen: fen('已核销（坏账）', 'Written off', { min: 0 }),
  revokedFen: fen('已撤销', 'Revoked', { min: 0 }),
  owedFen: fen('尚欠', 'Still owed', { min: 0 }),
  collectableFen: fen('可追缴', 'Collectable', { min: 0 }),
  sourceType: among('欠费来源', 'Source', ArrearsSource),
  escapeType: among('欠费类型', 'Type', EscapeType),
  state: among('状态', 'Status', ArrearsState),
  exceptionType: among('异常原因', 'Abnormal reason', ExceptionType),
  missing: orNone(text('缺少', 'Missing', { max: 200 })),
  arrivedAt: orNone(instant('驶入时间', 'Arrived at')),
  leftAt: orNone(instant('驶离时间', 'Left at')),
  images: orNone(pictures('图片', 'Pictures')),
  exitGate: orNone(text('出口通道', 'Exit', { max: 24 })),
  operatorOut: orNone(text('放行人', 'Let out by')),
  dunCount: whole('催缴次数', 'Reminders', { min: 0 }),
  lastDunAt: orNone(instant('最近催缴', 'Last reminder')),
  blacklisted: yes('已提请黑名单', 'Proposed for black list'),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('产生时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const recordSearch = searchOf(
  ArrearsRecord,
  {
    plateNo: 'plate',
    parkCode: 'equals',
    sectionCode: 'equals',
    pType: 'among',
    orderType: 'among',
    state: 'among',
    sourceType: 'among',
    escapeType: 'among',
    exceptionType: 'among',
    arrearsNo: 'equals',
    stayId: 'equals',
    createdAt: 'between',
  },
  { sort: ['createdAt'] },
)

/** A picture that shows which car stood where. A roadside debt is collected once one of coming and one of leaving show berth and plate. */
export const Evidence = entity(['欠费证据', 'Arrears evidence'], {
  id: id<'EvidenceId'>(),
  kind: among('证据类型', 'Type', EvidenceKind),
  image: pictures('图片', 'Picture'),
  showsBerth: yes('可见泊位号', 'Berth number visible'),
  showsPlate: yes('可见车牌', 'Plate visible'),
  takenAt: instant('拍摄时间', 'Taken at'),
  note: orNone(text('说明', 'Note', { max: 200 })),
  addedName: text('提供人', 'Added by'),
})
/** The part of it that a repayment paid. */
export const PaidPart = entity({
  repayNo: text('补缴单号', 'Repayment number', { max: 48 }),
  at: instant('补缴时间', 'Repaid at'),
  allocatedFen: fen('分摊金额', 'Allocated', { min: 1 }),
  refundFen: fen('已退', 'Refunded', { min: 0 }),
  operatorName: orNone(text('收费员', 'Collector')),
})
