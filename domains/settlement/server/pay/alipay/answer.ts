import { type AlipayAccount, alipayKey } from './account.ts'
import { PayAway } from '../provider.ts'
import { NotFromAlipay } from './refusals.ts'
import { isSigned } from './signing.ts'

export type Node = Readonly<Record<string, unknown>>
/** What Alipay answered. `signed` is false only for an error of a gateway that does not know the app, and so has no key to sign with. */
export interface Answered {
  node: Node
  signed: boolean
}

/**
 * The node of a method, once its signature was verified over its very characters: written anew from its values, it might differ in an escape or a space. An answer
 * that tells a name twice or is of another method is none, and one that is cut says nothing. @throws NotFromAlipay, PayAway
 */
export function answerIn(text: string, method: string, account: AlipayAccount): Answered {
  const members = membersOf(text)
  const raw = members?.get(`${method.replaceAll('.', '_')}_response`) ?? members?.get('error_response')
  if (!members) throw PayAway()
  if (raw === undefined) throw NotFromAlipay()
  const node: unknown = JSON.parse(raw)
  if (!isNode(node)) throw NotFromAlipay()
  const signature = textIn(members.get('sign'))
  if (signature === undefined && isUnknownApp(node)) return { node, signed: false }
  const key = alipayKey(account, textIn(members.get('alipay_cert_sn')))
  // Where the signer had escaped slashes and signed them bare, either form is the same node.
  const forms = [raw, raw.replaceAll('\\/', '/')]
  if (signature === undefined || !key || !forms.some((form) => isSigned(form, signature, key))) throw NotFromAlipay()
  return { node, signed: true }
}
/** 40001 and 40002 tell what is missing or wrong in the request; a success without a signature is nobody's. */
const isUnknownApp = (node: Node) => node['code'] === '40001' || node['code'] === '40002'

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
function textIn(raw: string | undefined): string | undefined {
  const value: unknown = raw === undefined ? undefined : JSON.parse(raw)
  return typeof value === 'string' ? value : undefined
}

/**
 * The members of the outermost object, each value as it stands in the text; undefined for a text that is no whole object.
 * @throws NotFromAlipay for a name that is there twice
 */
export function membersOf(text: string): Map<string, string> | undefined {
  try {
    if (!isNode(JSON.parse(text))) return undefined
  } catch {
    return undefined
  }
  const members = new Map<string, string>()
  let at = text.indexOf('{') + 1
  for (;;) {
    at = pastSpace(text, at)
    if (text[at] === '}') return members
    if (text[at] === ',') at = pastSpace(text, at + 1)
    const nameEnd = pastString(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const from = pastSpace(text, text.indexOf(':', nameEnd) + 1)
    at = pastValue(text, from)
    if (members.has(name)) throw NotFromAlipay()
    members.set(name, text.slice(from, at).trimEnd())
  }
}

// The text is known to be JSON: what opens is closed.

function pastSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at++
  return at
}
/** Behind the closing quote; a quote behind a backslash is part of the string. */
function pastString(text: string, from: number): number {
  let at = from + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
function pastValue(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const sign = text[at]!
    if (depth === 0 && (sign === ',' || sign === '}')) return at
    if (sign === '"') at = pastString(text, at)
    else {
      if (sign === '{' || sign === '[') depth++
      if (sign === '}' || sign === ']') depth--
      at++
    }
  }
  return at
}
