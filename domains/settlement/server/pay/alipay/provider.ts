import type { Day } from '../../../../../platform/contract/field.ts'
import { dayIn, instantAt } from '../../../../../platform/contract/time.ts'
import { BadInput } from '../../../../../platform/server/refusal.ts'
import type { VerifiedNotice } from '../provider.ts'
import type { AlipayAccount } from './account.ts'
import { agreementsOf } from './agreement.ts'
import { dayBill } from './download.ts'
import { type AlipayNotice, noticeIn } from './notice.ts'
import { platesOf } from './parking.ts'
import type { AlipayProvider } from './port.ts'
import { queryRefund, refundTrade } from './refund.ts'
import { closeTrade, queryTrade, startTrade } from './trade.ts'

/** Alipay's open platform, for the account of one merchant. */
export const alipayProvider = (account: AlipayAccount): AlipayProvider => ({
  create: (order) => startTrade(account, order),
  query: (which) => queryTrade(account, which),
  close: (which) => closeTrade(account, which),
  refund: (order) => refundTrade(account, order),
  queryRefund: (which) => queryRefund(account, which),
  ...(account.agreement && { agreements: agreementsOf(account, account.agreement) }),
  ...(account.parking && { plates: platesOf(account, account.parking) }),
  dayFile: async ({ checkDate }) => (await dayBill(account, dayNamed(checkDate)))?.details,
  verifyNotice: (rawBody, _headers, at = instantAt(Date.now())) => heard(account, noticeIn(rawBody, account, at)),
})

function dayNamed(text: string): Day {
  const day = dayIn(text)
  if (!day) throw BadInput({ zh: '日期不正确', en: 'the date is not valid' })
  return day
}

/** In the words of every channel. A refund has a nonce of its own: whether it repeats its payment's notice under the same number is written nowhere. */
function heard({ merchant, channel }: AlipayAccount, notice: AlipayNotice): VerifiedNotice | undefined {
  if (notice.kind === 'other') return undefined
  const { noticeId: nonce, kind, at: finishedAt } = notice
  const of = { merchant, channel, kind, finishedAt }
  if (notice.kind === 'payment') {
    const { payNo: number, tradeNo, amountFen, ok } = notice
    return { ...of, number, tradeNo, amountFen, ok, nonce }
  }
  if (notice.kind === 'refund') {
    const { refundNo: number, tradeNo, refundedFen: amountFen } = notice
    return { ...of, number, tradeNo, amountFen, ok: true, nonce: `${nonce}-${number}` }
  }
  const { contractNo: number, agreementNo: tradeNo, ok } = notice
  return { ...of, number, tradeNo, amountFen: 0, ok, nonce }
}
