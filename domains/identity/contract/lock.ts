import { call } from '../../../platform/contract/call.ts'
import { empty, message, nothing } from '../../../platform/contract/field.ts'
import { digest } from './session.ts'

/** Wrong passwords on a locked console before its session ends. */
export const UNLOCK_TRIES = 5

export const lock = {
  /** From now on this session answers nothing but who it is, its unlocking and its end: 423. */
  lock: call('identity.session.lock', {
    service: 'security',
    post: '/session/lock',
    needs: 'signed-in',
    own: true,
    writes: true,
    whenLocked: true,
    does: ['锁屏', 'Locked the console'],
    body: empty,
    reply: nothing,
  }),
  unlock: call('identity.session.unlock', {
    service: 'security',
    post: '/session/unlock',
    needs: 'signed-in',
    own: true,
    writes: true,
    whenLocked: true,
    does: ['解锁', 'Unlocked the console'],
    body: message({ password: digest('密码', 'Password') }),
    reply: nothing,
  }),
}
