import { NoProvider } from '../provider.ts'
import { billFile } from './billFile.ts'
import { wechatClient } from './client.ts'
import { fundsInBill } from './fundBill.ts'
import { type Notice, readNotice } from './notice.ts'
import { createRefund, queryRefund } from './refunds.ts'
import { outward } from './refusals.ts'
import { tradesInBill } from './tradeBill.ts'
import { closeTrade, createTrade, queryTrade } from './trades.ts'
import type { NoticeTold, WechatAccount, WechatProvider } from './types.ts'

/**
 * WeChat Pay for one merchant of one enterprise. Every method is safe to repeat with the same number.
 * @throws BadKey at once; each method PayAway where nobody knows, PayRefused where WeChat will not, NoProvider where another enterprise asks
 */
export function wechatProvider(account: WechatAccount, client = wechatClient(account)): WechatProvider {
  const { mchId } = client.keys
  const asked = async <Answer>({ merchant }: { merchant: number }, work: () => Promise<Answer>): Promise<Answer> => {
    if (merchant !== account.merchant) throw NoProvider()
    return outward(work)
  }
  return {
    create: (order) => asked(order, () => createTrade(client, account, order)),
    query: (which) => asked(which, () => queryTrade(client, account, which.payNo)),
    close: (which) => asked(which, () => closeTrade(client, which.payNo)),
    refund: (order) => asked(order, () => createRefund(client, account, order)),
    queryRefund: (which) => asked(which, () => queryRefund(client, which.refundNo)),
    dayFile: (which) =>
      asked(which, async () => {
        const bytes = await billFile(client, 'trade', which.checkDate)
        if (bytes) await tradesInBill(bytes, { day: which.checkDate, mchId })
        return bytes
      }),
    fundFile: (which) =>
      asked(which, async () => {
        const bytes = await billFile(client, 'fund', which.checkDate)
        if (bytes) await fundsInBill(bytes, which.checkDate)
        return bytes
      }),
    verifyNotice: async (rawBody, headers, at) => toldOf(account, await readNotice(client, account, rawBody, headers, at)),
  }
}

/** As settlement takes it; none for what only a car park's debits know (`readNotice`), and for events of no concern. */
function toldOf({ merchant, channel }: WechatAccount, { facts, nonce, toldAt }: Notice): NoticeTold | undefined {
  const of = { merchant, channel, nonce }
  if (facts.kind === 'payment') {
    const { payNo, tradeNo, amountFen, paidAt } = facts
    return { ...of, kind: 'payment', number: payNo, tradeNo, amountFen, ok: true, finishedAt: paidAt }
  }
  if (facts.kind === 'refund') {
    const { refundNo, channelRefundNo, amountFen, state, doneAt } = facts
    const ok = state === 'done'
    return { ...of, kind: 'refund', number: refundNo, tradeNo: channelRefundNo, amountFen, ok, refund: state, finishedAt: doneAt ?? toldAt }
  }
  if (facts.kind !== 'parkingDebit') return undefined
  const { payNo, tradeNo = '', amountFen = 0, state, paidAt } = facts
  return { ...of, kind: 'payment', number: payNo, tradeNo, amountFen, ok: state === 'paid', finishedAt: paidAt ?? toldAt }
}
