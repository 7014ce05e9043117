import { isPhone, plainPhone } from '../../contract/sought.ts'
import { refusal } from '../refusal.ts'

export const NotAPhone = refusal(
  'platform.not-a-phone',
  40021,
  '电话号码不正确：手机号为 11 位，座机请带区号，请勿填分机号',
  'This is not a phone number: a mobile number has 11 digits, a landline its area code; enter it without an extension',
  422,
)
/** A telephone as it was typed, in the one form in which it is kept: whoever is found by it is found however it was written. @throws NotAPhone */
export function phoneTyped(typed: string): string {
  const plain = plainPhone(typed)
  if (!isPhone(plain)) throw NotAPhone()
  return plain
}
