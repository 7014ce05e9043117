import { call } from '../../../platform/contract/call.ts'
import { empty, message, nothing } from '../../../platform/contract/field.ts'
import { digest } from './session.ts'

/** Wrong passwords on a locked console before its session ends. */
export const UNLOCK_TRIES = 5

const signedIn = { service: 'security', needs: 'signed-in', writes: true, own: true } as const
export const lock = {
  /** From now on this session answers nothing but who it is, its unlocking and its end: 423. */
  lock: call('identity.session.lock', {
    ...signedIn,
    post: '/session/lock',
    whenLocked: true,
    does: ['锁屏', 'Locked the console'],
    body: empty,
    reply: nothing,
  }),
  unlock: call('identity.session.unlock', {
    ...signedIn,
    post: '/session/unlock',
    whenLocked: true,
    does: ['解锁', 'Unlocked the console'],
    body: message({ password: digest('密码', 'Password') }),
    reply: nothing,
  }),
}
