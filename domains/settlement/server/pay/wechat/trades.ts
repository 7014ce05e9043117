import type { Instant } from '../../../../../platform/contract/field.ts'
import { cityTime } from '../../../../../platform/contract/time.ts'
import type { TradeState } from '../provider.ts'
import type { Call, Client } from './client.ts'
import { type Fields, NotUnderstood } from './fields.ts'
import { newNonce, pageParams, secondsOf } from './signing.ts'
import type { Asked, Prepaid, WechatAccount } from './types.ts'
import { WechatSaid } from './words.ts'

const TRADES = '/v3/pay/transactions'
/** WeChat counts bytes. */
const SUBJECT_BYTES = 127
export const CURRENCY = 'CNY'

type Of = Pick<WechatAccount, 'appId' | 'notifyUrl'>
/** Tells WeChat of a payment that is to come; the same number with the same amount again is the same payment. */
export async function createTrade(client: Client, account: Of, order: Asked): Promise<Prepaid> {
  const { scene, payer, clientIp, returnUrl } = order
  const body = { ...orderOf(client, account, order), ...(clientIp && { scene_info: { payer_client_ip: clientIp } }) }
  const prepay = (more?: object) => client.ask({ method: 'POST', path: `${TRADES}/${scene}`, body: { ...body, ...more } })
  if (scene === 'native') return { codeUrl: (await prepay()).text('code_url') }
  if (scene === 'h5') {
    if (!clientIp) throw new Error('h5 needs the address of the payer.')
    const answer = await prepay({ scene_info: { payer_client_ip: clientIp, h5_info: { type: 'Wap' } } })
    return { payUrl: withReturn(answer.text('h5_url'), returnUrl) }
  }
  if (!payer) throw new Error('jsapi needs an openid.')
  const prepayId = (await prepay({ payer: { openid: payer } })).text('prepay_id')
  const { privateKey } = client.keys
  return { jsapi: pageParams({ appId: account.appId, prepayId, privateKey, timestamp: secondsOf(Date.now()), nonce: newNonce() }) }
}
const orderOf = ({ keys: { mchId } }: Client, { appId, notifyUrl }: Of, { payNo, amountFen, subject, expiresAt }: Asked) => ({
  appid: appId,
  mchid: mchId,
  description: withinBytes(subject, SUBJECT_BYTES),
  out_trade_no: payNo,
  time_expire: rfc3339(expiresAt),
  notify_url: notifyUrl,
  amount: { total: amountFen, currency: CURRENCY },
})
const withReturn = (address: string, returnUrl: string | undefined) =>
  returnUrl ? `${address}&redirect_url=${encodeURIComponent(returnUrl)}` : address
/** `2026-11-20T10:00:00+08:00` */
export const rfc3339 = (at: Instant): string => `${cityTime(at).replace(' ', 'T')}+08:00`
/** Cut between characters. */
export function withinBytes(text: string, most: number): string {
  let kept = ''
  for (const sign of text) {
    if (Buffer.byteLength(kept + sign) > most) break
    kept += sign
  }
  return kept
}

const byNumber = ({ keys: { mchId } }: Client, payNo: string): Call => ({
  method: 'GET',
  path: `${TRADES}/out-trade-no/${encodeURIComponent(payNo)}`,
  query: { mchid: mchId },
})
/** @throws PayAway where it cannot be known */
export async function queryTrade(client: Client, account: Pick<WechatAccount, 'appId'>, payNo: string): Promise<TradeState> {
  try {
    const fields = await client.ask(byNumber(client, payNo))
    if (fields.text('out_trade_no') !== payNo) throw new NotUnderstood('another trade')
    ofOurs(fields, client.keys.mchId, account.appId)
    return stateOf(fields)
  } catch (error) {
    if (error instanceof WechatSaid && error.outcome === 'none') return { state: 'none' }
    throw error
  }
}
/** The whole amount of a trade, however much of it went back. */
export async function paidOf(client: Client, tradeNo: string): Promise<number> {
  const path = `${TRADES}/id/${encodeURIComponent(tradeNo)}`
  const fields = await client.ask({ method: 'GET', path, query: { mchid: client.keys.mchId } })
  return fenIn(fields)
}

/** Of this merchant and this app: another's trade is none of ours, whoever signed it. @throws NotUnderstood */
export function ofOurs(fields: Fields, mchId: string, appId: string): void {
  if (fields.text('mchid') !== mchId || fields.text('appid') !== appId) throw new NotUnderstood('of another merchant')
}
/** What the merchant gets: a coupon of WeChat's that the payer used is paid by WeChat. @throws NotUnderstood */
export function fenIn(fields: Fields, name = 'total'): number {
  const amount = fields.part('amount')
  const fen = amount.count(name)
  if (fen < 1 || amount.textOr('currency', CURRENCY) !== CURRENCY) throw new NotUnderstood('no amount in fen')
  return fen
}

/** A trade of which everything went back was paid all the same. A payment that failed may be tried again until it is closed. */
const STATES = new Map<string, TradeState['state']>([
  ['SUCCESS', 'paid'],
  ['REFUND', 'paid'],
  ['NOTPAY', 'unpaid'],
  ['USERPAYING', 'unpaid'],
  ['PAYERROR', 'unpaid'],
  ['CLOSED', 'closed'],
  ['REVOKED', 'closed'],
])
function stateOf(fields: Fields): TradeState {
  const state = STATES.get(fields.text('trade_state'))
  if (!state) throw new NotUnderstood('a trade_state that is not known')
  if (state !== 'paid') return { state }
  return { state, tradeNo: fields.text('transaction_id'), amountFen: fenIn(fields), paidAt: fields.moment('success_time') }
}

/** Nobody can pay it any more. @throws WechatSaid `paid` where somebody has, PayAway where somebody is about to: it is queried again */
export async function closeTrade(client: Client, payNo: string): Promise<void> {
  const path = `${TRADES}/out-trade-no/${encodeURIComponent(payNo)}/close`
  await client.tell({ method: 'POST', path, body: { mchid: client.keys.mchId } }).catch((error: unknown) => {
    if (!(error instanceof WechatSaid) || (error.outcome !== 'closed' && error.outcome !== 'none')) throw error
  })
}
