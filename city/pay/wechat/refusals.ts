import { type Told, told } from '../wire.ts'

/**
 * Codes of refusals with their HTTP statuses, as the documents of the calls list them. `INVALID_REQUEST` for a second order under a
 * number that is paid, and for a debit of a car that is blocked, are not confirmed by a document: change them here.
 */
const STATUS = {
  PARAM_ERROR: 400,
  INVALID_REQUEST: 400,
  APPID_MCHID_NOT_MATCH: 400,
  MCH_NOT_EXISTS: 400,
  ORDER_CLOSED: 400,
  NO_STATEMENT_EXIST: 400,
  STATEMENT_CREATING: 400,
  SIGN_ERROR: 401,
  NO_AUTH: 403,
  OUT_TRADE_NO_USED: 403,
  ORDER_NOT_EXIST: 404,
  RESOURCE_NOT_EXISTS: 404,
  SYSTEM_ERROR: 500,
} as const
export type Code = keyof typeof STATUS

/** An answer with `code`, `message` and, where there is one, `detail`. */
export class WechatRefusal extends Error {
  readonly code: Code
  readonly detail: object | undefined
  constructor(code: Code, message: string, detail?: object) {
    super(message)
    this.code = code
    this.detail = detail
  }
  get told(): Told {
    return told(STATUS[this.code], { code: this.code, message: this.message, ...(this.detail && { detail: this.detail }) })
  }
}
