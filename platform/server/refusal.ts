import type { Instant } from '../contract/field.ts'
import { filled } from '../contract/plural.ts'
import { cityTime } from '../contract/time.ts'

/** A rule that says no: its id, the code in the envelope, the true HTTP status and a sentence in both languages. Declared once, beside the rule. */
export class Refusal extends Error {
  readonly id: string
  readonly code: number
  readonly status: number
  readonly texts: readonly [zh: string, en: string]
  readonly data: unknown
  constructor(id: string, code: number, status: number, texts: readonly [string, string], data: unknown) {
    super(texts[1])
    this.id = id
    this.code = code
    this.status = status
    this.texts = texts
    this.data = data
  }
}
/**
 * `{name}` in a sentence is filled from the object given when it is thrown. What is thrown with it is the envelope's `data`.
 * 409 for a state or a conflict, 422 for a rule that the input breaks.
 */
export const refusal =
  (id: string, code: number, zh: string, en: string, status = 409) =>
  (data?: Record<string, unknown> | unknown[] | null) =>
    new Refusal(id, code, status, [saidOf(zh, data), saidOf(en, data)], data ?? null)

const saidOf = (sentence: string, data: unknown) =>
  filled(sentence, (name, whole) => told((data as Record<string, unknown> | undefined)?.[name] ?? whole))
/** A moment is told as the city's clocks show it. */
const told = (value: unknown): string => (typeof value === 'string' && MOMENT.test(value) ? cityTime(value as Instant) : String(value))
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const BadInput = refusal('system.bad-input', 400, '请求参数不正确：{zh}', 'The request is not valid: {en}', 400)
export const SignInFirst = refusal('system.sign-in', 401, '未授权，请登录', 'Please sign in', 401)
export const Locked = refusal('system.locked', 423, '已锁屏，请先解锁', 'The console is locked; unlock it first', 423)
export const NoPermission = refusal(
  'system.no-permission',
  403,
  '您没有此操作的权限；需要时请联系管理员',
  'You don’t have permission for this. Ask your administrator',
  403,
)
export const CrossSite = refusal('system.cross-site', 403, '请从本平台页面发起操作', 'Do this from a page of the platform itself', 403)
export const NotFound = refusal(
  'system.not-found',
  404,
  '记录不存在或已被删除，请返回列表刷新',
  'This record no longer exists. Go back and refresh the list',
  404,
)
export const Stale = refusal('system.stale', 409, '数据已被他人修改，请刷新', 'Someone else changed this record; please refresh')
export const IllegalMove = refusal(
  'system.illegal-move',
  40010,
  '当前状态不能这样做，请刷新后再试',
  'Not possible in the record’s current state. Refresh and try again',
)
export const KeyReused = refusal(
  'system.key-reused',
  40901,
  '请勿重复提交不同内容，请刷新后重试',
  'This form was already sent with other content. Refresh and try again',
)
export const InFlight = refusal('system.in-flight', 40902, '相同的请求正在处理，请稍候', 'The same request is still being processed; please wait')
export const Interrupted = refusal(
  'system.interrupted',
  40022,
  '上次提交在中途被中断，请先核对是否已经办理，再重新提交',
  'The last try was cut off halfway: check whether it was done, then submit anew',
)
export const Unavailable = refusal(
  'system.unavailable',
  503,
  '服务暂时不可用，请稍后重试',
  'The service is temporarily unavailable; please try again later',
  503,
)
export const TooMany = refusal('system.too-many', 429, '操作过于频繁，请稍后再试', 'Too many requests; please wait a moment', 429)
