import { type Answered, type Desk, type Heard, isVerified } from '../testing.ts'

/** The part of an answer that is signed, as it stands there. */
export const literalOf = ({ text }: Answered): string => /^\{"\w+":(\{.*\}),"sign":"[^"]+"\}$/s.exec(text)![1]!
export const isAnswerGenuine = (desk: Desk, answer: Answered, text = literalOf(answer)): boolean =>
  isVerified(text, answer.body.sign as string, desk.keys.alipay.gateway.publicKey)
export const contentOf = ({ body }: Answered): any => Object.entries(body as object).find(([name]) => name.endsWith('_response'))![1]

/** Parameters of a notice; `sign` and `sign_type` are no part of the signed text. */
export const parametersOf = ({ body }: Heard): Record<string, string> => Object.fromEntries(new URLSearchParams(body))
export function isNoticeGenuine(desk: Desk, parameters: Record<string, string>, without = ['sign', 'sign_type']): boolean {
  const text = Object.keys(parameters)
    .filter((name) => !without.includes(name))
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
  return isVerified(text.join('&'), parameters['sign']!, desk.keys.alipay.gateway.publicKey)
}

/** The smallest order that is taken. */
export const precreated = (desk: Desk, number: string, more: object = {}) =>
  desk.alipay(
    'alipay.trade.precreate',
    { out_trade_no: number, subject: '停车费', total_amount: '5.00', ...more },
    { notify_url: desk.notify('/alipay') },
  )
export const payIdIn = (answer: Answered): string => new URL(contentOf(answer).qr_code as string).pathname.split('/').at(-1)!
/** Ordered, and paid by a driver. */
export async function paidTrade(desk: Desk, number: string, more: object = {}, how: object = {}): Promise<string> {
  const { body } = await desk.driver('/alipay/pay', { pay_id: payIdIn(await precreated(desk, number, more)), act: 'pay', ...how })
  return body.trade_no as string
}
