import { askOutside, NotReached, type OutsideAnswer } from '../../../../../platform/server/outside.ts'
import { PayAway } from '../provider.ts'
import { type Fields, fieldsIn } from './fields.ts'
import { type Keys, keysOf } from './keys.ts'
import { type PlatformKeys, platformKeys } from './platformKeys.ts'
import { authorization, newNonce, secondsOf } from './signing.ts'
import { isFresh, isSignedBy, stampOf } from './stamp.ts'
import { type Heard, WECHAT_HOST, WECHAT_SPARE_HOST, type WechatAccount } from './types.ts'
import { outcomeOf, WechatSaid } from './words.ts'

const AGENT = 'Kerbline'
const ANSWERS: readonly number[] = [200, 204]
/** A day of a city's trades, packed, and the time for it. */
const FILE_BYTES = 64 * 1024 * 1024
const FILE_MS = 60_000

export interface Call {
  method: 'GET' | 'POST'
  path: string
  query?: Readonly<Record<string, string>>
  body?: object
}
/** One merchant's way to WeChat Pay: what it sends is signed, and what it believes is. */
export interface Client {
  keys: Keys
  platform: PlatformKeys
  /** @throws WechatSaid for WeChat's no, PayAway where nobody knows what became of it */
  ask(call: Call): Promise<Fields>
  /** The same of a call whose answer has no content. */
  tell(call: Call): Promise<void>
  /** A file at an address that an answer gave. Nobody signs it: its digest is to be checked. @throws PayAway, WechatSaid */
  file(address: string): Promise<Buffer>
}

/** One request that came through, and how to tell the log of it. */
interface Sent {
  answer: OutsideAnswer
  requestId: string
  log(word?: string): void
}
type Send = (method: Call['method'], url: URL, more?: { body?: string; ms?: number; bytesMax?: number }) => Promise<Sent>

/** @throws BadKey */
export function wechatClient({ host = WECHAT_HOST, heard = () => {}, ...given }: WechatAccount): Client {
  const keys = keysOf(given)
  const send = sender(keys, heard)
  const platform = platformKeys(keys, async () => {
    const { answer, requestId, log } = await send('GET', new URL('/v3/certificates', host))
    return told(answer, requestId, log).toString()
  })
  const isGenuine = async ({ headers, bytes }: OutsideAnswer) => {
    const stamp = stampOf(headers)
    const key = stamp && isFresh(stamp, Date.now()) ? await platform.of(stamp.serial, Date.now()) : undefined
    return key !== undefined && isSignedBy(key, stamp!, bytes)
  }
  const answerTo = async ({ method, path, query, body }: Call) => {
    const url = new URL(path, host)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const { answer, requestId, log } = await send(method, url, body && { body: JSON.stringify(body) })
    // A no may come from before WeChat's signer; one that is signed must be signed well.
    if ((isAnswer(answer) || 'wechatpay-signature' in answer.headers) && !(await isGenuine(answer))) {
      log('the signature is missing or wrong')
      throw PayAway()
    }
    return told(answer, requestId, log).toString()
  }
  return {
    keys,
    platform,
    ask: async (call) => fieldsIn(await answerTo(call)),
    tell: async (call) => void (await answerTo(call)),
    async file(address) {
      const url = URL.canParse(address) ? new URL(address) : undefined
      // The request is signed as ours: it goes to nobody else.
      if (!url || ![new URL(host).origin, WECHAT_HOST, WECHAT_SPARE_HOST].includes(url.origin)) throw PayAway()
      const { answer, requestId, log } = await send('GET', url, { ms: FILE_MS, bytesMax: FILE_BYTES })
      return told(answer, requestId, log)
    },
  }
}

/** Signs and sends a request once. @throws PayAway where no whole answer came */
function sender(keys: Keys, heard: (call: Heard) => void): Send {
  return async (method, url, { body = '', ...limits } = {}) => {
    const begunMs = Date.now()
    const target = `${url.pathname}${url.search}`
    const headers = {
      accept: 'application/json',
      'user-agent': AGENT,
      authorization: authorization(keys, { method, target, body, timestamp: secondsOf(begunMs), nonce: newNonce() }),
      ...(body !== '' && { 'content-type': 'application/json' }),
      // Says with which of its keys WeChat may sign the answer.
      ...(keys.published && { 'wechatpay-serial': keys.published.id }),
    }
    const log = (more: Pick<Heard, 'status' | 'word' | 'requestId'>) => heard({ method, path: url.pathname, ms: Date.now() - begunMs, ...more })
    const answer = await askOutside(url.href, { method, headers, body, ...limits }).catch((error: unknown) => {
      if (!(error instanceof NotReached)) throw error
      log({ word: error.message })
      throw PayAway()
    })
    const requestId = String(answer.headers['request-id'] ?? '')
    return { answer, requestId, log: (word) => log({ status: answer.status, requestId, ...(word && { word }) }) }
  }
}

const isAnswer = ({ status }: OutsideAnswer) => ANSWERS.includes(status)
/** Its bytes. @throws WechatSaid for a no, PayAway where that says nothing of what was done */
function told(answer: OutsideAnswer, requestId: string, log: Sent['log']): Buffer {
  if (isAnswer(answer)) {
    log()
    return answer.bytes
  }
  const said = saidIn(answer, requestId)
  log(said.word)
  throw said.outcome === 'again' ? PayAway() : said
}
/** `{code, message, detail}`, or whatever stands before WeChat. */
function saidIn({ status, text }: OutsideAnswer, requestId: string): WechatSaid {
  let [word, sentence] = ['', '']
  try {
    const fields = fieldsIn(text)
    ;[word, sentence] = [fields.textOr('code', ''), fields.textOr('message', '')]
  } catch {
    // no answer of WeChat's
  }
  return new WechatSaid({ outcome: outcomeOf(status, word), word, sentence, requestId })
}
