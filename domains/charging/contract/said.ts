import { sentences } from '../../../platform/contract/said.ts'

/** What the domain itself writes into rows. */
export const Said = sentences('charging', {
  rest: ['充电结算，余款退回', 'Charging session settled: the rest is refunded'],
  notStarted: ['启动失败，预付退回', 'It did not start: the prepayment is refunded'],
  over: ['订单已结束，预付退回', 'The charging session is over: the prepayment is refunded'],
  refundRefused: ['退款未通过', 'The refund was not approved'],
  debt: ['充电欠费 {orderNo}', 'Charging debt {orderNo}'],
  prepaid: ['充电预付 {connectorId}', 'Charging prepayment {connectorId}'],
  late: ['桩补报电量', 'Energy the pile reported late'],
  hot: ['枪头温度 {temperatureC} ℃', 'Plug temperature {temperatureC} °C'],
  offline: ['离线超过 {long}', 'Offline for more than {long}'],
  driver: ['车主', 'Driver'],
  scanned: ['扫码用户', 'Driver (scanned code)'],
  load: ['负荷管理', 'Load management'],
  notReachable: ['对方地址或密钥未设置', 'The partner’s address or key is not set'],
  reconciled: ['{why}（对账）', '{why} (reconciliation)'],
  held: ['{days} 天未处理，款项先行退回', 'Not handled for {days:day}: the money goes back first'],
  plate: ['车牌', 'Plate'],
  user: ['用户', 'User'],
  card: ['卡', 'Card'],
  ac: ['交流', 'AC'],
  dc: ['直流', 'DC'],
  erased: ['已注销', 'Account deleted'],
})
