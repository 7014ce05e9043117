/** What an answer means for whoever asked. */
export type Verdict =
  | 'done'
  /** The payer has still to confirm. */
  | 'waiting'
  /** Nobody knows whether it was done: the same number is asked again. */
  | 'unknown'
  /** There is no such trade, agreement or bill. */
  | 'absent'
  /** Refused, for good: the word says why. */
  | 'refused'
  /** The app, its keys or its contract are wrong: a person must act. */
  | 'setup'

/** By the outer code; 40004 is the business's own refusal, which its word explains. */
const BY_CODE: Readonly<Record<string, Verdict>> = {
  10000: 'done',
  10003: 'waiting',
  20000: 'unknown',
  20001: 'setup',
  40001: 'setup',
  40002: 'setup',
  40003: 'setup',
  40004: 'refused',
  40005: 'unknown',
  40006: 'setup',
}
/**
 * By the word behind `ACQ.`, `isp.` and so on. Alipay cuts a word at 32 signs, prefix and all, so that the beginning counts. Trades, refunds and bills are as the published
 * lists have them; the words of parking (`alipay.eco.mycar`) are published nowhere, and are taken for refusals until a query says otherwise.
 */
const BY_WORD: readonly [RegExp, Verdict][] = [
  [/^(SYSTEM_ERROR|UNKNOWN?[-_]?(ERROR|EXCEPTION)|INVOKE_TIMEOUT|CONCURRENT_|(APP|METHOD)-CALL-LIMITED|REFUND_CHARGE_ERROR)/i, 'unknown'],
  [/^(TRADE_NOT_EXIST|(USER_)?AGREEMENT_NOT_EXIST|BILL_NOT_EXIST)/i, 'absent'],
  [/^(ACCESS_FORBIDDEN|PARTNER_ERROR|MERCHANT_AGREEMENT_NOT|INVALID-SIGNATURE|INVALID-APP-ID|INSUFFICIENT-ISV-PERM)/i, 'setup'],
  // Of a payer who came back too late, or twice.
  [/^CODE-INVALID/i, 'refused'],
]
/** Why a debit was refused. */
const BALANCE = /^(BUYER_BALANCE_NOT_E|BUYER_BANKCARD_BALANCE_NOT_E|BUYER_PAYMENT_AMOUNT_|NO_PAYMENT_INSTRUMENTS_|ERROR_BALANCE_PAYMENT_)/i
const AGREEMENT = /^((USER_)?AGREEMENT_|UNSIGN_|NO_AGREEMENT_SCENE)/i
/** The money of a refund can go to nobody, or lies fast: it stays with the merchant until a person has acted. */
const STRANDED = /^(REASON_TRADE_BEEN_FREEZEN|BUYER_NOT_EXIST|BUYER_ERROR|BUYER_ENABLE_STATUS_FORBID|REFUND_ACCOUNT_NOT_EXIST|USER_NOT_MATCH)/i

export const wordOf = (subCode: string): string => subCode.replace(/^(ACQ|AQC|CQ|isp|isv|aop)\./i, '')
/** Whatever has a code that is not listed is not known to have been done, nor not to. */
export function verdictOf(code: string, subCode: string): Verdict {
  const byCode = BY_CODE[code] ?? 'unknown'
  if (byCode !== 'refused' && byCode !== 'setup') return byCode
  return BY_WORD.find(([word]) => word.test(wordOf(subCode)))?.[1] ?? byCode
}
export function debitFailure(subCode: string): 'balance' | 'agreement' | undefined {
  const word = wordOf(subCode)
  return BALANCE.test(word) ? 'balance' : AGREEMENT.test(word) ? 'agreement' : undefined
}
export const isStranded = (subCode: string): boolean => STRANDED.test(wordOf(subCode))
export const saysPaid = (subCode: string): boolean => /^TRADE_HAS_(SUCCESS|FINISHED)/i.test(wordOf(subCode))
