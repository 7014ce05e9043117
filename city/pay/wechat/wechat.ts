import { randomUUID } from 'node:crypto'
import type { Deliveries } from '../deliveries.ts'
import type { WechatKeys } from '../keys.ts'
import type { PayStore } from '../store.ts'
import type { Asked, Told } from '../wire.ts'
import { Bills } from './bills.ts'
import { certificates, roll } from './certificates.ts'
import { type Call, REAL, type WechatContext, type WechatSettings } from './context.ts'
import { codePage, h5Page, jsapiPage, payOrCancel } from './driver.ts'
import { Oauth } from './oauth.ts'
import { close, h5, jsapi, native, query, queryById } from './orders.ts'
import { Parking } from './parking.ts'
import { platePage } from './platePage.ts'
import { refund, refundQuery } from './refunds.ts'
import { WechatRefusal } from './refusals.ts'
import { asProbe, merchantOf, signatureHeaders, signerFor } from './signature.ts'

export interface WechatOptions {
  keys: WechatKeys
  store: PayStore
  deliveries: Deliveries
  now: () => number
  settings?: Partial<WechatSettings> | undefined
  /** Keeps the keys after a roll of certificates. */
  save?: (() => void) | undefined
}
type Work = (call: Call) => Told
interface Route {
  method: 'GET' | 'POST'
  path: RegExp
  work: Work
  /** A file is told without a signature. */
  isPlain?: boolean
}

/** WeChat Pay APIv3 as its merchants and their drivers see it. */
export class PlayedWechat {
  readonly #context: WechatContext
  readonly #oauth = new Oauth()
  readonly #parking = new Parking()
  readonly #routes: readonly Route[]
  readonly #save: () => void
  #answered = 0

  constructor({ settings, save = () => {}, ...rest }: WechatOptions) {
    this.#save = save
    this.#context = { ...rest, settings: { ...REAL, ...settings } }
    this.#routes = routesOf(new Bills(), this.#parking)
  }

  static knows(path: string): boolean {
    return /^\/(v3|connect|sns|cgi-bin|wechat)\//.test(path)
  }
  answer(asked: Asked): Told {
    return asked.path.startsWith('/v3/') ? this.#call(asked) : this.#driver(asked)
  }
  /** Signs with a new platform certificate from now on, beside the old one. */
  roll(): void {
    roll(this.#context)
    this.#save()
  }

  #call(asked: Asked): Told {
    let route: Route | undefined
    let told: Told
    try {
      const merchant = this.#admitted(asked)
      const found = this.#routed(asked)
      route = found.route
      told = route.work({ ...this.#context, asked, merchant, names: found.names })
    } catch (error) {
      if (!(error instanceof WechatRefusal)) throw error
      told = error.told
    }
    return this.#signed(asked, told, route?.isPlain === true || told.status === 401)
  }
  #admitted(asked: Asked) {
    const { keys, now } = this.#context
    if (!asked.headers['accept'] || !asked.headers['user-agent']) throw new WechatRefusal('PARAM_ERROR', 'Http头缺少Accept或User-Agent')
    return merchantOf(asked, keys.merchants, now())
  }
  #routed({ method, path }: Asked): { route: Route; names: string[] } {
    for (const route of this.#routes) {
      const names = route.method === method ? route.path.exec(path)?.slice(1) : undefined
      if (names) return { route, names: names.map((name) => decodeURIComponent(name)) }
    }
    throw new WechatRefusal('RESOURCE_NOT_EXISTS', '请求的资源不存在，请检查URL和请求方法')
  }
  #signed(asked: Asked, told: Told, isPlain: boolean): Told {
    const { keys, settings, now } = this.#context
    const id = { 'request-id': randomUUID() }
    if (isPlain) return { ...told, headers: { ...told.headers, ...id } }
    const signer = signerFor(keys, asked.headers['wechatpay-serial'], now())
    const headers = signatureHeaders(signer, String(told.body ?? ''), now())
    const every = settings.probeAnswerEvery
    const isProbe = every > 0 && ++this.#answered % every === 0
    return { ...told, headers: { ...told.headers, ...id, ...(isProbe ? asProbe(headers) : headers) } }
  }

  #driver(asked: Asked): Told {
    const context = this.#context
    switch (`${asked.method} ${asked.path}`) {
      case 'GET /wechat/code':
        return codePage(context, asked)
      case 'GET /cgi-bin/mmpayweb-bin/checkmweb':
        return h5Page(context, asked)
      case 'GET /wechat/jsapi':
        return jsapiPage(context, asked)
      case 'POST /wechat/pay':
        return payOrCancel(context, asked)
      case 'GET /wechat/parking':
      case 'POST /wechat/parking':
        return platePage(context, this.#parking, asked)
      case 'POST /wechat/roll':
        this.roll()
        return { status: 204 }
      case 'GET /connect/oauth2/authorize':
      case 'POST /connect/oauth2/authorize':
        return this.#oauth.authorize(context, asked)
      case 'GET /sns/oauth2/access_token':
        return this.#oauth.token(context, asked)
      default:
        return { status: 404 }
    }
  }
}

const routesOf = (bills: Bills, parking: Parking): readonly Route[] => [
  { method: 'POST', path: /^\/v3\/pay\/transactions\/native$/, work: native },
  { method: 'POST', path: /^\/v3\/pay\/transactions\/jsapi$/, work: jsapi },
  { method: 'POST', path: /^\/v3\/pay\/transactions\/h5$/, work: h5 },
  { method: 'GET', path: /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)$/, work: query },
  { method: 'GET', path: /^\/v3\/pay\/transactions\/id\/([^/]+)$/, work: queryById },
  { method: 'POST', path: /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)\/close$/, work: close },
  { method: 'POST', path: /^\/v3\/refund\/domestic\/refunds$/, work: refund },
  { method: 'GET', path: /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/, work: refundQuery },
  { method: 'GET', path: /^\/v3\/certificates$/, work: certificates },
  { method: 'GET', path: /^\/v3\/bill\/tradebill$/, work: (call) => bills.trade(call) },
  { method: 'GET', path: /^\/v3\/bill\/fundflowbill$/, work: (call) => bills.funds(call) },
  { method: 'GET', path: /^\/v3\/billdownload\/file$/, work: (call) => bills.download(call), isPlain: true },
  { method: 'GET', path: /^\/v3\/vehicle\/parking\/services\/find$/, work: (call) => parking.find(call) },
  { method: 'POST', path: /^\/v3\/vehicle\/parking\/parkings$/, work: (call) => parking.enter(call) },
  { method: 'POST', path: /^\/v3\/vehicle\/transactions\/parking$/, work: (call) => parking.debit(call) },
  { method: 'GET', path: /^\/v3\/vehicle\/transactions\/out-trade-no\/([^/]+)$/, work: (call) => parking.query(call) },
]
