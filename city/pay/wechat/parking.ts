import { randomBytes } from 'node:crypto'
import { rfc3339 } from '../clock.ts'
import type { Plate, Trade } from '../store.ts'
import { type Said, type Told, told } from '../wire.ts'
import { type Call, merchantOfTrade, type WechatContext } from './context.ts'
import { bodyOf, type Fields, NUMBER } from './fields.ts'
import { tell } from './notices.ts'
import { openidOf } from './openid.ts'
import { amountOf, ownApplication } from './orders.ts'
import { WechatRefusal } from './refusals.ts'

export const COLORS = ['BLUE', 'GREEN', 'YELLOW', 'BLACK', 'WHITE', 'LIMEGREEN'] as const
const SERVICE = { normal: 'NORMAL', paused: 'PAUSE', ended: 'OUT_SERVICE' } as const
/** A debit is accepted for so long. */
const DEBIT_MS = 24 * 3_600_000
/** Cars that have entered and did not leave. */
const ENTERED_KEPT = 100_000

/** A car that a merchant has announced at its entry. */
interface Entry {
  id: string
  mchid: string
  outNo: string
  plateNo: string
  color: string
  startTime: string
  parkingName: string
  freeDuration: number
  notifyUrl: string
  state: 'NORMAL' | 'BLOCKED'
  /** Its fee was taken. */
  isOver: boolean
}

/** The parking service of the payment score: fees are taken by plate and its colour, without a contract number. */
export class Parking {
  readonly #entries = new Map<string, Entry>()
  readonly #byOutNo = new Map<string, Entry>()

  find({ asked: { query }, merchant, store }: Call): Told {
    const [plateNo, color, openid] = ['plate_number', 'plate_color', 'openid'].map((name) => {
      const value = query.get(name)
      if (!value) throw new WechatRefusal('PARAM_ERROR', `输入源“/query/${name}”缺少必填字段`, { field: `/${name}`, location: 'query' })
      return value
    }) as [string, string, string]
    if (query.get('appid') !== merchant.appid) throw new WechatRefusal('APPID_MCHID_NOT_MATCH', 'AppID和mch_id不匹配')
    const known = store.plate('wechat', plateNo, color)
    // A car whose service somebody else has opened is not open for this driver.
    const plate = known && openidOf(merchant.appid, known.payer) === openid ? known : undefined
    const opened = plate && { service_open_time: rfc3339(plate.openedAt) }
    return told(200, { plate_number: plateNo, plate_color: color, ...opened, openid, service_state: SERVICE[plate?.state ?? 'ended'] })
  }

  enter({ asked, merchant, store }: Call): Told {
    const body = bodyOf(asked)
    const outNo = body.text('out_parking_no', { most: 32 })
    const [plateNo, color] = carOf(body)
    const startTime = rfc3339(body.time('start_time') ?? body.refuse('start_time', '缺少必填字段'))
    const parkingName = body.text('parking_name', { most: 32 })
    const [freeDuration, notifyUrl] = [body.whole('free_duration'), body.address('notify_url')]
    const known = this.#byOutNo.get(`${merchant.mchid} ${outNo}`)
    if (known && (known.plateNo !== plateNo || known.color !== color)) throw new WechatRefusal('INVALID_REQUEST', '相同入场单号的参数不一致')
    if (known) return told(200, entrySaid(known, store.plate('wechat', plateNo, color)))
    const plate = store.plate('wechat', plateNo, color)
    const state = plate?.state === 'normal' ? 'NORMAL' : 'BLOCKED'
    const id = randomBytes(10).toString('hex').toUpperCase()
    const entry: Entry = { id, mchid: merchant.mchid, outNo, plateNo, color, startTime, parkingName, freeDuration, notifyUrl, state, isOver: false }
    this.#keep(entry)
    return told(200, entrySaid(entry, plate))
  }
  #keep(entry: Entry): void {
    if (this.#entries.size >= ENTERED_KEPT) {
      const oldest = this.#entries.values().next().value!
      this.#entries.delete(oldest.id)
      this.#byOutNo.delete(`${oldest.mchid} ${oldest.outNo}`)
    }
    this.#entries.set(entry.id, entry)
    this.#byOutNo.set(`${entry.mchid} ${entry.outNo}`, entry)
  }

  /** Accepted, and taken a moment later; the merchant hears of it either way. */
  debit(call: Call): Told {
    const { asked, merchant, store, settings, deliveries, now } = call
    const body = bodyOf(asked)
    ownApplication(body, merchant.appid)
    const number = body.text('out_trade_no', NUMBER)
    const subject = body.text('description', { most: 128 })
    if (body.text('trade_scene', { most: 32 }) !== 'PARKING') body.refuse('trade_scene', '仅支持PARKING')
    const [notifyUrl, amountFen] = [body.address('notify_url'), amountOf(body)]
    const attach = body.maybe('attach', { most: 128, least: 0 })
    const known = store.trade('wechat', merchant.mchid, number)
    if (known && (known.amountFen !== amountFen || known.scene !== 'debit')) throw new WechatRefusal('OUT_TRADE_NO_USED', '商户订单号重复')
    if (known) return told(200, parkingTransaction(known))
    const { entry, info } = this.#stay(body.within('parking_info'), merchant.mchid)
    const plate = store.plate('wechat', entry.plateNo, entry.color)
    if (plate?.state !== 'normal') throw new WechatRefusal('INVALID_REQUEST', '该车牌当前不可用停车服务扣费')
    const order = { channel: 'wechat', mchId: merchant.mchid, appId: merchant.appid, number, amountFen, subject, notifyUrl, attach } as const
    const trade = store.add({ ...order, scene: 'debit', expiresAt: now() + DEBIT_MS, payer: openidOf(merchant.appid, plate.payer), more: info })
    deliveries.later(settings.debitAfterMs, () => take(call, trade, plate, entry))
    return told(200, parkingTransaction(trade))
  }
  #stay(info: Fields, mchid: string): { entry: Entry; info: Said } {
    const entry = this.#entries.get(info.text('parking_id', { most: 32 }))
    if (entry?.mchid !== mchid) throw new WechatRefusal('INVALID_REQUEST', '停车入场id不存在')
    const [plateNo, color] = carOf(info)
    if (entry.plateNo !== plateNo || entry.color !== color) throw new WechatRefusal('INVALID_REQUEST', '车牌与停车入场id不一致')
    const time = (name: string) => rfc3339(info.time(name) ?? info.refuse(name, '缺少必填字段'))
    const said = {
      parking_id: entry.id,
      plate_number: plateNo,
      plate_color: color,
      start_time: time('start_time'),
      end_time: time('end_time'),
      parking_name: info.text('parking_name', { most: 32 }),
      charging_duration: info.whole('charging_duration'),
      device_id: info.text('device_id', { most: 32 }),
    }
    return { entry, info: said }
  }

  query({ store, merchant, names }: Call): Told {
    const trade = store.trade('wechat', merchant.mchid, names[0]!)
    if (trade?.scene !== 'debit') throw new WechatRefusal('ORDER_NOT_EXIST', '订单不存在')
    return told(200, parkingTransaction(trade))
  }

  /** The driver has opened, paused or ended the service: merchants hear of cars that stand in their parks. */
  plateChanged(context: WechatContext, plate: Plate): void {
    const state = plate.state === 'normal' ? 'NORMAL' : 'BLOCKED'
    for (const entry of this.#entries.values()) {
      if (entry.isOver || entry.plateNo !== plate.plateNo || entry.color !== plate.color || entry.state === state) continue
      entry.state = state
      const resource = {
        sp_mchid: entry.mchid,
        parking_id: entry.id,
        out_parking_no: entry.outNo,
        plate_number: entry.plateNo,
        plate_color: entry.color,
        start_time: entry.startTime,
        parking_name: entry.parkingName,
        free_duration: entry.freeDuration,
        parking_state: state,
        ...(state === 'BLOCKED' && { blocked_state_description: SERVICE[plate.state] }),
        state_update_time: rfc3339(context.now()),
      }
      const happened = {
        event: 'VEHICLE.ENTRANCE_STATE_CHANGE',
        summary: '停车入场状态变更',
        of: 'parking',
        resource,
        url: entry.notifyUrl,
        number: entry.outNo,
      }
      const merchant = context.keys.merchants.find(({ mchid }) => mchid === entry.mchid)!
      tell(context, merchant, happened, { waitsMs: context.settings.parkingWaitsMs })
    }
  }
}

function carOf(fields: Fields): [plateNo: string, color: string] {
  const [plateNo, color] = [fields.text('plate_number', { most: 32 }), fields.text('plate_color', { most: 32 })]
  return COLORS.some((one) => one === color) ? [plateNo, color] : fields.refuse('plate_color', '车牌颜色不支持')
}
function entrySaid(entry: Entry, plate: Plate | undefined): Said {
  const { id, outNo, plateNo, color, startTime, parkingName, freeDuration, state } = entry
  const car = { plate_number: plateNo, plate_color: color, start_time: startTime, parking_name: parkingName, free_duration: freeDuration }
  return { id, out_parking_no: outNo, ...car, state, ...(state === 'BLOCKED' && { block_reason: SERVICE[plate?.state ?? 'ended'] }) }
}

function take(context: WechatContext, trade: Trade, plate: Plate, entry: Entry): void {
  const { store, settings } = context
  if (trade.state !== 'unpaid') return
  const isEnough = trade.amountFen <= plate.limitFen
  const isPaid = isEnough || plate.isTrusted
  if (isPaid) {
    trade.isAdvanced = !isEnough
    store.pay(trade)
    entry.isOver = true
  } else {
    trade.failure = 'balance'
    store.close(trade)
    store.counts.debitsFailed++
  }
  const [event, summary] = isPaid ? (['TRANSACTION.SUCCESS', '支付成功'] as const) : (['TRANSACTION.FAIL', '支付失败'] as const)
  const happened = { event, summary, of: 'transaction', resource: parkingTransaction(trade), url: trade.notifyUrl!, number: trade.number }
  tell(context, merchantOfTrade(context, trade), happened, { waitsMs: settings.parkingWaitsMs })
}

function stateOf({ state, refundedFen }: Trade): readonly [state: string, words: string] {
  if (state === 'unpaid') return ['ACCEPTED', '已接收，等待扣款']
  if (state === 'closed') return ['PAY_FAIL', '支付失败，请重新下单支付']
  return refundedFen > 0 ? ['REFUND', '转入退款'] : ['SUCCESS', '支付成功']
}
/** A debit as its call, a query and a notice tell it. */
function parkingTransaction(trade: Trade): Said {
  const [state, words] = stateOf(trade)
  const { appId, mchId, subject, createdAt, number, tradeNo, paidAt, attach, more, payer, amountFen, paidFen, isAdvanced } = trade
  return {
    appid: appId,
    sp_mchid: mchId,
    description: subject,
    create_time: rfc3339(createdAt),
    out_trade_no: number,
    ...(tradeNo && { transaction_id: tradeNo }),
    trade_state: state,
    trade_state_description: words,
    ...(paidAt !== undefined && { success_time: rfc3339(paidAt), bank_type: isAdvanced ? 'BPA' : 'OTHERS', ...(isAdvanced && { user_repaid: 'N' }) }),
    ...(attach !== undefined && { attach }),
    trade_scene: 'PARKING',
    parking_info: more,
    payer: { openid: payer },
    amount: { total: amountFen, currency: 'CNY', ...(paidAt !== undefined && { payer_total: paidFen, discount_total: 0 }) },
  }
}
