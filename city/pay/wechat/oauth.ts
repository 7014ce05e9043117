import { randomBytes } from 'node:crypto'
import { driverAt, newDriver, remembering } from '../driver.ts'
import type { WechatMerchant } from '../keys.ts'
import { pageTo } from '../pages.ts'
import { type Asked, fieldsOf, pageAddress, redirected, type Told, told } from '../wire.ts'
import type { WechatContext } from './context.ts'
import { openidOf } from './openid.ts'
import { GREEN } from './look.ts'

/** A code can be changed for an openid once, and so long. */
const CODE_MS = 5 * 60_000
const CODES_KEPT = 10_000
const TOKEN_S = 7_200
const SCOPES = ['snsapi_base', 'snsapi_userinfo']

interface Given {
  appid: string
  openid: string
  scope: string
  until: number
  isUsed: boolean
}

/** How a page inside WeChat learns the openid of the driver who looks at it. */
export class Oauth {
  readonly #codes = new Map<string, Given>()

  /** `snsapi_base` goes on silently; `snsapi_userinfo` asks the driver first. */
  authorize(context: WechatContext, asked: Asked): Told {
    const fields = asked.method === 'POST' ? fieldsOf(asked) : Object.fromEntries(asked.query)
    const merchant = context.keys.merchants.find(({ appid }) => appid === fields['appid'])
    const back = pageAddress(fields['redirect_uri'])
    const scope = fields['scope'] ?? ''
    if (!merchant) return oops(asked, '该公众号不存在 AppID 参数错误', 'No such appid')
    if (!back) return oops(asked, 'redirect_uri 参数错误', 'redirect_uri is wrong')
    if (!SCOPES.includes(scope) || fields['response_type'] !== 'code')
      return oops(asked, 'Scope 参数错误或没有 Scope 权限', 'scope or response_type is wrong')
    if (asked.method === 'GET' && scope === 'snsapi_userinfo') return consent(asked, fields)
    if (fields['act'] === 'cancel') return redirected(withState(back, fields).href)
    const driver = driverAt(asked) ?? newDriver()
    const code = this.#give(context, merchant, scope, driver)
    const url = withState(back, fields)
    url.searchParams.set('code', code)
    return remembering(redirected(url.href), driver)
  }
  #give({ now }: WechatContext, { appid }: WechatMerchant, scope: string, driver: string): string {
    const code = `0${randomBytes(15).toString('hex')}0`
    if (this.#codes.size >= CODES_KEPT) this.#codes.delete(this.#codes.keys().next().value!)
    this.#codes.set(code, { appid, openid: openidOf(appid, driver), scope, until: now() + CODE_MS, isUsed: false })
    return code
  }

  /** Always 200: a refusal is an `errcode`. */
  token({ keys, now }: WechatContext, { query }: Asked): Told {
    const refuse = (errcode: number, errmsg: string) => told(200, { errcode, errmsg })
    const merchant = keys.merchants.find(({ appid }) => appid === query.get('appid'))
    if (!merchant) return refuse(40_013, 'invalid appid')
    if (merchant.appSecret !== query.get('secret')) return refuse(40_125, 'invalid appsecret')
    if (query.get('grant_type') !== 'authorization_code') return refuse(40_002, 'invalid grant_type')
    const given = this.#codes.get(query.get('code') ?? '')
    if (!given || given.appid !== merchant.appid) return refuse(40_029, 'invalid code')
    if (given.isUsed) return refuse(40_163, 'code been used')
    given.isUsed = true
    if (given.until <= now()) return refuse(42_003, 'code expired')
    const [access, refresh] = [randomBytes(48).toString('base64url'), randomBytes(48).toString('base64url')]
    return told(200, { access_token: access, expires_in: TOKEN_S, refresh_token: refresh, openid: given.openid, scope: given.scope })
  }
}

function withState(back: URL, fields: Readonly<Record<string, string>>): URL {
  const url = new URL(back)
  url.searchParams.set('state', fields['state'] ?? '')
  return url
}
function consent(asked: Asked, fields: Readonly<Record<string, string>>): Told {
  return pageTo(asked, {
    title: ['微信授权（沙箱）', 'WeChat sign-in (sandbox)'],
    color: GREEN,
    heading: fields['appid']!,
    note: ['该网页申请获取您的昵称和头像。', 'This page asks for your nickname and picture.'],
    form: {
      to: '/connect/oauth2/authorize',
      hidden: fields,
      acts: [
        { act: 'agree', text: ['同意', 'Agree'], isMain: true },
        { act: 'cancel', text: ['拒绝', 'Refuse'] },
      ],
    },
  })
}
const oops = (asked: Asked, zh: string, en: string): Told => ({
  ...pageTo(asked, { title: ['微信授权（沙箱）', 'WeChat sign-in (sandbox)'], color: GREEN, heading: '!', note: [zh, en] }),
  status: 400,
})
