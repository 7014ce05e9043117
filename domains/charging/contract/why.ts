import { PileFailure } from './pileCommand.ts'

/** Why a charge cannot be billed by itself and waits for a person. */
export const WAITS = {
  unpriced: ['开始时充电站没有在用的价格表', 'the station had no price in force when it began'],
  noEnd: ['缺少结束电表底度', 'its end reading is missing'],
  noBase: ['起始底度不可信，电量未知', 'its start reading cannot be trusted, so that the energy is not known'],
  tooMuch: ['电量超过额定功率可能值', 'its energy is more than the connector can give'],
  away: ['桩离线超过 24 小时，未收到结束', 'its pile has been offline for more than 24 hours and has not reported the end'],
} as const
/** Why one did not start, was called off, or has no end yet. */
const OTHERS = [
  ['充电枪已被他人占用', 'Somebody else has started at this connector: refunded in full'],
  ['另一笔充电已开始', 'Another charge has begun at this connector: refunded in full'],
  ['车辆未插枪或未启动，已超时', 'The car was not plugged in, or did not start, in time'],
  ['充电桩没有应答', 'The pile did not answer'],
  ['充电桩拒绝启动', 'The pile refused to start'],
  ['超时未付', 'The payment was not made in time'],
  ['支付没有发起', 'The payment could not be opened'],
  ['车主取消', 'Cancelled by the driver'],
  ['平台取消启动', 'Cancelled by the partner platform'],
  ['未收到结束，新的充电已开始', 'Its end was not reported and the next charge has begun'],
  ['启动超时后才开始，预付已退回，已要求停止', 'Started after the time-out; the prepayment was refunded and a stop was requested'],
  ['15 分钟没有数据', 'No data for 15 minutes'],
  ['对方拒绝启动', 'The partner platform refused to start'],
  ['对方未启动', 'The partner platform did not start it'],
  ['该充电枪已由另一笔充电使用', 'Another charge has begun at this connector'],
  ['断电后车已离开，未收到结束', 'The car left after a power cut and the end was not reported'],
] as const
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
const ENGLISH = new Map<string, string>([
  ...OTHERS,
  ...Object.values(WAITS).map(([zh, en]) => [zh, capital(en)] as const),
  ...Object.values(PileFailure.entries).map(([zh, en]) => [zh, en] as const),
])
/** A reason as it is kept, for those who read English; what a refusal said is kept in Chinese alone. */
export const whyInEnglish = (zh: string): string | undefined => ENGLISH.get(zh)
