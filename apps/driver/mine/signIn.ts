import { node } from '../node.ts'
import { lasting, say } from '../say.ts'
import { sendCode, signIn } from './ask.ts'
import { button, type Page, words } from './parts.ts'

const PHONE = /^1[3-9]\d{9}$/
const CODE = /^\d{6}$/
let phone = ''
let code = ''
/** When another code may be asked for. */
let againAt = 0
/**
 * The answer to the request for a code. A telephone that shows the text message may discard the page meanwhile: the page finds it
 * again.
 */
let nonce = ''
const KEPT = 'driver/door'
function keep(): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ phone, nonce, againAt }))
  } catch {
    // Nothing can be kept: it lasts as long as the page.
  }
}
function findAgain(): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as { phone?: string; nonce?: string; againAt?: number }
    ;({ phone = '', nonce = '', againAt = 0 } = kept)
  } catch {
    // An unreadable entry counts as none.
  }
}
findAgain()
let timer: ReturnType<typeof setTimeout> | undefined

/** Telephone, code, in: whoever comes for the first time has an account from then on. */
export function signInForm(company: number, page: Page): Node[] {
  clearTimeout(timer)
  const waitS = Math.ceil((againAt - Date.now()) / 1000)
  const send = button(
    waitS > 0 ? say([`${lasting(waitS, 'second')}后可重发`, `Resend in ${lasting(waitS, 'second')}`]) : ['获取验证码', 'Get a code'],
    page,
    () => page.doing(ask),
    'second',
  )
  const ask = async () => {
    const sent = await sendCode(company, phone)
    againAt = Date.parse(sent.againAt)
    nonce = sent.nonce
    keep()
  }
  const enter = node('button', { type: 'submit', className: 'main', textContent: say(['登录', 'Sign in']) })
  const ready = () => {
    send.disabled = page.busy || waitS > 0 || !PHONE.test(phone)
    enter.disabled = page.busy || !PHONE.test(phone) || !CODE.test(code) || nonce === ''
  }
  const number = field(['手机号', 'Phone'], 11, phone, (typed) => ((phone = typed), ready()))
  number.autocomplete = 'tel'
  const fault = words(['请输入 11 位手机号', 'Enter an 11-digit mobile number'], 'wrong')
  fault.hidden = true
  number.addEventListener('blur', () => (fault.hidden = phone === '' || PHONE.test(phone)))
  number.addEventListener('input', () => (fault.hidden ||= PHONE.test(phone)))
  const typed = field(['短信验证码', 'Text message code'], 6, code, (value) => ((code = value), ready()))
  typed.autocomplete = 'one-time-code'
  ready()
  if (waitS > 0) timer = setTimeout(page.redraw, 1000)
  const onsubmit = (event: Event) => {
    event.preventDefault()
    if (!enter.disabled) page.doing(async () => void (await signIn(company, phone, code, nonce), (code = nonce = ''), keep()))
  }
  return [
    node(
      'section',
      {},
      words(
        [
          '用手机号登录，查看自己的车辆、账单和余额。首次登录即开通账户。',
          'Sign in by mobile number to see your cars, bills and balance. The first sign-in opens your account.',
        ],
        'aside',
      ),
      node('form', { onsubmit }, label(['手机号', 'Phone'], number), fault, send, label(['短信验证码', 'Text message code'], typed), enter),
    ),
  ]
}
const label = (text: readonly [string, string], input: HTMLElement) => node('label', {}, node('span', { textContent: say(text) }), input)
function field(text: readonly [string, string], maxLength: number, value: string, put: (typed: string) => void): HTMLInputElement {
  const input = node('input', { value, maxLength, inputMode: 'numeric', ariaLabel: say(text), className: 'digits' })
  input.addEventListener('input', () => {
    input.value = input.value.replaceAll(/\D/g, '')
    put(input.value)
  })
  return input
}
