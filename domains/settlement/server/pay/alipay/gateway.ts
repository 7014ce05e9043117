import { setTimeout as wait } from 'node:timers/promises'
import { instantAt } from '../../../../../platform/contract/time.ts'
import { askOutside } from '../../../../../platform/server/outside.ts'
import { PayAway } from '../provider.ts'
import type { AlipayAccount } from './account.ts'
import { answerIn, type Node } from './answer.ts'
import { timeOf } from './fields.ts'
import { WrongSetup } from './refusals.ts'
import { signedForm } from './signing.ts'
import { type Verdict, verdictOf } from './words.ts'

export interface Request {
  /** What the method is about; sent as JSON in `biz_content`. */
  content?: Readonly<Record<string, unknown>>
  /** Fields that a few methods want beside the usual ones. */
  fields?: Readonly<Record<string, string>>
  /** Whether Alipay reports the end by a notice. */
  notified?: boolean
}
export interface Answer {
  verdict: Exclude<Verdict, 'setup'>
  subCode: string
  /** Alipay's own sentence about a refusal. */
  said: string
  node: Node
}

/** One call that Alipay may not have decided is repeated after so long; every number is the same, so that it is done once. */
const TRIES = 2
const AGAIN_MS = 300

/** @throws PayAway without an answer, NotFromAlipay, WrongSetup */
export async function ask(account: AlipayAccount, method: string, request: Request): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await askOnce(account, method, request)
    if (answer.verdict !== 'unknown' || tries === TRIES) return answer
    await wait(AGAIN_MS)
  }
}

async function askOnce(account: AlipayAccount, method: string, request: Request): Promise<Answer> {
  const form = formOf(account, method, request)
  const content = form.get('biz_content')
  form.delete('biz_content')
  // The charset must be known before the body is read: all but the content stands in the address.
  const { status, text } = await askOutside(`${account.gateway}?${new URLSearchParams([...form])}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8', accept: 'application/json' },
    body: content === undefined ? '' : new URLSearchParams({ biz_content: content }).toString(),
  }).catch(() => {
    throw PayAway()
  })
  if (status !== 200) throw PayAway()
  const { node, signed } = answerIn(text, method, account)
  const [code, subCode, said] = [textOf(node['code']) || codeless(node), textOf(node['sub_code']), textOf(node['sub_msg'])]
  const verdict = signed ? verdictOf(code, subCode) : 'setup'
  if (verdict === 'setup') throw WrongSetup({ word: subCode || code })
  return { verdict, subCode, said, node }
}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** A token is given without a code. */
const codeless = (node: Node): string => (typeof node['access_token'] === 'string' ? '10000' : '')

/** The address of a page of Alipay's to which the driver is sent. */
export const pageOf = (account: AlipayAccount, method: string, request: Request): string =>
  `${account.gateway}?${new URLSearchParams([...formOf(account, method, request)])}`

function formOf(account: AlipayAccount, method: string, { content, fields = {}, notified = false }: Request): Map<string, string> {
  const form = new Map<string, string>([
    ['app_id', account.appId],
    ['method', method],
    ['format', 'JSON'],
    ['charset', 'utf-8'],
    ['sign_type', 'RSA2'],
    ['timestamp', timeOf(instantAt(Date.now()))],
    ['version', '1.0'],
    ...account.serials,
    ...Object.entries(fields),
  ])
  if (account.appAuthToken) form.set('app_auth_token', account.appAuthToken)
  if (notified) form.set('notify_url', account.notifyUrl)
  if (content) form.set('biz_content', JSON.stringify(content))
  return signedForm(form, account.key)
}
