import type { Text } from '../../../platform/web/text.ts'

const MEANINGS: Record<number, Text> = {
  400: ['请求格式不被接受', 'The request format was not accepted'],
  401: ['密钥或账号不被接受', 'The secret or account was not accepted'],
  403: ['账号没有这项权限', 'The account lacks this permission'],
  404: ['地址不存在', 'The address does not exist'],
  408: ['对方等待超时', 'The provider timed out waiting'],
  413: ['内容过大', 'The message is too large'],
  422: ['号码或内容被拒收', 'The number or content was rejected'],
  429: ['发送过快，被限流', 'Sent too fast; rate limited'],
}
const TAKEN: Text = ['已受理', 'Accepted']
const REFUSED: Text = ['被拒收', 'Refused']
const FAULT: Text = ['服务商故障', 'Provider fault']
/** Under these names providers say why. */
const WORDS = ['message', 'msg', 'errmsg', 'error', 'reason', 'code']

/** Reads a provider's answer, `422 {"error":"NUMBER_DOES_NOT_EXIST"}`: the meaning of its status, and its own words. Undefined for a text that is no answer over HTTP. */
export function answerIn(text: string): { status: number; means: Text; words: string } | undefined {
  const match = /^(\d{3}) ?([^]*)$/.exec(text)
  if (!match) return undefined
  const status = Number(match[1])
  const means = MEANINGS[status] ?? (status < 300 ? TAKEN : status < 500 ? REFUSED : FAULT)
  return { status, means, words: wordsIn(match[2]!) }
}
function wordsIn(body: string): string {
  let said: unknown
  try {
    said = JSON.parse(body)
  } catch {
    return body.trim()
  }
  if (!said || typeof said !== 'object') return body.trim()
  const found = WORDS.map((name) => (said as Record<string, unknown>)[name]).find((one) => typeof one === 'string' && one.trim())
  return typeof found === 'string' ? found.trim() : ''
}
