import { call } from '../../../platform/contract/call.ts'
import { empty, entity, instant, listOf, message, nothing, orNone, text, whole, yes } from '../../../platform/contract/field.ts'
import { client, digest, opened } from './session.ts'

/** A second factor beside the password: codes of an authenticator app (RFC 6238, six digits, 30 s), and recovery codes for the day the telephone is gone. */
export const SecondFactor = entity({
  enrolled: yes('已启用', 'Enabled'),
  enrolledAt: orNone(instant('启用时间', 'Enabled at')),
  required: yes('须启用', 'Required'),
  recoveryLeft: whole('剩余恢复码', 'Recovery codes left'),
})
export const RECOVERY_CODES = 10
/** Six digits, or a recovery code as it was shown: two groups of five. */
const code = text('验证码', 'Code', { min: 6, max: 16, pattern: '^[0-9A-Za-z -]{6,16}$' })
const recoveryCodes = listOf(text('恢复码', 'Recovery code'))

const signedIn = { service: 'security', needs: 'signed-in', own: true } as const
export const secondFactor = {
  state: call('identity.second-factor.state', { ...signedIn, get: '/authentication/secondFactor', query: empty, reply: SecondFactor }),
  /** The secret for the app, until the first code from it arrives. Needs a sign-in not older than FRESH_MIN, or the password. */
  begin: call('identity.second-factor.begin', {
    ...signedIn,
    post: '/authentication/secondFactorBegin',
    writes: true,
    does: ['申请动态验证码', 'Requested a second factor'],
    body: message({}, { password: digest('密码', 'Password') }),
    reply: message({ secret: text('密钥', 'Secret'), uri: text('二维码内容', 'QR code content', { max: 300 }) }),
  }),
  /** The first code: from now on signing in asks for one. The recovery codes are shown this once. */
  confirm: call('identity.second-factor.confirm', {
    ...signedIn,
    post: '/authentication/secondFactorConfirm',
    writes: true,
    does: ['启用动态验证码', 'Enabled a second factor'],
    body: message({ code }),
    reply: message({ recoveryCodes }),
  }),
  renewRecovery: call('identity.second-factor.renew-recovery', {
    ...signedIn,
    post: '/authentication/recoveryCodes',
    writes: true,
    does: ['更换恢复码', 'Renewed recovery codes'],
    body: message({ code }),
    reply: message({ recoveryCodes }),
  }),
  /** With a code; not while a role or the enterprise asks for a second factor. */
  remove: call('identity.second-factor.remove', {
    ...signedIn,
    post: '/authentication/secondFactorRemove',
    writes: true,
    does: ['停用动态验证码', 'Disabled a second factor'],
    body: message({ code }),
    reply: nothing,
  }),
  /** The second step of signing in: the challenge is in the first one's refusal. */
  verify: call('identity.second-factor.verify', {
    service: 'security',
    post: '/authentication/secondFactorVerify',
    needs: 'public',
    writes: true,
    own: true,
    does: ['验证动态验证码', 'Signed in with a second factor'],
    body: message({ challenge: text('登录凭据', 'Challenge', { max: 128 }), code }, client),
    reply: opened,
  }),
}
