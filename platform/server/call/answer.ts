import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { spokenJson } from '../../contract/said.ts'
import { BadInput, NoPermission, Refusal, TooMany, Unavailable } from '../refusal.ts'
import { constraintTold, type Refused } from '../constraints.ts'
import { languageOf } from './cookies.ts'
import { isReadOnly } from '../database.ts'
import { FileReply } from './fileReply.ts'

// Serialised here and not by Fastify: replies are checked against their schema in tests, where a slip is an error and not a silent cut.
// Sentences that the platform wrote into rows are put into the reader's language here, on their way out: pages and clients need
// not know of them.
const envelope = (reply: FastifyReply, status: number, body: object) =>
  send(reply, status, spokenJson(JSON.stringify(body), languageOf(reply.request.headers.cookie) === 'zh' ? 0 : 1))
const send = (reply: FastifyReply, status: number, body: string) =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store').send(body)
/** A refusal in the envelope. */
export const bodyOf = ({ code, texts, data, id }: Refusal, zh: boolean): string =>
  spokenJson(JSON.stringify({ code, message: texts[zh ? 0 : 1], data, id }), zh ? 0 : 1)

export function answer(reply: FastifyReply, data: unknown): FastifyReply {
  if (data instanceof FileReply) {
    const { name, type, body, inline } = data
    const disposition = `${inline ? 'inline' : 'attachment'}; filename="${name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`
    return reply
      .headers({
        'content-type': type,
        'content-disposition': disposition,
        'cache-control': 'private, no-store',
        'content-security-policy': FILE_POLICY,
      })
      .send(body)
  }
  // A sign-in answers its token at the top level too: plain clients look for it there.
  const token = (data as { access_token?: string } | null | undefined)?.access_token
  return envelope(reply, 200, { code: 200, message: 'ok', data: data ?? null, ...(token && { access_token: token }) })
}

/** A file with any content, opened as a page of its own, runs nothing, loads nothing and has no origin. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** After a 503 or 429 the caller waits this long. */
const RETRY_AFTER_S = 2
/** And hears so only after a while: who asks again at once would keep the house busy with refusing. */
const TOO_MANY_AFTER_MS = 1_000

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = refusalOf(error)
    const zh = languageOf(request.headers.cookie) === 'zh'
    if (!refusal) {
      request.log.error({ err: error }, 'A call failed.')
      return envelope(reply, 500, {
        code: 500,
        message: zh ? `服务器内部错误，请求号 ${request.id}` : `Internal error, request ${request.id}`,
        data: null,
      })
    }
    if (refusal.status === 503 || refusal.status === 429) reply.header('retry-after', RETRY_AFTER_S)
    if (refusal.status === 429) await pause(TOO_MANY_AFTER_MS, undefined, { ref: false })
    return send(reply, refusal.status, bodyOf(refusal, zh))
  })
  app.setNotFoundHandler((request, reply) => {
    const zh = languageOf(request.headers.cookie) === 'zh'
    return envelope(reply, 404, {
      code: 404,
      message: zh
        ? `请求地址出错：${request.method} ${request.url.split('?')[0]}`
        : `No such address: ${request.method} ${request.url.split('?')[0]}`,
      data: null,
    })
  })
}

/** For what is refused before any route or hook is found. */
export function answerMalformed(request: FastifyRequest, reply: FastifyReply): void {
  const refusal = BadInput({ zh: '请求地址无法解析', en: 'the address cannot be read' })
  void send(reply, refusal.status, bodyOf(refusal, languageOf(request.headers.cookie) === 'zh'))
}

/** Turns an error of PostgreSQL or Fastify into a refusal of ours; undefined for an error that nobody foresaw. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  const { code = '', statusCode = 500, message = '' } = error as Partial<FastifyError>
  // A row outside the scope of whoever writes it: another enterprise's or another park's.
  if (code === '42501' && message.includes('row-level security')) return NoPermission()
  const told = constraintTold(error as Refused)
  if (told) return told
  const known = POSTGRES[code]
  if (known) return new Refusal(`database.${code}`, known[0], known[0], [known[1], known[2]], null)
  if (AWAY.has(code) || isReadOnly(error) || AWAY_TOLD.test(message)) return Unavailable()
  if (statusCode === 429) return TooMany()
  if (statusCode === 413) return new Refusal('system.too-large', 413, 413, ['提交的内容过大', 'The content sent is too large'], null)
  if (statusCode === 415)
    return new Refusal(
      'system.media-type',
      415,
      415,
      ['不支持的内容类型，请使用接口说明中的类型', 'This content type is not supported; see the API document'],
      null,
    )
  if (statusCode === 431)
    return new Refusal(
      'system.header-too-large',
      431,
      431,
      ['请求头过大，请清除浏览器中本站的 Cookie 后重试', 'The request headers are too large; clear the cookies of this site and try again'],
      null,
    )
  if (statusCode === 408) return new Refusal('system.slow', 408, 408, ['请求超时', 'The request took too long'], null)
  if (statusCode >= 400 && statusCode < 500) return BadInput({ zh: '内容无法解析', en: 'the content cannot be read' })
  return undefined
}
const FULL: [status: number, zh: string, en: string] = [507, '存储空间不足，未保存任何内容', 'The disk is full; nothing was saved']
const POSTGRES: Record<string, [status: number, zh: string, en: string]> = {
  '23505': [409, '已存在相同的数据，请修改后再保存', 'The same record already exists; change yours and save again'],
  '23503': [
    409,
    '数据正被其他记录引用，或所引用的数据不存在，请刷新后核对',
    'Other records use this one, or a record it uses does not exist; refresh and check',
  ],
  '23P01': [409, '与现有数据的时间范围重叠，请调整起止时间', 'It overlaps the period of an existing record; change its start or end'],
  '23514': [422, '数据不符合规则，请核对后再保存', 'The data does not meet the rules; check it and save again'],
  '23502': [422, '缺少必填数据，请补全后再保存', 'Something required is missing; fill it in and save again'],
  '22001': [400, '文字过长', 'A text is too long'],
  '22003': [400, '数值超出范围', 'A number is out of range'],
  '22007': [400, '时间格式不正确', 'A time has the wrong format'],
  '22008': [400, '时间超出范围', 'A time is out of range'],
  '22021': [400, '含有无法保存的字符', 'It contains a character that cannot be saved'],
  '22P02': [400, '格式不正确', 'A value has the wrong format'],
  '22P05': [400, '含有无法保存的字符', 'It contains a character that cannot be saved'],
  '40001': [409, '数据正被他人修改，请重试', 'Someone is changing the same data; please try again'],
  '40P01': [409, '数据正被他人修改，请重试', 'Someone is changing the same data; please try again'],
  '55P03': [409, '数据正被他人修改，请重试', 'Someone is changing the same data; please try again'],
  '57014': [503, '查询耗时过长，请缩小范围', 'The query took too long; please narrow the range'],
  '53100': FULL,
  // The same from the disk of the uploaded files.
  ENOSPC: FULL,
  EDQUOT: FULL,
}
/** Whether the database is away, starting, stopping, full of connections or too busy to answer in time: asked again a moment later it may do it. */
export const isAway = (error: unknown): boolean => refusalOf(error)?.status === 503
/** Messages of `pg` for a lost connection that come without a code. */
const AWAY_TOLD =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after/
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
  '08003',
  '08004',
])
