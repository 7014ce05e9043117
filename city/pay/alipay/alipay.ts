import { cityTextIn } from '../clock.ts'
import type { Deliveries } from '../deliveries.ts'
import type { AlipayKeys } from '../keys.ts'
import type { PayStore, Trade } from '../store.ts'
import { type Asked, redirected, type Said, type Told } from '../wire.ts'
import { Bills } from './bills.ts'
import { Content } from './content.ts'
import { type AlipayContext, type AlipaySettings, type Call, REAL, type Work } from './context.ts'
import { payIdPage, payOrCancel, refusedPage, tradePage } from './driver.ts'
import { tellTrade } from './notices.ts'
import { Oauth } from './oauth.ts'
import { agreementQuery, orderPay, orderQuery, orderRefund, taken } from './parking.ts'
import { platePage } from './platePage.ts'
import { AlipayRefusal } from './refusals.ts'
import { appOf, literal, type Parameters, signed } from './signature.ts'
import { cancel, close, create, ordered, precreate, query, refund, refundQuery } from './trades.ts'

export interface AlipayOptions {
  keys: AlipayKeys
  store: PayStore
  deliveries: Deliveries
  now: () => number
  settings?: Partial<AlipaySettings> | undefined
}
const WAP = 'alipay.trade.wap.pay'

/** Alipay's gateway as its merchants and their drivers see it. */
export class PlayedAlipay {
  readonly #context: AlipayContext
  readonly #bills = new Bills()
  readonly #oauth = new Oauth()
  readonly #works: ReadonlyMap<string, Work>

  constructor({ settings, ...rest }: AlipayOptions) {
    this.#context = { ...rest, settings: { ...REAL, ...settings } }
    this.#works = worksOf(this.#bills, this.#oauth)
  }

  static knows(path: string): boolean {
    return /^\/(gateway\.do$|alipay\/|oauth2\/publicAppAuthorize\.htm$)/.test(path)
  }
  answer(asked: Asked): Told {
    return asked.path === '/gateway.do' ? this.#gateway(asked) : this.#driver(asked)
  }
  /** A year has passed: no refund any more, and the notice of the trade comes once more. */
  finish(trade: Trade): void {
    trade.isFinished = true
    tellTrade(this.#context, trade)
  }

  #gateway(asked: Asked): Told {
    const parameters: Parameters = {
      ...Object.fromEntries(asked.query),
      ...(asked.method === 'POST' && Object.fromEntries(new URLSearchParams(asked.body))),
    }
    const method = parameters['method'] ?? ''
    if (method === WAP) return this.#wap(asked, parameters)
    const work = this.#works.get(method)
    if (!work) {
      const refusal =
        method === '' ? new AlipayRefusal('isv.missing-method', '缺少方法名参数') : new AlipayRefusal('isv.invalid-method', '不存在的方法名')
      return this.#told('error_response', refusal.said())
    }
    const name = `${method.replaceAll('.', '_')}_response`
    try {
      return this.#told(name, work(this.#admitted(asked, parameters)))
    } catch (error) {
      if (error instanceof AlipayRefusal) return this.#told(name, error.said())
      throw error
    }
  }
  #admitted(asked: Asked, parameters: Parameters): Call {
    const app = appOf(parameters, this.#context.keys)
    const { timestamp } = parameters
    if (!timestamp) throw new AlipayRefusal('isv.missing-timestamp', '缺少时间戳参数')
    if (cityTextIn(timestamp) === undefined) throw new AlipayRefusal('isv.invalid-timestamp', '非法的时间戳参数')
    return { ...this.#context, asked, app, parameters, content: new Content(parameters['biz_content']) }
  }
  /** `sign` is over the literal text of the answer. */
  #told(name: string, said: Said): Told {
    const text = literal(said)
    const body = `{"${name}":${text},"sign":"${signed(text, this.#context.keys.gateway.privateKey)}"}`
    return { status: 200, headers: { 'content-type': 'text/html;charset=utf-8' }, body }
  }
  /** A page of the merchant sends the driver here, who goes on to the cashier. */
  #wap(asked: Asked, parameters: Parameters): Told {
    try {
      const call = this.#admitted(asked, parameters)
      if (call.content.text('product_code', 64) !== 'QUICK_WAP_WAY') throw new AlipayRefusal('ACQ.INVALID_PARAMETER', '参数无效：product_code')
      return redirected(`/alipay/cashier/${ordered(call, 'h5').payId}`)
    } catch (error) {
      if (!(error instanceof AlipayRefusal)) throw error
      return refusedPage(asked, [`${error.message}（${error.subCode}）`, error.subCode])
    }
  }

  #driver(asked: Asked): Told {
    const context = this.#context
    const payId = asked.method === 'GET' ? /^\/alipay\/(?:qr|cashier)\/(\w+)$/.exec(asked.path)?.[1] : undefined
    if (payId) return payIdPage(context, asked, payId)
    switch (`${asked.method} ${asked.path}`) {
      case 'GET /alipay/tradePay':
        return tradePage(context, asked)
      case 'POST /alipay/pay':
        return payOrCancel(context, asked)
      case 'GET /alipay/bill':
        return this.#bills.download(context, asked)
      case 'GET /alipay/parking':
      case 'POST /alipay/parking':
        return platePage(context, asked)
      case 'GET /oauth2/publicAppAuthorize.htm':
        return this.#oauth.authorize(context, asked)
      default:
        return { status: 404 }
    }
  }
}

const worksOf = (bills: Bills, oauth: Oauth): ReadonlyMap<string, Work> =>
  new Map<string, Work>([
    ['alipay.trade.precreate', precreate],
    ['alipay.trade.create', create],
    ['alipay.trade.query', query],
    ['alipay.trade.close', close],
    ['alipay.trade.cancel', cancel],
    ['alipay.trade.refund', refund],
    ['alipay.trade.fastpay.refund.query', refundQuery],
    ['alipay.data.dataservice.bill.downloadurl.query', (call) => bills.address(call)],
    ['alipay.system.oauth.token', (call) => oauth.token(call)],
    ['alipay.eco.mycar.parking.agreement.query', agreementQuery],
    ['alipay.eco.mycar.parking.enterinfo.sync', taken],
    ['alipay.eco.mycar.parking.exitinfo.sync', taken],
    ['alipay.eco.mycar.parking.order.pay', orderPay],
    ['alipay.eco.mycar.parking.order.refund', orderRefund],
    ['alipay.eco.mycar.trade.order.query', orderQuery],
  ])
