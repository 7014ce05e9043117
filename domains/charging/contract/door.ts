import { call } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, listOf, message, orNone, plate, shaped, text, yes } from '../../../platform/contract/field.ts'
import { Payment } from '../../settlement/contract/payment.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { Connector, ConnectorStatus } from './connector.ts'
import { Bill } from './money.ts'
import { Operator } from './operator.ts'
import { ChargeOrder } from './session.ts'
import { Station } from './station.ts'
import { Period, Strategy } from './strategy.ts'

/** What is printed at the gun; it cannot be made up. */
const code = text('二维码', 'QR code', { max: 40 })
/** A driver without an account pays one of these in advance; what is left goes back. */
export const PREPAY_FEN = [2_000, 5_000, 10_000] as const
export const PREPAY_USUAL_FEN = 5_000

export const DoorState = dictionary('charging_door_state', ['扫码充电', 'Charge by QR code'], {
  toPay: [1, '待支付', 'To be paid'],
  starting: [2, '等待插枪启动', 'Plug in'],
  charging: [3, '充电中', 'Charging'],
  stopping: [4, '停止中', 'Stopping'],
  billing: [5, '结算中', 'Billing'],
  done: [6, '已完成', 'Done'],
  failed: [7, '未启动', 'Did not start'],
  cancelled: [8, '已取消', 'Cancelled'],
  attention: [9, '人工核对中', 'Under review'],
})
/** The station's own line, printed at its piles: no person's number. */
const serviceTel = text('服务电话', 'Customer service', { max: 32 })
/** A sentence for the driver. */
export const DoorWords = entity({ zh: text('中文', 'Chinese', { max: 300 }), en: text('英文', 'English', { max: 300 }) })
/** A gun as whoever stands before it needs to know it. */
export const DoorGun = entity({
  connectorId: Connector.properties.connectorId,
  stationName: Station.properties.stationName,
  operatorName: Operator.properties.operatorName,
  serviceTel,
  parkNo: Connector.properties.parkNo,
  connectorType: Connector.properties.connectorType,
  power: Connector.properties.power,
  status: among('充电枪状态', 'Connector status', ConnectorStatus),
  /** What keeps a charge from beginning here now; nothing: it may. */
  hindrance: orNone(shaped('不能启动', 'Why not', DoorWords)),
  /** What is left of today, the present price first. */
  periods: shaped('今日价格', 'Prices today', listOf(Period)),
  idleGraceMin: Strategy.properties.idleGraceMin,
  occupyFenPerMin: Strategy.properties.occupyFenPerMin,
  occupyCapFen: Strategy.properties.occupyCapFen,
  quietFrom: Strategy.properties.quietFrom,
  quietTo: Strategy.properties.quietTo,
  prepays: shaped('可选预付', 'Prepayment options', listOf(fen('预付', 'Prepayment'))),
  usualFen: fen('默认预付', 'Default prepayment'),
})
const key = text('凭证', 'Key', { max: 64 })
/** The plate that its driver typed; they see it whole, having the key. */
const plateNo = orNone(text('车牌号', 'Plate', { max: 16 }))
export const DoorStart = entity({
  orderNo: ChargeOrder.properties.orderNo,
  /** Shows, stops and explains this one charge, and nothing else. It is told once. */
  key,
  payUrl: orNone(text('支付地址', 'Pay at', { max: 500 })),
  payBy: orNone(instant('请在此前支付', 'Pay by')),
})
const money = {
  prepaidFen: fen('预付', 'Prepaid', { min: 0 }),
  capturedFen: fen('已用', 'Used', { min: 0 }),
  returnedFen: fen('退回', 'Returned', { min: 0 }),
  /** Held for what the bay may still cost. */
  openFen: fen('冻结中', 'Still on hold', { min: 0 }),
}
/** A charge at this moment, priced by the function that will bill it. */
export const DoorCharge = entity({
  orderNo: ChargeOrder.properties.orderNo,
  state: among('状态', 'Status', DoorState),
  why: orNone(shaped('原因', 'Reason', DoorWords)),
  connectorId: ChargeOrder.properties.connectorId,
  stationName: Station.properties.stationName,
  serviceTel,
  plateNo,
  plugged: yes('已插枪', 'Plugged in'),
  /** Whether its pile is heard of. */
  online: yes('桩在线', 'Pile online'),
  payUrl: orNone(text('支付地址', 'Pay at', { max: 500 })),
  payBy: orNone(instant('请在此前支付', 'Pay by')),
  /** Plug in by then, or the money goes back. */
  startBy: orNone(instant('请在此前插枪', 'Plug in by')),
  startTime: ChargeOrder.properties.startTime,
  endTime: ChargeOrder.properties.endTime,
  energyWh: ChargeOrder.properties.energyWh,
  powerW: ChargeOrder.properties.powerW,
  soc: ChargeOrder.properties.soc,
  elecFen: ChargeOrder.properties.elecFen,
  serviceFen: ChargeOrder.properties.serviceFen,
  occupyFen: ChargeOrder.properties.occupyFen,
  discountFen: ChargeOrder.properties.discountFen,
  costFen: ChargeOrder.properties.costFen,
  ...money,
})
const { billNo, kind, finalAt, energyWh, lines, elecFen, serviceFen, occupyFen, adjustFen, discountFen, discountName, payableFen } = Bill.properties
export const DoorBill = entity({
  ...{ billNo, kind, finalAt, energyWh, lines, elecFen, serviceFen, occupyFen, adjustFen, discountFen, discountName, payableFen },
  waivedFen: Bill.properties.waivedFen,
  arrearsFen: Bill.properties.arrearsFen,
})
export const DoorRefund = entity({
  id: id<'RefundId'>(),
  amountFen: fen('退款', 'Refunded', { min: 0 }),
  state: among('状态', 'Status', RefundState),
  doneAt: orNone(instant('到账时间', 'Received at')),
})
/** What a charge cost and where the money is. No bill yet: it is not over. */
export const DoorBills = entity({
  orderNo: ChargeOrder.properties.orderNo,
  stationName: Station.properties.stationName,
  connectorId: ChargeOrder.properties.connectorId,
  plateNo,
  startTime: ChargeOrder.properties.startTime,
  endTime: ChargeOrder.properties.endTime,
  energyWh: ChargeOrder.properties.energyWh,
  stopped: orNone(shaped('停止原因', 'Stop reason', DoorWords)),
  bills: shaped('账单', 'Bills', listOf(DoorBill)),
  refunds: shaped('退款', 'Refunds', listOf(DoorRefund)),
  ...money,
})

const open = { service: 'charging', needs: 'public', own: true } as const
const mine = { orderNo: ChargeOrder.properties.orderNo, key }
/** Open to everybody who stands at a gun: its code says which gun, and the key of a charge is good for that charge alone. */
export const door = {
  show: call('charging.door.show', { ...open, get: '/door/show', heavy: true, query: message({ code }), reply: DoorGun }),
  start: call('charging.door.start', {
    ...open,
    post: '/door/start',
    writes: true,
    heavy: true,
    does: ['扫码启动充电', 'Started a charging session by QR code'],
    body: message({ code, prepayFen: fen('预付', 'Prepayment', { min: 1 }), payMethod: Payment.properties.payMethod }, { plateNo: plate() }),
    reply: DoorStart,
  }),
  status: call('charging.door.status', { ...open, get: '/door/status', query: message(mine), reply: DoorCharge }),
  bill: call('charging.door.bill', { ...open, get: '/door/bill', query: message(mine), reply: DoorBills }),
  /** Ends it, or calls it off where it has not begun. Asked again it answers how it stands. */
  stop: call('charging.door.stop', {
    ...open,
    post: '/door/stop',
    writes: true,
    heavy: true,
    does: ['扫码停止充电', 'Stopped a charging session by QR code'],
    body: message(mine),
    reply: DoorCharge,
  }),
  /** Whose car it was, for what a charge takes off its stay in the park. */
  bindPlate: call('charging.door.bind-plate', {
    ...open,
    post: '/door/bindPlate',
    writes: true,
    heavy: true,
    does: ['扫码绑定车牌', 'Linked a plate to a charging session by QR code'],
    body: message({ ...mine, plateNo: plate() }),
    reply: DoorCharge,
  }),
}
