import { DAY_MS } from '../../../platform/contract/time.ts'
import { rfc3339 } from '../clock.ts'
import type { WechatMerchant } from '../keys.ts'
import type { Scene, Trade } from '../store.ts'
import { type Said, type Told, told } from '../wire.ts'
import type { Call, WechatContext } from './context.ts'
import { bodyOf, type Fields, NUMBER } from './fields.ts'
import { isOpenidOf } from './openid.ts'
import { WechatRefusal } from './refusals.ts'

/** An order without `time_expire` can be paid for so long. */
const EXPIRES_MS = 7 * DAY_MS
/** A shorter time is refused. */
const EXPIRES_AT_LEAST_MS = 60_000

export const native = (call: Call): Told => told(200, { code_url: `${call.asked.base}/wechat/code?pr=${ordered(call, 'native').payId}` })
export const jsapi = (call: Call): Told => told(200, { prepay_id: ordered(call, 'jsapi').payId })
export const h5 = (call: Call): Told => {
  const { payId } = ordered(call, 'h5')
  return told(200, { h5_url: `${call.asked.base}/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=${payId}&package=${payId.slice(-10)}` })
}

/** @throws WechatRefusal for an order that is none, or that is not the one known by its number */
function ordered({ asked, merchant, store, now }: Call, scene: Scene): Trade {
  const body = bodyOf(asked)
  ownMerchant(body, merchant)
  const number = body.text('out_trade_no', NUMBER)
  const subject = body.text('description', { most: 127 })
  const notifyUrl = body.address('notify_url')
  const expiresAt = body.time('time_expire') ?? now() + EXPIRES_MS
  if (expiresAt < now() + EXPIRES_AT_LEAST_MS) body.refuse('time_expire', '时间过短')
  const amount = amountOf(body)
  const attach = body.maybe('attach', { most: 128, least: 0 })
  const payer = scene === 'jsapi' ? payerOf(body, merchant) : undefined
  if (scene === 'h5') h5Info(body)
  const known = store.trade('wechat', merchant.mchid, number)
  if (!known) {
    const order = { channel: 'wechat', mchId: merchant.mchid, appId: merchant.appid, number, amountFen: amount, subject } as const
    return store.add({ ...order, notifyUrl, expiresAt, scene, attach, payer })
  }
  if (known.state === 'paid') throw new WechatRefusal('INVALID_REQUEST', '该订单已支付')
  if (!store.isOpen(known)) throw new WechatRefusal('ORDER_CLOSED', '该订单已关闭')
  if (known.amountFen !== amount || known.subject !== subject || known.scene !== scene) throw new WechatRefusal('OUT_TRADE_NO_USED', '商户订单号重复')
  known.issuedAt = now()
  return known
}

/** The merchant that signed is the one that is named, with an application of its own. */
export function ownMerchant(body: Fields, { mchid, appid }: WechatMerchant): void {
  if (body.text('mchid', { most: 32 }) !== mchid) throw new WechatRefusal('MCH_NOT_EXISTS', '商户号不存在或与签名的商户号不一致')
  ownApplication(body, appid)
}
export function ownApplication(body: Fields, appid: string): void {
  if (body.text('appid', { most: 32 }) !== appid) throw new WechatRefusal('APPID_MCHID_NOT_MATCH', 'AppID和mch_id不匹配')
}
export function amountOf(body: Fields): number {
  const amount = body.within('amount')
  if (amount.has('currency') && amount.text('currency', { most: 16 }) !== 'CNY') amount.refuse('currency', '仅支持CNY')
  return amount.whole('total', 1)
}
function payerOf(body: Fields, { appid }: WechatMerchant): string {
  const payer = body.within('payer')
  const openid = payer.text('openid', { most: 128 })
  return isOpenidOf(appid, openid) ? openid : payer.refuse('openid', 'appid和openid不匹配')
}
function h5Info(body: Fields): void {
  const scene = body.within('scene_info')
  scene.text('payer_client_ip', { most: 45, least: 7 })
  scene.within('h5_info').text('type', { most: 32 })
}

export const query = (call: Call): Told => told(200, transactionOf(call, found(call, call.names[0]!)))
export function queryById(call: Call): Told {
  ownQuery(call)
  const trade = call.store.byTradeNo('wechat', call.names[0]!)
  if (trade?.mchId !== call.merchant.mchid) throw new WechatRefusal('ORDER_NOT_EXIST', '订单不存在')
  return told(200, transactionOf(call, trade))
}
function found(call: Call, number: string): Trade {
  ownQuery(call)
  const trade = call.store.trade('wechat', call.merchant.mchid, number)
  if (!trade) throw new WechatRefusal('ORDER_NOT_EXIST', '订单不存在')
  return trade
}
function ownQuery({ asked, merchant }: Call): void {
  const mchid = asked.query.get('mchid')
  if (!mchid) throw new WechatRefusal('PARAM_ERROR', '输入源“/query/mchid”缺少必填字段', { field: '/mchid', location: 'query' })
  if (mchid !== merchant.mchid) throw new WechatRefusal('MCH_NOT_EXISTS', '商户号不存在或与签名的商户号不一致')
}

/** 204 without a body; a closed order may be closed again. */
export function close({ asked, merchant, store, names }: Call): Told {
  if (bodyOf(asked).text('mchid', { most: 32 }) !== merchant.mchid) throw new WechatRefusal('MCH_NOT_EXISTS', '商户号不存在或与签名的商户号不一致')
  const trade = store.trade('wechat', merchant.mchid, names[0]!)
  if (!trade) throw new WechatRefusal('ORDER_NOT_EXIST', '订单不存在')
  if (trade.state === 'paid') throw new WechatRefusal('INVALID_REQUEST', '该订单已支付')
  store.close(trade)
  return { status: 204 }
}

const TRADE_TYPES = { native: 'NATIVE', jsapi: 'JSAPI', h5: 'MWEB', debit: 'PARKING' } as const
export const tradeType = ({ scene }: Trade): string => TRADE_TYPES[scene]
export function tradeState({ store }: Pick<WechatContext, 'store'>, trade: Trade): readonly [state: string, words: string] {
  if (trade.state === 'paid') return trade.refundedFen > 0 ? ['REFUND', '订单发生过退款，退款详情请查询退款单'] : ['SUCCESS', '支付成功']
  return store.isOpen(trade) ? ['NOTPAY', '订单未支付'] : ['CLOSED', '订单已关闭']
}
/** A transaction as a query answers it, and as a notice contains it. */
export function transactionOf(context: Pick<WechatContext, 'store'>, trade: Trade): Said {
  const [state, words] = tradeState(context, trade)
  const { appId, mchId, number, attach, tradeNo, paidAt, payer, amountFen, paidFen } = trade
  const asked = {
    mchid: mchId,
    appid: appId,
    out_trade_no: number,
    trade_state: state,
    trade_state_desc: words,
    ...(attach !== undefined && { attach }),
  }
  if (paidAt === undefined)
    return { ...asked, amount: { total: amountFen, currency: 'CNY' }, promotion_detail: [], ...(payer && { payer: { openid: payer } }) }
  return {
    ...asked,
    transaction_id: tradeNo,
    trade_type: tradeType(trade),
    bank_type: 'OTHERS',
    success_time: rfc3339(paidAt),
    payer: { openid: payer },
    amount: { total: paidFen, payer_total: paidFen, currency: 'CNY', payer_currency: 'CNY' },
    promotion_detail: [],
  }
}
