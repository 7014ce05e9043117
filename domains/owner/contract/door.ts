import { call } from '../../../platform/contract/call.ts'
import { empty, instant, message, nothing, personal, text, whole } from '../../../platform/contract/field.ts'

/** A number that takes a text message. */
const phone = personal('phone', text('手机号', 'Phone', { max: 11, pattern: '^1[3-9]\\d{9}$' }))
const enterpriseId = whole('企业', 'Enterprise', { min: 1, max: 1_000_000 })
/** A code is good for so long, and once. */
export const CODE_MIN = 5
/** From one code to the next that is sent to the same telephone. */
export const CODE_AGAIN_S = 60
/** The secret given to the person who requested the code: nobody else can try it, or use it up. */
const nonce = text('验证码请求', 'Request of the code', { min: 22, max: 22, pattern: '^[\\w-]{22}$' })
const code = text('验证码', 'Code', { min: 6, max: 6, pattern: '^\\d{6}$' })

const open = { service: 'custom', needs: 'public', own: true, writes: true } as const
/** Where a driver signs in by phone. Whether a number is known is told to nobody: its holder signs in, and is an owner from then on. */
export const door = {
  code: call('owner.door.code', {
    ...open,
    post: '/owner/door/code',
    does: ['发送车主验证码', 'Sent a driver a code'],
    body: message({ enterpriseId, phone }),
    reply: message({ nonce, goodUntil: instant('有效期至', 'Valid until'), againAt: instant('可再次发送', 'Resend from') }),
  }),
  signIn: call('owner.door.sign-in', {
    ...open,
    post: '/owner/door/signIn',
    does: ['车主登录', 'A driver signed in'],
    body: message({ enterpriseId, phone, code, nonce }),
    /** Left out for a page: its token lies in a cookie that no script reads. */
    reply: message({}, { access_token: text('访问令牌', 'Access token', { max: 128 }) }),
  }),
  signOut: call('owner.door.sign-out', {
    service: 'custom',
    needs: 'driver',
    own: true,
    writes: true,
    post: '/owner/door/signOut',
    does: ['车主退出', 'A driver signed out'],
    body: empty,
    reply: nothing,
  }),
}
