import type { Text } from '../../../platform/web/text.ts'

export const PASSWORD_LEAST = 9
export const PHRASE_LEAST = 15
/** The setting of the installation: a password of four kinds of characters, or a phrase. */
export const PHRASES = 2
const SPECIAL = /[@#$%^&*!~?,]/
const CLASSES = [/\d/, /[A-Z]/, /[a-z]/, SPECIAL]

/** Why a new password is not good; nothing when it is. */
export function newPasswordFault(password: string | undefined, policy = 1): Text | undefined {
  if (!password) return ['请输入新密码!', 'Enter the new password!']
  if (policy === PHRASES) return phraseFault(password)
  if (password.length < PASSWORD_LEAST) return ['密码长度不能小于9位', 'The password must have at least 9 characters']
  if (!CLASSES.every((one) => one.test(password)))
    return [
      '密码必须包含数字、大写字母、小写字母、特殊字符',
      'The password must have a digit, an upper-case letter, a lower-case letter and a special character',
    ]
  return undefined
}
/** Length is its strength; a phrase of one sign over and over has none. */
function phraseFault(phrase: string): Text | undefined {
  if (phrase.length < PHRASE_LEAST) return [`密码短语不能小于${PHRASE_LEAST}位`, `The phrase must have at least ${PHRASE_LEAST} characters`]
  if (new Set(phrase).size < PHRASE_SIGNS) return ['密码短语不能由几个相同的字符重复组成', 'The phrase must not repeat the same few characters']
  return undefined
}
const PHRASE_SIGNS = 6

/** `undefined` is a field that was never filled (the required rule), '' one that was emptied. */
export function confirmFault(confirmed: string | undefined, password: string | undefined): Text | undefined {
  if (confirmed === undefined) return ['请确认新密码!', 'Confirm the new password!']
  if (confirmed === '') return ['请再次输入密码', 'Enter the password again']
  return confirmed === password ? undefined : ['两次输入密码不一致!', 'The two passwords do not match!']
}
