import type { Day } from '../../../../../platform/contract/field.ts'
import { addressFor } from '../../../../../platform/server/outside.ts'
import { PayAway } from '../provider.ts'
import type { AlipayAccount } from './account.ts'
import { billIn, type DayBill } from './bill.ts'
import { ask } from './gateway.ts'
import { NotFromAlipay } from './refusals.ts'

/** The address is good for 30 seconds, and so is the wait. */
const DOWNLOAD_MS = 30_000
/** A hundred thousand trades are some 20 MB before they are folded. */
const ZIP_MAX = 50 * 1024 * 1024

/** The bill of a day, which Alipay has written by the next morning; none before, nor of a day without trades. @throws PayAway, BadFile, NotFromAlipay, WrongSetup */
export async function dayBill(account: AlipayAccount, day: Day): Promise<DayBill | undefined> {
  const { verdict, node } = await ask(account, 'alipay.data.dataservice.bill.downloadurl.query', { content: { bill_type: 'trade', bill_date: day } })
  if (verdict === 'absent') return undefined
  if (verdict !== 'done') throw PayAway()
  const address = node['bill_download_url']
  if (typeof address !== 'string' || !URL.canParse(address)) throw NotFromAlipay()
  return billIn(await fileAt(new URL(address)), { day, sellerId: account.sellerId })
}

async function fileAt(url: URL): Promise<Uint8Array> {
  if (!/^https?:$/.test(url.protocol)) throw NotFromAlipay()
  try {
    await addressFor(url.hostname, Number(url.port) || (url.protocol === 'https:' ? 443 : 80))
    const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS), redirect: 'error' })
    if (!answer.ok || !answer.body) throw PayAway()
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of answer.body) {
      bytes += part.length
      if (bytes > ZIP_MAX) throw PayAway()
      parts.push(part)
    }
    return new Uint8Array(Buffer.concat(parts))
  } catch {
    throw PayAway()
  }
}
