import { MINUTE_MS, msOf } from '../../../../../platform/contract/time.ts'
import { type AgreementState, type DebitAgreements, PayAway, type TradeState } from '../provider.ts'
import type { AlipayAccount, AlipaySettings } from './account.ts'
import { numberIn, titleOf, yuanOf } from './fields.ts'
import { type Answer, ask, pageOf } from './gateway.ts'
import { Declined, NotFromAlipay } from './refusals.ts'
import { about, queryTrade, tradeIn } from './trade.ts'
import { debitFailure, saysPaid } from './words.ts'

type Terms = NonNullable<AlipaySettings['agreement']>
type DebitOrder = Parameters<DebitAgreements['debit']>[0]

/** Debits under an agreement that a driver signs for one car, by our number of it. */
export const agreementsOf = (account: AlipayAccount, terms: Terms): DebitAgreements => ({
  sign: (order) => Promise.resolve({ signUrl: signPage(account, terms, order) }),
  query: async (which) => (await agreementOf(account, terms, which.contractNo)).state,
  end: (which) => endAgreement(account, terms, which.contractNo),
  debit: (order) => debit(account, terms, order),
})

const named = (terms: Terms, contractNo: string) => ({
  personal_product_code: terms.personalProductCode,
  sign_scene: terms.signScene,
  external_agreement_no: contractNo,
})
const signPage = (account: AlipayAccount, terms: Terms, { contractNo, plateNo }: { contractNo: string; plateNo: string }): string =>
  pageOf(account, 'alipay.user.agreement.page.sign', {
    content: { ...named(terms, contractNo), product_code: terms.productCode, access_params: { channel: 'QRCODE' }, external_logon_id: plateNo },
    fields: account.returnUrl ? { return_url: account.returnUrl } : {},
    notified: true,
  })

const STATES = new Map<unknown, AgreementState['state']>([
  ['TEMP', 'waiting'],
  ['NORMAL', 'signed'],
  ['STOP', 'ended'],
])
async function agreementOf(account: AlipayAccount, terms: Terms, contractNo: string): Promise<{ state: AgreementState; agreementNo?: string }> {
  const answer = await ask(account, 'alipay.user.agreement.query', { content: named(terms, contractNo) })
  if (answer.verdict === 'absent') return { state: { state: 'none' } }
  if (answer.verdict !== 'done') throw PayAway()
  const { node } = about(answer, 'external_agreement_no', contractNo)
  const [state, agreementNo] = [STATES.get(node['status']), numberIn(node['agreement_no'])]
  if (!state) throw NotFromAlipay()
  return { state: { state, ...(agreementNo && { agreementNo }) }, ...(agreementNo && { agreementNo }) }
}

/** One that is not there is over already. @throws PayAway, Declined */
async function endAgreement(account: AlipayAccount, terms: Terms, contractNo: string): Promise<void> {
  const { verdict, subCode } = await ask(account, 'alipay.user.agreement.unsign', { content: named(terms, contractNo) })
  if (verdict === 'unknown') throw PayAway()
  if (verdict === 'refused') throw Declined({ word: subCode })
}

async function debit(account: AlipayAccount, terms: Terms, order: DebitOrder): Promise<TradeState> {
  const { state, agreementNo } = await agreementOf(account, terms, order.contractNo)
  if (state.state !== 'signed' || !agreementNo) return { state: 'closed', failure: 'agreement' }
  const content = {
    out_trade_no: order.payNo,
    total_amount: yuanOf(order.amountFen),
    subject: titleOf(order.subject),
    seller_id: account.sellerId,
    product_code: terms.productCode,
    agreement_params: { agreement_no: agreementNo },
    timeout_express: `${Math.max(1, Math.ceil((msOf(order.expiresAt) - Date.now()) / MINUTE_MS))}m`,
  }
  return debited(account, order.payNo, await ask(account, 'alipay.trade.pay', { content, notified: true }))
}

/** What became of a debit. Only a refusal for good closes it: whatever Alipay has not decided is asked after by the same number. */
async function debited(account: AlipayAccount, payNo: string, answer: Answer): Promise<TradeState> {
  const { verdict, subCode } = answer
  if (verdict === 'done')
    return tradeIn(about(answer, 'out_trade_no', payNo).node, { amount: 'total_amount', paid: 'gmt_payment' }, 'TRADE_SUCCESS')
  if (verdict === 'waiting') return { state: 'unpaid' }
  if (verdict === 'unknown' || saysPaid(subCode)) return queryTrade(account, { payNo })
  const failure = verdict === 'absent' ? 'agreement' : debitFailure(subCode)
  return { state: 'closed', ...(failure && { failure }) }
}
