/**
 * What an answer other than 200 or 204 means for whoever asked.
 * `again`: nobody knows yet what became of it; the same number is asked again. `none`: WeChat has no such trade, refund or bill. `closed`, `paid`: the trade is that already.
 * `setUp`: the account's keys or rights are wrong, and a person has to see to them. `refused`: it will not be done.
 */
export type Outcome = 'again' | 'none' | 'closed' | 'paid' | 'setUp' | 'refused'

/** WeChat's words, of which older pages write some without the underscore. A word that stands nowhere is a no, never a "there is none": that would set money free. */
const OUTCOMES = new Map<string, Outcome>([
  ...of('again', 'SYSTEM_ERROR', 'SYSTEMERROR', 'BANK_ERROR', 'BANKERROR', 'USERPAYING', 'USER_PAYING'),
  ...of('again', 'FREQUENCY_LIMITED', 'FREQUENCY_LIMIT', 'FREQUENCY_LIMIT_EXCEED', 'RATELIMIT_EXCEED', 'RATELIMIT_EXCEEDED'),
  ...of('none', 'ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS', 'REFUND_NOT_EXISTS', 'REFUNDNOTEXIST'),
  ...of('none', 'NO_STATEMENT_EXIST', 'STATEMENT_CREATING'),
  ...of('closed', 'ORDER_CLOSED', 'ORDERCLOSED'),
  ...of('paid', 'ORDER_PAID', 'ORDERPAID'),
  ...of('setUp', 'SIGN_ERROR', 'NO_AUTH', 'NOAUTH', 'APPID_MCHID_NOT_MATCH', 'MCH_NOT_EXISTS', 'ACCOUNT_ERROR', 'ACCOUNTERROR'),
])
function of(outcome: Outcome, ...words: readonly string[]): [string, Outcome][] {
  return words.map((word) => [word, outcome])
}

const UNAUTHORIZED = 401
const TOO_MANY = 429
/** A server that fails, or a gateway before it, says nothing of what was done; neither does a 2xx that is no answer, or a redirect. */
const isUnsure = (status: number) => status >= 500 || status < 400 || status === TOO_MANY

export function outcomeOf(status: number, word: string): Outcome {
  if (isUnsure(status)) return 'again'
  // A page of a proxy, say: an answer of WeChat's always has its word.
  if (word === '') return 'again'
  return OUTCOMES.get(word) ?? (status === UNAUTHORIZED ? 'setUp' : 'refused')
}

/** WeChat's no: its own word and sentence, and the number by which its staff find the request. */
export class WechatSaid extends Error {
  override name = 'WechatSaid'
  readonly outcome: Outcome
  readonly word: string
  readonly requestId: string
  constructor({ outcome, word, sentence, requestId }: { outcome: Outcome; word: string; sentence: string; requestId: string }) {
    super(sentence)
    this.outcome = outcome
    this.word = word
    this.requestId = requestId
  }
}
