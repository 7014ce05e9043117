import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AlipaySettings } from './alipay/context.ts'
import { PlayedAlipay } from './alipay/alipay.ts'
import { Deliveries } from './deliveries.ts'
import type { PlayedKeys } from './keys.ts'
import { PayStore } from './store.ts'
import type { WechatSettings } from './wechat/context.ts'
import { PlayedWechat } from './wechat/wechat.ts'
import { type Asked, askedOf, tell, type Told } from './wire.ts'

export interface PublishedOptions {
  keys: PlayedKeys
  wechat?: Partial<WechatSettings>
  alipay?: Partial<AlipaySettings>
  now?: () => number
  log?: (line: string) => void
  /** Keeps the keys after WeChat's certificates were rolled: `POST /wechat/roll`. */
  save?: () => void
}

/** Channels that speak their published protocols: WeChat Pay APIv3 and Alipay, with one store of trades. */
export class Published {
  readonly store: PayStore
  readonly deliveries: Deliveries
  readonly wechat: PlayedWechat
  readonly alipay: PlayedAlipay
  readonly #log: (line: string) => void

  constructor({ keys, wechat, alipay, now = Date.now, log = () => {}, save }: PublishedOptions) {
    this.#log = log
    this.store = new PayStore(now)
    this.deliveries = new Deliveries(log)
    const shared = { store: this.store, deliveries: this.deliveries, now }
    this.wechat = new PlayedWechat({ ...shared, keys: keys.wechat, settings: wechat, save })
    this.alipay = new PlayedAlipay({ ...shared, keys: keys.alipay, settings: alipay })
  }

  get counts(): Record<string, number> {
    return { ...this.store.counts, ...this.deliveries.counts }
  }
  stop(): void {
    this.deliveries.stop()
  }

  knows({ url }: IncomingMessage): boolean {
    const [path = ''] = (url ?? '').split('?')
    return PlayedWechat.knows(path) || PlayedAlipay.knows(path)
  }
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    tell(response, this.answer(await askedOf(request)))
  }
  answer(asked: Asked): Told {
    try {
      return PlayedWechat.knows(asked.path) ? this.wechat.answer(asked) : this.alipay.answer(asked)
    } catch (error) {
      this.#log(`${asked.method} ${asked.path}: ${(error as Error).message}`)
      return { status: 500 }
    }
  }
}
