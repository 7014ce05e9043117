import { hash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { dayIn, type Span } from '../clock.ts'
import type { Trade, Refund } from '../store.ts'
import { type Told, told } from '../wire.ts'
import { before } from '../store.ts'
import { fundFlow } from './fundFlow.ts'
import type { Call } from './context.ts'
import { WechatRefusal } from './refusals.ts'
import { tradeBill } from './tradeBill.ts'

/** A link to a bill works so long. */
const LINK_MS = 5 * 60_000
/** Links are kept for so many downloads that nobody made. */
const LINKS_KEPT = 1_000
/** Bills go back so far. */
const PAST_MS = 93 * 86_400_000

interface Link {
  bytes: Uint8Array
  mchid: string
  until: number
}
const BILL_TYPES = ['ALL', 'SUCCESS', 'REFUND'] as const

/** Bills of a day, and the links under which a merchant downloads them. */
export class Bills {
  readonly #links = new Map<string, Link>()

  /** Payments and refunds of a day. */
  trade(call: Call): Told {
    const { span, isReady } = dayOf(call)
    const type = call.asked.query.get('bill_type') ?? 'ALL'
    if (!BILL_TYPES.some((one) => one === type)) throw refuse('bill_type', '账单类型不支持')
    const { store, merchant } = call
    const paid = type === 'REFUND' ? [] : store.paidIn('wechat', merchant.mchid, span)
    const back = type === 'SUCCESS' ? [] : store.refundsIn('wechat', merchant.mchid, span)
    return this.#linked(call, isReady, [paid, back], () => tradeBill(paid, back))
  }
  /** Movements of the merchant's account on a day. */
  funds(call: Call): Told {
    const { span, isReady } = dayOf(call)
    const { store, merchant } = call
    const of = (within: Span) => [store.paidIn('wechat', merchant.mchid, within), store.refundsIn('wechat', merchant.mchid, within)] as const
    const [paid, back] = of(span)
    return this.#linked(call, isReady, [paid, back], () => fundFlow({ today: [paid, back], past: of(before(span.from)), who: merchant.mchid }))
  }

  #linked({ asked, merchant, now }: Call, isReady: boolean, [paid, back]: readonly [Trade[], Refund[]], write: () => string): Told {
    const packed = asked.query.get('tar_type')
    if (packed !== null && packed !== 'GZIP') throw refuse('tar_type', '压缩类型不支持')
    if (!isReady) throw new WechatRefusal('STATEMENT_CREATING', '账单生成中，请稍后再试')
    if (paid.length + back.length === 0)
      throw new WechatRefusal('NO_STATEMENT_EXIST', '账单文件不存在，请检查当前商户号是否在指定日期有交易或退款发生')
    const text = Buffer.from(write())
    const token = randomBytes(24).toString('base64url')
    if (this.#links.size >= LINKS_KEPT) this.#links.delete(this.#links.keys().next().value!)
    this.#links.set(token, { bytes: packed ? gzipSync(text) : text, mchid: merchant.mchid, until: now() + LINK_MS })
    return told(200, {
      hash_type: 'SHA1',
      hash_value: hash('sha1', text),
      download_url: `${asked.base}/v3/billdownload/file?token=${token}`,
    })
  }

  /** The file itself; it has no signature. */
  download({ asked, merchant, now }: Call): Told {
    const link = this.#links.get(asked.query.get('token') ?? '')
    if (!link || link.until <= now()) throw new WechatRefusal('INVALID_REQUEST', '账单下载链接已失效，请重新申请账单')
    if (link.mchid !== merchant.mchid) throw new WechatRefusal('NO_AUTH', '请检查本次请求的商户是否与申请账单的商户一致')
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: link.bytes }
  }
}

function dayOf({ asked, now, settings }: Call): { span: Span; isReady: boolean } {
  const span = dayIn(asked.query.get('bill_date') ?? '')
  if (!span) throw refuse('bill_date', '日期格式不正确')
  if (span.from < now() - PAST_MS || span.from > now()) throw new WechatRefusal('INVALID_REQUEST', '请检查bill_date')
  return { span, isReady: now() >= span.until + settings.billsAfterMs }
}
const refuse = (name: string, issue: string) =>
  new WechatRefusal('PARAM_ERROR', `输入源“/query/${name}”${issue}`, { field: `/${name}`, issue, location: 'query' })
