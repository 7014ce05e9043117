import { digestOf } from '../../platform/web/digest.ts'
import { newPasswordFault } from '../web/own/password.ts'
import { node } from '../driver/node.ts'
import { say, type Text } from '../driver/say.ts'
import { changePassword, keep, signIn } from './ask.ts'

const field = (name: string, label: Text, type: 'text' | 'password', complete: AutoFill, value = '') => {
  const input = node('input', { name, type, value, required: true, spellcheck: false, ariaLabel: say(label), placeholder: say(label) })
  input.autocomplete = complete
  return input
}
const MCH_KEY = 'merchant/number'
function lastNumber(): string {
  try {
    return localStorage.getItem(MCH_KEY) ?? ''
  } catch {
    return ''
  }
}
/** The number typed last stands there again after a refusal. */
let typed = lastNumber()
export interface Entering {
  busy: boolean
  trouble: string
  doing(work: () => Promise<void>): void
  /** A password that others know is changed before anything else. */
  entered(changes: { mchNo: string; password: string } | undefined): void
}

export function signInForm({ busy, trouble, doing, entered }: Entering): Node {
  const number = field('mchNo', ['商户编号', 'Merchant number'], 'text', 'username', typed)
  number.autocapitalize = 'characters'
  const password = field('password', ['密码', 'Password'], 'password', 'current-password')
  const enter = async (mchNo: string, secret: string) => {
    typed = mchNo
    const opened = await signIn(mchNo, await digestOf(mchNo, secret))
    keep(opened.access_token)
    try {
      localStorage.setItem(MCH_KEY, mchNo)
    } catch {
      // A browser that keeps nothing: the number is typed again next time.
    }
    entered(opened.mustChange ? { mchNo, password: secret } : undefined)
  }
  const send = node('button', { type: 'submit', className: 'main', disabled: busy, textContent: say(['登录', 'Sign in']) })
  const onsubmit = (event: Event) => {
    event.preventDefault()
    const [mchNo, secret] = [number.value.trim().toUpperCase(), password.value]
    doing(() => enter(mchNo, secret))
  }
  return node('section', {}, node('form', { className: 'entry', onsubmit }, number, password, send), alarm(trouble))
}

export function passwordForm({ busy, trouble, doing, entered }: Entering, { mchNo, password }: { mchNo: string; password: string }): Node {
  const old = field('old', ['原密码', 'Current password'], 'password', 'current-password', password)
  const [first, again] = [
    field('new', ['新密码', 'New password'], 'password', 'new-password'),
    field('again', ['再输一次新密码', 'Repeat the new password'], 'password', 'new-password'),
  ]
  const change = async () => {
    const fault =
      newPasswordFault(first.value) ??
      (first.value === again.value ? undefined : (['两次输入的新密码不一致', 'The two new passwords do not match'] as const))
    if (fault) throw new Error(say([fault[0], fault[1]]))
    await changePassword(await digestOf(mchNo, old.value), await digestOf(mchNo, first.value))
    entered(undefined)
  }
  const send = node('button', { type: 'submit', className: 'main', disabled: busy, textContent: say(['修改密码', 'Change the password']) })
  const why = say(['9 位以上，含数字、大小写字母和特殊字符（@#$%^&*!~?,）', 'At least 9 characters with a digit, both cases and one of @#$%^&*!~?,'])
  return node(
    'section',
    {},
    node('h2', { textContent: say(['设置新密码', 'Set a new password']) }),
    node('p', { className: 'aside', textContent: why }),
    node(
      'form',
      { className: 'entry', onsubmit: (event: Event) => (event.preventDefault(), doing(change)) },
      password === '' && old,
      first,
      again,
      send,
    ),
    alarm(trouble),
  )
}
export const alarm = (trouble: string) => trouble !== '' && node('p', { role: 'alert', textContent: trouble })
