import { randomBytes } from 'node:crypto'
import { instantOf, msOf } from '../../../../platform/contract/time.ts'
import { type AgreementState, BadSignature, PayAway, type PayProvider, type RefundState, type TradeState } from './provider.ts'
import { isGenuine, signed } from '../../../../platform/server/call/signature.ts'

export interface SandboxSettings {
  /** Where the sandbox channel listens. */
  url: string
  secret: string
  /** Where it sends its notices: the address of `settlement.notice.sandbox`. */
  notifyUrl: string
}
/** The channel gives up after this; so does the person who waits. */
const ANSWER_MS = 5_000
const KINDS = ['payment', 'refund', 'agreement'] as const
const MERCHANT = /^kerbline-(\d{1,9})$/
const merchantName = (enterprise: number) => `kerbline-${enterprise}`

/** The sandbox plays WeChat, Alipay, UnionPay and the digital yuan: `city/pay`. `settings` is read anew for every request. */
export function sandboxProvider(settings: () => SandboxSettings): PayProvider {
  const ask = async <Answer>(path: string, { merchant, ...fields }: { merchant: number } & Record<string, unknown>): Promise<Answer> => {
    const { url, secret } = settings()
    const stamped = { ...fields, mchId: merchantName(merchant), timestamp: Math.floor(Date.now() / 1000), nonce: randomBytes(16).toString('hex') }
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signed(stamped, secret)),
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'error',
    }).catch(() => {
      throw PayAway()
    })
    if (!answer.ok) throw PayAway()
    return (await answer.json()) as Answer
  }
  return {
    create: (order) => ask<{ payUrl: string }>('/prepay', { ...order, notifyUrl: settings().notifyUrl }),
    query: (which) => ask<TradeState>('/query', which),
    close: async (which) => void (await ask('/close', which)),
    refund: (order) => ask<RefundState>('/refund', { ...order, notifyUrl: settings().notifyUrl }),
    queryRefund: (which) => ask<RefundState>('/refund/query', which),
    agreements: {
      sign: (order) => ask<{ signUrl: string }>('/agreement', { ...order, notifyUrl: settings().notifyUrl }),
      query: (which) => ask<AgreementState>('/agreement/query', which),
      end: async (which) => void (await ask('/agreement/end', which)),
      debit: (order) => ask<TradeState>('/debit', { ...order, notifyUrl: settings().notifyUrl }),
    },
    dayFile: async (which) => {
      const { bill } = await ask<{ bill: string | null }>('/bill', which)
      return bill === null ? undefined : Buffer.from(bill, 'base64')
    },
    verifyNotice(notice, at) {
      const merchant = MERCHANT.exec(String(notice['mchId']))
      const kind = KINDS.find((one) => one === notice['kind'])
      const amountFen = Number(notice['amountFen'])
      if (!merchant || !kind || (kind !== 'agreement' && amountFen < 1) || !isGenuine(notice, settings().secret, msOf(at))) throw BadSignature()
      return {
        merchant: Number(merchant[1]),
        channel: String(notice['channel']),
        kind,
        number: String(notice['number']),
        tradeNo: String(notice['tradeNo']),
        amountFen,
        ok: notice['result'] === 'SUCCESS',
        finishedAt: instantOf(String(notice['finishedAt'])) ?? at,
        nonce: String(notice['nonce']),
      }
    },
  }
}
