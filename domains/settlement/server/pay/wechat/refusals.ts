import { refusal } from '../../../../../platform/server/refusal.ts'
import { PayAway } from '../provider.ts'
import { NotUnderstood } from './fields.ts'
import { WechatSaid } from './words.ts'

export const PayRefused = refusal(
  'settlement.pay-refused',
  40552,
  '微信支付拒绝了请求（{word}），请改用其他支付方式，并请管理员核对商户资料',
  'WeChat Pay refused the request ({word}). Use another payment method, and ask an administrator to check the account',
  422,
)

/**
 * What whoever called is told: an answer that cannot be understood is none, and WeChat's no is ours.
 * @throws PayAway, PayRefused
 */
export async function outward<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotUnderstood) throw PayAway()
    if (error instanceof WechatSaid)
      throw error.outcome === 'again' || error.outcome === 'paid' ? PayAway() : PayRefused({ word: error.word, requestId: error.requestId })
    throw error
  }
}
