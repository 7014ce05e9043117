import { sentences } from '../../../platform/contract/said.ts'

/** Why a charge cannot be billed by itself and waits for a person. */
export const WAITS = {
  unpriced: ['开始时充电站没有在用的价格表', 'the station had no price in force when it began'],
  noEnd: ['缺少结束电表底度', 'its end reading is missing'],
  noBase: ['起始底度不可信，电量未知', 'its start reading cannot be trusted, so that the energy is not known'],
  tooMuch: ['电量超过额定功率可能值', 'its energy is more than the connector can give'],
  away: ['桩离线超过 24 小时，未收到结束', 'its pile has been offline for more than 24 hours and has not reported the end'],
} as const
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
const beginning = <P extends readonly [string, string]>([zh, en]: P): P => [zh, capital(en)] as readonly [string, string] as P
/** The same as a line of its own, in the story of a charge. */
export const Waits = sentences('charging-waits', {
  unpriced: beginning(WAITS.unpriced),
  noEnd: beginning(WAITS.noEnd),
  noBase: beginning(WAITS.noBase),
  tooMuch: beginning(WAITS.tooMuch),
  away: beginning(WAITS.away),
})
/** Why one did not start, was called off, or has no end yet. */
export const Why = sentences('charging-why', {
  gunTaken: ['充电枪已被他人占用', 'Somebody else has started at this connector: refunded in full'],
  anotherBegan: ['另一笔充电已开始', 'Another session has begun at this connector: refunded in full'],
  notPlugged: ['车辆未插枪或未启动，已超时', 'The car was not plugged in, or did not start, in time'],
  noAnswer: ['充电桩没有应答', 'The pile did not answer'],
  refused: ['充电桩拒绝启动', 'The pile refused to start'],
  unpaid: ['超时未付', 'The payment was not made in time'],
  notOpened: ['支付没有发起', 'The payment could not be opened'],
  byDriver: ['车主取消', 'Cancelled by the driver'],
  byPlatform: ['平台取消启动', 'Cancelled by the partner platform'],
  nextBegan: ['未收到结束，新的充电已开始', 'Its end was not reported and the next session has begun'],
  tooLate: ['启动超时后才开始，预付已退回，已要求停止', 'Started after the time-out; the prepayment was refunded and a stop was requested'],
  silent: ['15 分钟没有数据', 'No data for 15 minutes'],
  partnerRefused: ['对方拒绝启动', 'The partner platform refused to start'],
  partnerDidNot: ['对方未启动', 'The partner platform did not start it'],
  gunHasAnother: ['该充电枪已由另一笔充电使用', 'Another session has begun at this connector'],
  powerCut: ['断电后车已离开，未收到结束', 'The car left after a power cut and the end was not reported'],
})
/** A partner's refusal in a code of its own: the console shows it, it tells a driver nothing. */
export const PartnerSaid = sentences('charging-partner', { failed: ['对方启动失败（{code}）', 'The partner platform could not start it ({code})'] })
