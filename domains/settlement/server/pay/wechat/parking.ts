import type { Instant } from '../../../../../platform/contract/field.ts'
import { PlateColor, type PlateColorCode } from '../../../../../platform/contract/plate.ts'
import type { Client } from './client.ts'
import { type Fields, NotUnderstood } from './fields.ts'
import { type ParkingTrade, parkingTradeIn } from './parkingTrade.ts'
import { outward } from './refusals.ts'
import { CURRENCY, rfc3339, withinBytes } from './trades.ts'
import type { WechatAccount } from './types.ts'
import { WechatSaid } from './words.ts'

const SERVICE = '/v3/vehicle/parking'
const DEBITS = '/v3/vehicle/transactions'
const DESCRIPTION_BYTES = 128
/** WeChat knows these colours only. */
const COLORS: Partial<Record<PlateColorCode, string>> = {
  [PlateColor.blue]: 'BLUE',
  [PlateColor.green]: 'GREEN',
  [PlateColor.yellow]: 'YELLOW',
  [PlateColor.black]: 'BLACK',
  [PlateColor.white]: 'WHITE',
  [PlateColor.yellowGreen]: 'LIMEGREEN',
}
export interface Car {
  plateNo: string
  plateColor: PlateColorCode
}
export interface ParkingEntry {
  /** WeChat's number of the stay: the debit names it. */
  parkingId: string
  usable: boolean
  /** `PAUSE`, `OVERDUE`, `OUT_SERVICE`, `EVALUATION_FAILED` */
  blocked: string | undefined
}
interface Stay extends Car {
  startAt: Instant
  parkName: string
}
/** 微信支付分停车服务: a driver allows it once for a plate and its colour; each stay is told of at its entry, and debited at its exit. */
export interface WechatParking {
  /** Whether the driver has allowed it for this car. */
  service(which: Car & { openid: string }): Promise<{ state: 'open' | 'paused' | 'none'; openedAt: Instant | undefined }>
  /** Tells of an entry; undefined for a car that WeChat cannot name. The same number again is the same entry. */
  enter(stay: Stay & { outParkingNo: string; freeSeconds: number }): Promise<ParkingEntry | undefined>
  /** Asks for the money. It comes, or does not, a moment later: by a notice, or when `query` is asked. */
  debit(order: Debit): Promise<ParkingTrade>
  query(payNo: string): Promise<ParkingTrade | { state: 'none' }>
}
export interface Debit extends Stay {
  parkingId: string
  endAt: Instant
  /** The time that is charged for, without what was free. */
  chargedSeconds: number
  deviceNo: string
  payNo: string
  amountFen: number
  subject: string
}

/** Every method may throw PayAway or PayRefused. */
export function wechatParking(client: Client, { appId, notifyUrl }: Pick<WechatAccount, 'appId' | 'notifyUrl'>): WechatParking {
  return {
    service: (which) => outward(() => service(client, appId, which)),
    enter: (stay) => outward(() => enter(client, notifyUrl, stay)),
    debit: (order) => outward(() => debit(client, { appId, notifyUrl }, order)),
    query: (payNo) => outward(() => query(client, payNo)),
  }
}

const SERVICES = new Map([
  ['NORMAL', 'open'],
  ['PAUSE', 'paused'],
  ['OUT_SERVICE', 'none'],
] as const)
async function service(client: Client, appId: string, { plateNo, plateColor, openid }: Car & { openid: string }) {
  const color = COLORS[plateColor]
  if (!color) return { state: 'none' as const, openedAt: undefined }
  const query = { appid: appId, plate_number: plateNo, plate_color: color, openid }
  const fields = await client.ask({ method: 'GET', path: `${SERVICE}/services/find`, query })
  const state = SERVICES.get(fields.text('service_state') as 'NORMAL')
  if (!state) throw new NotUnderstood('a service_state that is not known')
  return { state, openedAt: fields.momentOr('service_open_time', undefined) }
}

async function enter(client: Client, notifyUrl: string, stay: Parameters<WechatParking['enter']>[0]): Promise<ParkingEntry | undefined> {
  const color = COLORS[stay.plateColor]
  if (!color) return undefined
  const body = {
    out_parking_no: stay.outParkingNo,
    plate_number: stay.plateNo,
    plate_color: color,
    notify_url: notifyUrl,
    start_time: rfc3339(stay.startAt),
    parking_name: stay.parkName,
    free_duration: stay.freeSeconds,
  }
  const fields = await client.ask({ method: 'POST', path: `${SERVICE}/parkings`, body })
  if (fields.text('out_parking_no') !== stay.outParkingNo) throw new NotUnderstood('another entry')
  return { parkingId: fields.text('id'), usable: fields.text('state') === 'NORMAL', blocked: fields.textOr('block_reason', undefined) }
}

async function debit(client: Client, { appId, notifyUrl }: { appId: string; notifyUrl: string }, order: Debit): Promise<ParkingTrade> {
  const body = {
    appid: appId,
    description: withinBytes(order.subject, DESCRIPTION_BYTES),
    out_trade_no: order.payNo,
    trade_scene: 'PARKING',
    notify_url: notifyUrl,
    profit_sharing: 'N',
    amount: { total: order.amountFen, currency: CURRENCY },
    parking_info: {
      parking_id: order.parkingId,
      plate_number: order.plateNo,
      plate_color: COLORS[order.plateColor],
      start_time: rfc3339(order.startAt),
      end_time: rfc3339(order.endAt),
      parking_name: order.parkName,
      charging_duration: order.chargedSeconds,
      device_id: order.deviceNo,
    },
  }
  return tradeOf(await client.ask({ method: 'POST', path: `${DEBITS}/parking`, body }), order.payNo)
}

async function query(client: Client, payNo: string): Promise<ParkingTrade | { state: 'none' }> {
  try {
    return tradeOf(await client.ask({ method: 'GET', path: `${DEBITS}/out-trade-no/${encodeURIComponent(payNo)}` }), payNo)
  } catch (error) {
    if (error instanceof WechatSaid && error.outcome === 'none') return { state: 'none' }
    throw error
  }
}
function tradeOf(fields: Fields, payNo: string): ParkingTrade {
  const trade = parkingTradeIn(fields)
  if (trade.payNo !== payNo) throw new NotUnderstood('another trade')
  return trade
}
