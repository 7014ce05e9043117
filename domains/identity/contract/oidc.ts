import { call } from '../../../platform/contract/call.ts'
import { empty, message, orNone, text } from '../../../platform/contract/field.ts'
import { client, opened } from './session.ts'

const anybody = { service: 'security', needs: 'public', own: true } as const
/** Signing in through a company's own identity provider (OpenID Connect): nothing of it is there until one is configured. */
export const oidc = {
  offer: call('identity.oidc.offer', {
    ...anybody,
    get: '/oidc/offer',
    query: empty,
    reply: message({ name: orNone(text('身份提供方', 'Identity provider')) }),
  }),
  /** Where the browser has to go; it comes back to the sign-in page with `code` and `state`. */
  begin: call('identity.oidc.begin', {
    ...anybody,
    post: '/oidc/begin',
    writes: true,
    does: ['开始单点登录', 'Started single sign-on'],
    body: empty,
    reply: message({ url: text('跳转地址', 'Redirect URL', { max: 4000 }) }),
  }),
  finish: call('identity.oidc.finish', {
    ...anybody,
    post: '/oidc/finish',
    writes: true,
    does: ['单点登录', 'Signed in by single sign-on'],
    body: message({ code: text('授权码', 'Code', { max: 2000 }), state: text('状态', 'Status', { max: 200 }) }, client),
    reply: opened,
  }),
}
