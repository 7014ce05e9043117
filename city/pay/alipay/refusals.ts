import type { Said } from '../wire.ts'

/**
 * Sub codes with the outer code that they come with. Those of the parking calls, and `ACQ.TRADE_STATUS_ERROR` for a trade that is
 * already closed, are not confirmed by a document: change them here.
 */
const OUTER = {
  'isp.unknow-error': '20000',
  'isv.missing-method': '40001',
  'isv.missing-app-id': '40001',
  'isv.missing-signature': '40001',
  'isv.missing-timestamp': '40001',
  'isv.invalid-method': '40002',
  'isv.invalid-app-id': '40002',
  'isv.invalid-signature': '40002',
  'isv.invalid-signature-type': '40002',
  'isv.invalid-timestamp': '40002',
  'isv.code-invalid': '40002',
  'isp.bill_not_exist': '40004',
  'ACQ.INVALID_PARAMETER': '40004',
  'ACQ.CONTEXT_INCONSISTENT': '40004',
  'ACQ.TRADE_HAS_SUCCESS': '40004',
  'ACQ.TRADE_HAS_CLOSE': '40004',
  'ACQ.TRADE_HAS_FINISHED': '40004',
  'ACQ.TRADE_NOT_EXIST': '40004',
  'ACQ.TRADE_STATUS_ERROR': '40004',
  'ACQ.SELLER_BALANCE_NOT_ENOUGH': '40004',
  'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL': '40004',
  'ACQ.DISCORDANT_REPEAT_REQUEST': '40004',
  'ACQ.BUYER_BALANCE_NOT_ENOUGH': '40004',
  'ACQ.AGREEMENT_NOT_EXIST': '40004',
} as const
export type SubCode = keyof typeof OUTER
const WORDS: Readonly<Record<string, string>> = {
  '20000': 'Service Currently Unavailable',
  '40001': 'Missing Required Arguments',
  '40002': 'Invalid Arguments',
  '40004': 'Business Failed',
}

/** An answer with `code`, `msg`, `sub_code` and `sub_msg`. */
export class AlipayRefusal extends Error {
  readonly subCode: SubCode
  constructor(subCode: SubCode, subMsg: string) {
    super(subMsg)
    this.subCode = subCode
  }
  /** `more` stands in the answer too: the numbers that were asked for. */
  said(more: Said = {}): Said {
    const code = OUTER[this.subCode]
    return { code, msg: WORDS[code], sub_code: this.subCode, sub_msg: this.message, ...more }
  }
}
