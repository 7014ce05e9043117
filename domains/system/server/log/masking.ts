import { covered, SEES_WHOLE, SIGHT } from '../../../../platform/contract/personal.ts'
import { fieldOf } from '../../../../platform/server/record/nouns.ts'

/** Names of fields that hold a telephone number, a mailbox or the number of a document. */
const PHONE = /(^|_)(phone|mobile|tel)(_|$)/i
const MAIL = /(^|_)e?_?mail(_|$)/i
const DOCUMENT = /(^|_)(id_?card|id_?no|cert(ificate)?(_no)?|license_no|passport)(_|$)/i

/**
 * A row of a table as the logs show it: personal values stay recognisable and are not told; plates stay, for readers who may see them. Where no field says what a value is, its
 * name does.
 */
export function masked(row: unknown, table = ''): unknown {
  if (typeof row !== 'object' || row === null) return row
  if (Array.isArray(row)) return row.map((one) => masked(one))
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const field = fieldOf(table, name)
      if (!field || typeof value !== 'string') return [name, maskedAs(name, value)]
      const kind = field['x-personal']
      return [name, kind && SIGHT[kind] === SEES_WHOLE ? covered(kind, value) : value]
    }),
  )
}
const maskedAs = (name: string, value: unknown) => {
  if (typeof value !== 'string') return masked(value)
  if (PHONE.test(name)) return covered('phone', value)
  if (DOCUMENT.test(name)) return covered('document', value)
  if (MAIL.test(name)) return covered('email', value)
  return value
}

/** A name that nobody has may be a password that was typed into the wrong field. */
export const maskedName = (typed: string) => `${typed.slice(0, 2)}****`

/** A program that writes down what it sends may write down secrets: the value after such a name is covered. */
export const withoutSecrets = (text: string) => text.replace(SECRET, '$1****')
const SECRET = /((?:password|passwd|pwd|secret|token|authorization|cookie|密码|口令)["']?\s*[:=：]\s*["']?(?:bearer\s+)?)[^\s"',;&}]+/gi
