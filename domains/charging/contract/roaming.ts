import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  called,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  pick,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { NamedLine } from '../../ledger/contract/account.ts'
import { BillKind } from './money.ts'
import { PartnerConnector, PartnerPrice, PartnerStation } from './partnerStation.ts'
import { PlatformMessage, PlatformRow } from './platform.ts'
import { ChargeOrder, ChargeStatus, StopReason } from './session.ts'
import { priceE4, wattHours } from './units.ts'

/** What a partner's bill looks like when a person has to look at it. */
export const Doubt = dictionary('charging_bill_doubt', ['账单疑点', 'Bill discrepancy'], {
  sums: [1, '金额合计不符', 'Amounts do not add up'],
  lines: [2, '分段与合计不符', 'Periods do not add up to the totals'],
  price: [3, '与启动时报价不符', 'Not the prices quoted at the start'],
  time: [4, '时间不合理', 'Impossible times'],
  energy: [5, '电量超过额定功率可能值', 'More energy than the rated power allows'],
  gun: [6, '充电枪编号与订单不符', 'Not the connector of this session'],
  noBill: [7, '结束后未收到账单', 'No bill came after the end'],
  unknown: [8, '对方不认识此订单', 'The partner does not know this session'],
})
/** What may become of such a charge. One that was given up and began all the same is charging; a bill ends it from wherever it is. */
export const roamingCan = moves(ChargeStatus, {
  accept: { 0: 1 },
  begin: { 0: 2, 1: 2, 6: 2 },
  fail: { 0: 6, 1: 6, 3: 6, 4: 6 },
  stop: { 0: 3, 1: 3, 2: 3 },
  end: { 0: 4, 1: 4, 2: 4, 3: 4 },
  bill: { 0: 5, 1: 5, 2: 5, 3: 5, 4: 5, 6: 5, 7: 5 },
  doubt: { 0: 7, 1: 7, 2: 7, 3: 7, 4: 7, 6: 7, 7: 7 },
})

/** A line of a partner's bill: energy at one price. */
export const RoamingLine = message({
  from: instant('开始', 'From'),
  to: instant('结束', 'To'),
  wh: wattHours('电量', 'Energy'),
  elecPriceE4: priceE4('电价', 'Electricity'),
  servicePriceE4: priceE4('服务费', 'Service'),
  elecFen: fen('电费', 'Electricity', { min: 0 }),
  serviceFen: fen('服务费', 'Service', { min: 0 }),
})

/** A charge of a driver of ours at a partner's gun: the partner bills it to us, and we take it from the driver's stored value. */
export const RoamingRow = entity(['跨平台充电订单', 'Roaming session'], {
  ...rowFields<'RoamingId'>(),
  orderNo: text('订单号', 'Session number', { max: 40 }),
  startChargeSeq: ChargeOrder.properties.startChargeSeq,
  platformId: PartnerStation.properties.platformId,
  stationId: PartnerStation.properties.stationId,
  stationName: PartnerStation.properties.stationName,
  connectorId: PartnerConnector.properties.connectorId,
  powerKw: called(PartnerConnector.properties.power, '额定功率（kW）', 'Rated power (kW)'),
  ownerId: text('车主编号', 'Owner', { max: 64 }),
  payer: text('车主', 'Driver', { max: 64 }),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  status: among('状态', 'Status', ChargeStatus),
  stopReason: orNone(among('停止原因', 'Stop reason', StopReason)),
  failReason: orNone(text('说明', 'Note', { max: 200 })),
  /** What was quoted when it began: its bill is looked at by it. */
  prices: shaped('启动时报价', 'Prices at the start', listOf(PartnerPrice)),
  startTime: orNone(instant('开始时间', 'Started at')),
  endTime: orNone(instant('结束时间', 'Ended at')),
  energyWh: wattHours('电量', 'Energy'),
  elecFen: fen('电费', 'Electricity', { min: 0 }),
  serviceFen: fen('服务费', 'Service', { min: 0 }),
  costFen: fen('费用', 'Cost', { min: 0 }),
  soc: orNone(whole('SOC', 'State of charge', { unit: 'percent', min: 0, max: 100 })),
  saidAt: orNone(instant('最近上报', 'Last heard')),
  holdFen: fen('冻结金额', 'On hold', { min: 0 }),
  held: yes('冻结中', 'Still on hold'),
  capturedFen: fen('储值实扣', 'Taken from stored value', { min: 0 }),
  releasedFen: fen('解冻', 'Released', { min: 0 }),
  shortfallFen: fen('不足', 'Shortfall', { min: 0 }),
  lines: shaped('账单分段', 'Bill by period', listOf(RoamingLine)),
  doubts: shaped('疑点', 'Discrepancies', listOf(among('疑点', 'Discrepancies', Doubt))),
  finalAt: orNone(instant('结算时间', 'Billed at')),
  /** What a person agreed to with the partner of a bill in doubt; another one reviews it. */
  agreedFen: orNone(fen('商定金额', 'Agreed amount', { min: 0 })),
  agreedNote: orNone(text('商定说明', 'Agreed because', { max: 200 })),
  agreedId: orNone(id<'PersonId'>('提交人编号', 'Submitter id')),
  agreedName: orNone(text('提交人', 'Submitted by')),
  decidedName: orNone(text('复核人', 'Reviewed by')),
})
export const Roaming = entity({ ...RoamingRow.properties, platformName: PlatformRow.properties.name })
export const roamingSearch = searchOf(
  Roaming,
  {
    orderNo: 'equals',
    startChargeSeq: 'equals',
    platformId: 'equals',
    plateNo: 'plate',
    connectorId: 'startsWith',
    status: 'among',
    createdAt: 'between',
  },
  { sort: ['createdAt'] },
)

/** What we owe for it; a bill never changes, and what is put right later is one more. */
export const RoamingBill = entity(['跨平台充电账单', 'Roaming bill'], {
  id: id<'RoamingBillId'>(),
  billNo: text('账单号', 'Bill number', { max: 40 }),
  orderNo: RoamingRow.properties.orderNo,
  platformId: RoamingRow.properties.platformId,
  kind: among('账单类型', 'Type', BillKind),
  finalAt: instant('结算时间', 'Billed at'),
  energyWh: wattHours('电量', 'Energy'),
  elecFen: fen('电费', 'Electricity', { min: 0 }),
  serviceFen: fen('服务费', 'Service', { min: 0 }),
  adjustFen: fen('调整', 'Adjustment'),
  capturedFen: fen('储值实扣', 'Taken from stored value'),
  waivedFen: fen('平台承担', 'Borne by us'),
  arrearsFen: fen('转欠费', 'Owed by the driver', { min: 0 }),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
})
export const RoamingStory = entity({
  ...Roaming.properties,
  bills: shaped('账单', 'Bills', listOf(RoamingBill)),
  letters: shaped('互联消息', 'Messages', listOf(pick(PlatformMessage, 'id', 'way', 'interface', 'state', 'ret', 'createdAt'))),
  entries: shaped('总账分录', 'Ledger entries', listOf(NamedLine)),
})

const view = { service: 'charging', needs: 'charging:order:view', own: true } as const
const finance = { service: 'charging', needs: 'charging:order:finance', writes: true, own: true } as const
const byVersion = pick(RoamingRow, 'id', 'version').properties
const reason = text('原因', 'Reason', { max: 200 })
const query = call('charging.roaming.query', { ...view, post: '/roaming/query', body: paged(roamingSearch), reply: pageOf(Roaming) })
export const roaming = {
  query,
  export: exportOf('charging.roaming.export', {
    service: 'charging',
    needs: 'charging:order:view',
    own: true,
    post: '/roaming/export',
    title: ['跨平台充电', 'Roaming sessions'],
    query,
    columns: [
      'orderNo',
      'plateNo',
      'payer',
      'platformName',
      'stationName',
      'connectorId',
      'status',
      'createdAt',
      'endTime',
      'energyWh',
      'costFen',
      'holdFen',
      'capturedFen',
      'releasedFen',
      'shortfallFen',
      'agreedFen',
      'agreedName',
      'decidedName',
      'stopReason',
      'finalAt',
      'startChargeSeq',
      'failReason',
    ],
  }),
  detail: call('charging.roaming.detail', { ...view, post: '/roaming/detail', body: pick(RoamingRow, 'id'), reply: RoamingStory }),
  /** Asks the partner to end it; where nothing answers it is asked again by itself. */
  stop: call('charging.roaming.stop', {
    service: 'charging',
    needs: 'charging:order:edit',
    writes: true,
    own: true,
    post: '/roaming/stop',
    does: ['停止跨平台充电', 'Stopped a roaming session'],
    body: message({ id: byVersion.id, reason }),
    reply: Roaming,
  }),
  /** What a person agreed to with the partner of a bill in doubt; it waits for another one. */
  settle: call('charging.roaming.settle', {
    ...finance,
    post: '/roaming/settle',
    does: ['提交跨平台账单争议处理', 'Submitted a disputed roaming bill for review'],
    body: message({ ...byVersion, amountFen: fen('结算金额', 'Amount to settle', { min: 0 }), reason }),
    reply: Roaming,
  }),
  /** Another than who agreed to it: with the yes the bill is settled. */
  settleDecide: call('charging.roaming.settle-decide', {
    ...finance,
    post: '/roaming/settleDecide',
    does: ['复核跨平台账单争议', 'Reviewed a disputed roaming bill'],
    body: message({ ...byVersion, pass: yes('通过', 'Approved') }, { verdict: text('复核意见', 'Review comment', { max: 200 }) }),
    reply: Roaming,
  }),
}
