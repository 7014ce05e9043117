import type { Instant } from '../../../platform/contract/field.ts'
import { cityTime } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { notice } from '../../system/server/api.ts'

/** System notice, as the kinds of messages count. */
const NOTICE = 1
interface Whom {
  personId: string
  /** Of the person: who signs in has no scope yet, and an administrator may be another company's. */
  enterprise: number
  at: Instant
}
type Text = readonly [zh: string, en: string]

/** Tells a person at once of an act that somebody else may have done. Nobody can unsubscribe from it, and it does not wait for the morning. */
const tell = (tx: Tx, { personId, enterprise }: Whom, template: string, vars: Record<string, string>, title: Text, body: Text) =>
  announce(tx, notice, { people: [personId], template, vars, kind: NOTICE, urgent: true, title, body, link: null }, { enterprise })

/** `by` is who did it, where it was not the person. */
export async function tellPasswordChanged(tx: Tx, { by, ...whom }: Whom & { by?: string }): Promise<void> {
  const time = cityTime(whom.at)
  const vars = { time, by: by ?? '' }
  if (by === undefined)
    return tell(
      tx,
      whom,
      'security.password',
      vars,
      ['密码已修改', 'Your password was changed'],
      [
        `您的密码于 ${time} 修改，其他会话已退出。如非本人操作，请立即联系管理员。`,
        `Your password was changed at ${time}; your other sessions have ended. If this was not you, contact an administrator immediately.`,
      ],
    )
  return tell(
    tx,
    whom,
    'security.password',
    vars,
    ['密码已被重置', 'Your password was reset'],
    [
      `${by} 于 ${time} 重置了您的密码。如非您的要求，请立即联系管理员。`,
      `${by} reset your password at ${time}. If you did not ask for this, contact an administrator immediately.`,
    ],
  )
}

export const tellLocked = (tx: Tx, whom: Whom & { ip: string }): Promise<void> => {
  const time = cityTime(whom.at)
  return tell(
    tx,
    whom,
    'security.locked',
    { time, ip: whom.ip },
    ['账号曾被锁定', 'Your account was locked'],
    [
      `${time} 因多次密码错误，您的账号被锁定 15 分钟，最后一次来自 ${whom.ip}。如非本人操作，请修改密码。`,
      `Your account was locked for 15 minutes at ${time} after several wrong passwords, the last from ${whom.ip}. If this was not you, change your password.`,
    ],
  )
}

export const tellNewDevice = (tx: Tx, whom: Whom & { ip: string; browser: string; system: string }): Promise<void> => {
  const { ip, browser, system } = whom
  const time = cityTime(whom.at)
  const [zh, en] = [browser, system].every((one) => one === '')
    ? ['新设备', 'a new device']
    : [`${browser} ${system}`.trim(), `${browser} ${system}`.trim()]
  return tell(
    tx,
    whom,
    'security.device',
    { time, ip, device: zh! },
    ['新设备登录', 'Sign-in from a new device'],
    [
      `您的账号于 ${time} 在${zh}登录，地址 ${ip}。如非本人操作，请修改密码并结束该会话。`,
      `Your account signed in from ${en} at ${time}, IP address ${ip}. If this was not you, change your password and end that session.`,
    ],
  )
}
