import { PayAway } from '../provider.ts'
import type { AlipayAccount } from './account.ts'
import { numberIn } from './fields.ts'
import { ask } from './gateway.ts'
import { PayerUnknown } from './refusals.ts'

/** Where Alipay asks a driver who they are; the one for its sandbox is given beside the sandbox's gateway. */
export const AUTHORIZE = 'https://openauth.alipay.com/oauth2/publicAppAuthorize.htm'

/** The page within Alipay that sends the driver back to `back` with a code, unasked: only their number is wanted. */
export const payerPage = ({ appId }: Pick<AlipayAccount, 'appId'>, back: string, state: string, authorize = AUTHORIZE): string =>
  `${authorize}?${new URLSearchParams({ app_id: appId, scope: 'auth_base', redirect_uri: back, state })}`

/** The payer behind a code, which is good once. @throws PayAway, PayerUnknown, NotFromAlipay, WrongSetup */
export async function payerOf(account: AlipayAccount, code: string): Promise<string> {
  const { verdict, node } = await ask(account, 'alipay.system.oauth.token', { fields: { grant_type: 'authorization_code', code } })
  if (verdict === 'unknown') throw PayAway()
  const payer = numberIn(node['open_id']) ?? numberIn(node['user_id'])
  if (verdict !== 'done' || !payer) throw PayerUnknown()
  return payer
}
