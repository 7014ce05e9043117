import { searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  instant,
  listOf,
  message,
  moves,
  orNone,
  permille,
  plate,
  personal,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Connector } from './connector.ts'
import { Equipment } from './pile.ts'
import { Station } from './station.ts'
import { PeriodKind, Period, Strategy } from './strategy.ts'
import { parkCode, priceE4, wattHours } from './units.ts'

export const StartMode = dictionary('charging_start_mode', ['启动方式', 'Started by'], {
  scan: [1, '扫码', 'Scan'],
  card: [2, '刷卡', 'Card'],
  vin: [3, 'VIN 即插即充', 'Plug and charge'],
  console: [4, '远程/后台', 'Console'],
  partner: [5, '互联互通', 'Partner platform'],
  offline: [6, '离线', 'Offline'],
})
export const ChargeStatus = dictionary('charging_order_status', ['充电订单状态', 'Charging session status'], {
  waiting: [0, '待启动', 'Not started'],
  starting: [1, '启动中', 'Starting', 'warning'],
  charging: [2, '充电中', 'Charging', 'success'],
  stopping: [3, '停止中', 'Stopping', 'warning'],
  billing: [4, '待结算', 'To be billed', 'warning'],
  done: [5, '已完成', 'Done', 'success'],
  failed: [6, '启动失败', 'Did not start', 'error'],
  abnormal: [7, '异常待处理', 'Needs attention', 'error'],
  cancelled: [8, '已取消', 'Cancelled'],
  refunding: [9, '退款中', 'Being refunded', 'warning'],
  refunded: [10, '已退款', 'Refunded'],
})
/** What may become of a charge; `moveOrder` refuses everything else. */
export const chargeCan = moves(ChargeStatus, {
  accept: { 0: 1 },
  begin: { 0: 2, 1: 2, 6: 2 },
  fail: { 0: 6, 1: 6 },
  cancel: { 0: 8, 1: 8 },
  stop: { 2: 3 },
  end: { 2: 4, 3: 4, 7: 4 },
  lose: { 1: 7, 2: 7, 3: 7, 4: 7, 6: 7 },
  finish: { 4: 5 },
  refund: { 5: 9 },
  refunded: { 9: 10 },
  refundEnded: { 9: 5 },
})
export const StopReason = dictionary('charging_stop_reason', ['停止原因', 'Stop reason'], {
  user: [0, '用户手动停止', 'By the user'],
  partner: [1, '客户归属平台停止', 'By the user’s platform'],
  full: [2, 'BMS 停止（充满）', 'Full'],
  fault: [3, '设备故障', 'Fault'],
  unplugged: [4, '连接器断开', 'Unplugged'],
  outOfMoney: [5, '余额/预付到限', 'Balance used up'],
  operator: [6, '管理员强停', 'By the operator'],
  powerCut: [7, '断电', 'Power cut'],
  silence: [8, '离线超时', 'Offline too long'],
  occupied: [9, '占位超时', 'Overstayed'],
  emergency: [10, '急停', 'Emergency stop'],
  revoked: [11, '鉴权撤销', 'Authorisation withdrawn'],
  reboot: [12, '重启', 'Restart'],
  limit: [13, '达到设定', 'Limit reached'],
})
/** Which of its kinds takes less of a charge's price. */
export const OfferKind = dictionary('charging_offer_kind', ['优惠类型', 'Discount type'], {
  service: [1, '服务费折扣', 'Service fee discount'],
  reached: [2, '满减', 'Money off over a minimum'],
  first: [3, '首充立减', 'Money off the first session'],
  serviceE4: [4, '服务费每度减', 'Money off the service fee per kWh'],
  user: [5, '用户策略', 'User discount'],
})
/** A discount that was open to a charge when it began, frozen with it; at the bill the one best in fen is taken. */
export const Offer = message({
  kind: among('类型', 'Type', OfferKind),
  /** Of the user's discount or of the activity. */
  sourceId: text('来源', 'Source', { max: 64 }),
  name: text('名称', 'Name', { max: 64 }),
  /** Kinds 1 and 5: what is paid of the service fee, in thousandths; 2 and 3: fen off; 4: ten thousandths of a yuan off a kWh. */
  value: whole('优惠幅度', 'Discount', { min: 0 }),
  elecPermille: permille('电费按', 'Electricity charged at'),
  thresholdFen: fen('门槛', 'Minimum', { min: 0 }),
  maxDiscountFen: orNone(fen('最多优惠', 'Discount, at most', { min: 0 })),
  createdAt: instant('创建时间', 'Created at'),
})
/** What a charge is priced by, frozen when it began. */
export const Prices = message({
  /** None: it began off line where no price was in force, and a person has to see to it. */
  strategyId: orNone(Strategy.properties.id),
  versionNo: Strategy.properties.versionNo,
  periods: shaped('时段', 'Periods', listOf(Period)),
  idleGraceMin: Strategy.properties.idleGraceMin,
  occupyFenPerMin: Strategy.properties.occupyFenPerMin,
  occupyCapFen: Strategy.properties.occupyCapFen,
  quietFrom: Strategy.properties.quietFrom,
  quietTo: Strategy.properties.quietTo,
  offers: shaped('可用优惠', 'Discounts', listOf(Offer)),
})
/** The longest stretch at one price. */
export const BillLine = message({
  kind: among('时段类型', 'Period type', PeriodKind),
  from: instant('开始', 'From'),
  to: instant('结束', 'To'),
  wh: wattHours('电量', 'Energy'),
  elecPriceE4: priceE4('电价', 'Electricity'),
  servicePriceE4: priceE4('服务费', 'Service'),
  elecFen: fen('电费', 'Electricity', { min: 0 }),
  serviceFen: fen('服务费', 'Service', { min: 0 }),
})

const orderNo = text('充电订单号', 'Session number', { max: 40 })
/** One charge of one car, from the wish to the last bill. */
export const ChargeOrder = entity(['充电订单', 'Charging session'], {
  ...rowFields<'ChargeOrderId'>(),
  orderNo,
  /** As partners know it: the operator's nine characters and eighteen digits. */
  startChargeSeq: text('充电流水号', 'Charge sequence', { max: 27 }),
  parkCode,
  stationId: Station.properties.stationId,
  equipmentId: Equipment.properties.equipmentId,
  connectorId: Connector.properties.connectorId,
  startMode: among('启动方式', 'Started by', StartMode),
  /** Whose: a car's owner, a card, a partner's user. None of them: whoever scanned and paid in advance. */
  ownerId: orNone(text('车主编号', 'Owner', { max: 64 })),
  cardNo: orNone(text('卡号', 'Card number', { max: 20 })),
  platformId: orNone(text('互联平台', 'Partner platform', { max: 64 })),
  partnerOperatorId: orNone(text('客户运营商', 'Partner operator', { max: 9 })),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  vin: orNone(personal('document', text('VIN', 'VIN', { max: 17 }))),
  /** The transaction as the pile calls it. */
  transactionId: orNone(text('桩交易号', 'Transaction', { max: 40 })),
  status: among('状态', 'Status', ChargeStatus),
  stopReason: orNone(among('停止原因', 'Stop reason', StopReason)),
  /** Why it did not start, was called off, or waits for a person. */
  failReason: orNone(text('异常原因', 'What went wrong', { max: 200 })),
  startTime: instant('开始时间', 'Started at'),
  endTime: orNone(instant('结束时间', 'Ended at')),
  startWh: orNone(wattHours('起始底度', 'Start reading')),
  endWh: orNone(wattHours('结束底度', 'End reading')),
  energyWh: wattHours('电量', 'Energy'),
  socStart: orNone(whole('起始 SOC', 'Starting state of charge', { unit: 'percent', min: 0, max: 100 })),
  soc: orNone(whole('SOC', 'State of charge', { unit: 'percent', min: 0, max: 100 })),
  powerW: orNone(whole('功率', 'Power', { unit: 'watt' })),
  /** What it costs so far, by the function that makes its bill. */
  elecFen: fen('电费', 'Electricity', { min: 0 }),
  serviceFen: fen('服务费', 'Service', { min: 0 }),
  occupyFen: fen('占位费', 'Idle fee', { min: 0 }),
  discountFen: fen('优惠', 'Discount', { min: 0 }),
  costFen: fen('费用', 'Cost', { min: 0 }),
  /** Its time is ours, because the pile's cannot be right. */
  clockFixed: yes('时间已校正', 'Clock corrected'),
  finalAt: orNone(instant('结算时间', 'Billed at')),
})
export const chargeSearch = searchOf(
  ChargeOrder,
  {
    orderNo: 'equals',
    startMode: 'among',
    connectorId: 'startsWith',
    plateNo: 'plate',
    status: 'among',
    startTime: 'between',
    stationId: 'equals',
    parkCode: 'equals',
    cardNo: 'equals',
  },
  { sort: ['startTime'] },
)
/** One step of a charge, as its story tells it. */
export const ChargeMove = entity({
  orderNo,
  parkCode,
  fromStatus: orNone(among('原状态', 'From', ChargeStatus)),
  toStatus: among('新状态', 'To', ChargeStatus),
  event: text('事件', 'Event', { max: 40 }),
  at: instant('时间', 'Time'),
  byName: text('操作人', 'By', { max: 64 }),
  note: orNone(text('说明', 'Note', { max: 500 })),
})
