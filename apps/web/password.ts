import type { Text } from '../../platform/web/text.ts'

export const PASSWORD_LEAST = 9
const SPECIAL = /[@#$%^&*!~?,]/
const CLASSES = [/\d/, /[A-Z]/, /[a-z]/, SPECIAL]

/** Why a new password is not good; nothing when it is. */
export function newPasswordFault(password: string | undefined): Text | undefined {
  if (!password) return ['请输入新密码!', 'Enter the new password!']
  if (password.length < PASSWORD_LEAST) return ['密码长度不能小于9位', 'The password needs at least 9 characters']
  if (!CLASSES.every((one) => one.test(password)))
    return [
      '密码必须包含数字、大写字母、小写字母、特殊字符',
      'The password needs a digit, an upper-case letter, a lower-case letter and a special character',
    ]
  return undefined
}
/** `undefined` is a field that was never filled (the required rule), '' one that was emptied. */
export function confirmFault(confirmed: string | undefined, password: string | undefined): Text | undefined {
  if (confirmed === undefined) return ['请确认新密码!', 'Confirm the new password!']
  if (confirmed === '') return ['请再次输入密码', 'Enter the password once more']
  return confirmed === password ? undefined : ['两次输入密码不一致!', 'The two passwords differ!']
}
