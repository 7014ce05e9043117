import { hash, randomBytes } from 'node:crypto'
import { driverAt, newDriver, remembering } from '../driver.ts'
import { type Asked, pageAddress, redirected, type Said, type Told } from '../wire.ts'
import type { AlipayContext, Call } from './context.ts'
import { refusedPage } from './driver.ts'
import { AlipayRefusal } from './refusals.ts'

const CODE_MS = 5 * 60_000
const CODES_KEPT = 10_000

/** How a page inside Alipay learns the open id of the driver who looks at it. */
export class Oauth {
  readonly #codes = new Map<string, { appId: string; openId: string; until: number }>()

  /** `auth_base` goes on silently. */
  authorize({ keys, now }: AlipayContext, asked: Asked): Told {
    const [appId, scope, state] = ['app_id', 'scope', 'state'].map((name) => asked.query.get(name) ?? '') as [string, string, string]
    const back = pageAddress(asked.query.get('redirect_uri'))
    if (!back || !keys.apps.some((one) => one.appId === appId)) return refusedPage(asked, ['授权参数错误', 'app_id or redirect_uri is wrong'])
    const driver = driverAt(asked) ?? newDriver()
    const code = randomBytes(16).toString('hex')
    if (this.#codes.size >= CODES_KEPT) this.#codes.delete(this.#codes.keys().next().value!)
    this.#codes.set(code, { appId, openId: hash('sha256', `${appId} ${driver}`, 'base64url'), until: now() + CODE_MS })
    for (const [name, value] of Object.entries({ app_id: appId, source: 'alipay_wallet', scope, state, auth_code: code }))
      back.searchParams.set(name, value)
    return remembering(redirected(back.href), driver)
  }

  /** A code is changed once. The answer has no `code`. */
  token({ parameters, app, now }: Call): Said {
    const code = parameters['code'] ?? ''
    const given = this.#codes.get(code)
    if (parameters['grant_type'] !== 'authorization_code' || !given || given.appId !== app.appId || given.until <= now())
      throw new AlipayRefusal('isv.code-invalid', '授权码code无效')
    this.#codes.delete(code)
    const token = () => randomBytes(20).toString('hex')
    return { open_id: given.openId, access_token: token(), refresh_token: token(), expires_in: 31_536_000, re_expires_in: 31_536_000 }
  }
}
