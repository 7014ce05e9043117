import { askOutside, NotReached } from '../../../../../platform/server/outside.ts'
import { type Refusal, refusal } from '../../../../../platform/server/refusal.ts'
import { PayAway } from '../provider.ts'
import { fieldsIn } from './fields.ts'
import { outward, PayRefused } from './refusals.ts'

export const CodeOver = refusal(
  'settlement.wechat-code',
  40553,
  '微信登录已过期，请重新打开页面',
  'The WeChat sign-in has expired. Open the page again',
  422,
)
export const OnlyPreview = refusal(
  'settlement.wechat-preview',
  40554,
  '请先点击页面右下角的「使用完整服务」，再支付',
  'Tap “Use full service” at the bottom of the page, then pay',
  422,
)

const PAGES = 'https://open.weixin.qq.com'
export const SNS_HOST = 'https://api.weixin.qq.com'
const STATE = /^[A-Za-z0-9]{1,128}$/

/** Where a page within WeChat sends its reader to learn the openid, without asking anything: WeChat comes back to `returnUrl` with `code` and `state`. */
export function signInAddress({ appId, returnUrl, state }: { appId: string; returnUrl: string; state: string }): string {
  if (!STATE.test(state)) throw new Error('WeChat hands back only letters and digits.')
  const fields = { appid: appId, redirect_uri: returnUrl, response_type: 'code', scope: 'snsapi_base', state }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${PAGES}/connect/oauth2/authorize?${query.join('&')}#wechat_redirect`
}

interface App {
  appId: string
  appSecret: string
  /** SNS_HOST, unless something else plays WeChat. */
  host?: string
}
/**
 * Who the reader is to this app. A code is good once, and for five minutes.
 * @throws CodeOver, OnlyPreview, PayAway, PayRefused
 */
export async function openidOf({ appId, appSecret, host = SNS_HOST }: App, code: string): Promise<string> {
  const url = new URL('/sns/oauth2/access_token', host)
  for (const [name, value] of Object.entries({ appid: appId, secret: appSecret, code, grant_type: 'authorization_code' }))
    url.searchParams.set(name, value)
  const { text } = await askOutside(url.href, { method: 'GET' }).catch((error: unknown) => {
    throw error instanceof NotReached ? PayAway() : error
  })
  return outward(async () => {
    const fields = fieldsIn(text)
    const no = fields.numberOr('errcode', 0)
    if (no !== 0) throw refusalFor(no)
    // Of a preview the openid is made up, and no payment by it succeeds.
    if (fields.numberOr('is_snapshotuser', 0) === PREVIEW) throw OnlyPreview()
    return fields.text('openid')
  })
}
const PREVIEW = 1
/** The code is wrong, used, missing or over. */
const OVER: readonly number[] = [40029, 40163, 41008, 42003]
/** Busy, or too many at once. */
const BUSY: readonly number[] = [-1, 45009, 45011]
function refusalFor(no: number): Refusal {
  if (OVER.includes(no)) return CodeOver()
  return BUSY.includes(no) ? PayAway() : PayRefused({ word: String(no) })
}
