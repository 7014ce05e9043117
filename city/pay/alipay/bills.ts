import { randomBytes } from 'node:crypto'
import { dayIn } from '../clock.ts'
import { gb18030 } from '../gb18030.ts'
import type { Asked, Said, Told } from '../wire.ts'
import { zipped } from '../zip.ts'
import { type Day, details, summary } from './billText.ts'
import type { AlipayContext, Call } from './context.ts'
import { PAID } from './context.ts'
import { refuse } from './content.ts'
import { AlipayRefusal } from './refusals.ts'

/** A link works so long. */
const LINK_MS = 30_000
const LINKS_KEPT = 1_000

/** Bills of a day: a zip of two files in GBK, whose names are in GBK too. */
export class Bills {
  readonly #links = new Map<string, { bytes: Uint8Array; name: string; until: number }>()

  /** The address from which it is downloaded within half a minute. */
  address({ asked, app, store, content, settings, now }: Call): Said {
    if (content.text('bill_type', 32) !== 'trade') refuse('bill_type')
    const date = content.text('bill_date', 10)
    const span = dayIn(date) ?? refuse('bill_date')
    const { sellerId } = app
    const [paid, back] = [store.paidIn('alipay', sellerId, span), store.refundsIn('alipay', sellerId, span)]
    if (now() < span.until + settings.billsAfterMs || paid.length + back.length === 0) throw new AlipayRefusal('isp.bill_not_exist', '账单不存在')
    const token = randomBytes(24).toString('hex')
    const name = `${sellerId}0156_${date.replaceAll('-', '')}`
    if (this.#links.size >= LINKS_KEPT) this.#links.delete(this.#links.keys().next().value!)
    this.#links.set(token, { bytes: packed({ paid, back, span, sellerId, now: now() }, name), name, until: now() + LINK_MS })
    return { ...PAID, bill_download_url: `${asked.base}/alipay/bill?token=${token}&downloadFileName=${name}.csv.zip` }
  }

  download({ now }: AlipayContext, { query }: Asked): Told {
    const link = this.#links.get(query.get('token') ?? '')
    if (!link || link.until <= now()) return { status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '下载链接已失效' }
    const headers = { 'content-type': 'application/zip', 'content-disposition': `attachment; filename="${link.name}.csv.zip"` }
    return { status: 200, headers, body: link.bytes }
  }
}
const packed = (day: Day, name: string): Uint8Array =>
  zipped([
    { name: gb18030(`${name}_业务明细.csv`), content: gb18030(details(day)) },
    { name: gb18030(`${name}_业务明细(汇总).csv`), content: gb18030(summary(day)) },
  ])
