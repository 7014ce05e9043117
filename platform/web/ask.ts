import { addressOf, type Call } from '../contract/call.ts'
import { partsOf } from '../contract/field.ts'
import { cookie } from './cookie.ts'
import { noteFailure } from './page/failures.ts'
import { toast } from './page/hosts.tsx'
import { person } from './person.ts'
import { personalIn } from './draw/personalIn.ts'
import { say, type Text } from './text.ts'

/** A call that has not answered by then has failed. */
export const ASK_TIMEOUT_MS = 50_000
const SUCCESS = 200
const TIMED_OUT = 408
const UNAUTHORISED = 401
/** The code of `system.in-flight`. */
const IN_FLIGHT = 40902
const LOCKED = 423
export const TOKEN_COOKIE = 'token'

/** The server's refusal of a call. `requestId` finds it in the log; `status` 0 means that the server was not reached. */
export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly requestId: string
  readonly data: unknown
  constructor(status: number, message: string, requestId: string, { code = status, data = null }: { code?: number; data?: unknown } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.data = data
  }
  /** The server has said no, and did nothing. Until it has (no answer came, or the same request is still in hand there), another try is the same request. */
  get isAnswer() {
    return this.status >= 400 && this.status < 500 && this.status !== TIMED_OUT && this.code !== IN_FLIGHT
  }
  /** Somebody else changed the record meanwhile. */
  get stale() {
    return this.status === 409 && this.code === 409
  }
}

export interface AskOptions {
  signal?: AbortSignal | null
  /** The Idempotency-Key of a writing call: the same for every try of one submit. Made anew when left out. */
  key?: string
  /** No toast: for what the page asks by itself in the background, and where the page shows the refusal in place. It is still noted. */
  quiet?: boolean
  /** The function that sends the request, where `fetch` cannot report enough: an upload shows its progress. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Neither toast nor note: who asks shows every refusal itself, with its number (a run over many rows). */
  apart?: boolean
}

/**
 * One call of the contract. Query, body, form and multipart follow from it; a writing GET looks like any other.
 * Resolves to the envelope's `data`; rejects with a `Refusal`, after it was shown for two seconds and noted.
 */
export async function ask<I, R>(call: Call<I, R>, input: I, options: AskOptions = {}): Promise<R> {
  return said(call, options, async (reply) => dataOf<R>(reply, await bodyOf(reply)), input)
}

/** A call that answers with a file: saves it under the server's name. An answer in JSON is a refusal, and nothing is saved. */
export async function download<I>(call: Call<I, unknown>, input: I, options: AskOptions = {}): Promise<void> {
  await said(
    call,
    options,
    async (reply) => {
      if (!reply.ok || isJson(reply)) {
        const body = await bodyOf(reply)
        dataOf(reply, body)
        throw new Refusal(reply.status, say(textOf(body) ?? BARE), requestIdOf(reply, body))
      }
      saveAs(await reply.blob(), fileNameOf(reply))
    },
    input,
  )
}

/** A call that answers with a file, or with data when there is none yet: undefined when a file was saved. */
export const fileOrData = <I, R>(call: Call<I, R>, input: I, options: AskOptions = {}): Promise<R | undefined> =>
  said(
    call,
    options,
    async (reply) => {
      if (!reply.ok || isJson(reply)) return dataOf<R>(reply, await bodyOf(reply))
      saveAs(await reply.blob(), fileNameOf(reply))
      return undefined
    },
    input,
  )

/** The key and the question of a reading call, for `useQuery`. */
export const asks = <I, R>(call: Call<I, R>, input: I, options: Omit<AskOptions, 'signal'> = {}) => ({
  meta: { personal: personalIn(call.reply) },
  queryKey: [call.id, input] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => ask(call, input, { ...options, signal }),
})

let unauthorised: () => void = () => {}
/** The shell says what happens when the session has ended: sign out, and to the sign-in page with the way back. */
export const onUnauthorised = (leave: () => void) => void (unauthorised = leave)

let whenLocked: () => void = () => {}
/** And when its person has locked it, here or in another tab. */
export const onLocked = (cover: () => void) => void (whenLocked = cover)

async function said<I, R, T>(call: Call<I, R>, options: AskOptions, read: (reply: Response) => Promise<T>, input: I): Promise<T> {
  const { url, init } = requestOf(call, input, options.key)
  const timer = new AbortController()
  const clock = setTimeout(() => timer.abort(), ASK_TIMEOUT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, timer.signal]) : timer.signal
  try {
    return await read(await (options.fetch ?? fetch)(url, { ...init, signal }))
  } catch (error) {
    if (options.signal?.aborted) throw error
    const refusal = timer.signal.aborted
      ? new Refusal(TIMED_OUT, say(STATUS_TEXTS[TIMED_OUT]!), '')
      : error instanceof Refusal
        ? error
        : new Refusal(0, say(UNREACHED), '')
    if (!options.apart) noteFailure({ at: new Date(), text: refusal.message, call: call.id, status: refusal.status, requestId: refusal.requestId })
    if (refusal.status === UNAUTHORISED) unauthorised()
    else if (refusal.status === LOCKED) whenLocked()
    else if (!options.quiet && !options.apart) toast('error', refusal.message)
    throw refusal
  } finally {
    clearTimeout(clock)
  }
}

/** For the operation log: where a thing was done. */
const PAGE_MAX = 120
function requestOf<I, R>(call: Call<I, R>, given: I, key: string | undefined): { url: string; init: RequestInit } {
  const headers: Record<string, string> = {}
  const token = cookie(TOKEN_COOKIE)
  if (token) headers.authorization = `Bearer ${token}`
  if (call.writes) headers['idempotency-key'] = key ?? newKey()
  headers['x-page'] = (globalThis.location?.pathname ?? '').replace(/^\/dist(?=\/)/, '').slice(0, PAGE_MAX)
  const input = withCaller(call, given)
  const path = addressOf(call).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    delete input[name]
    return encodeURIComponent(String(value))
  })
  const init: RequestInit = { method: call.method, headers, credentials: 'same-origin' }
  if (call.payload === 'query' && call.method !== 'PUT') return { url: path + queryOf(input), init }
  if (call.payload === 'form') return { url: path, init: { ...init, body: new URLSearchParams(wordsOf(input)) } }
  if (call.payload === 'multipart') return { url: path, init: { ...init, body: formOf(input) } }
  // The server takes a PUT's fields from the body too: an address is no place for a secret, and too short for a long text.
  headers['content-type'] = 'application/json'
  return { url: path, init: { ...init, body: JSON.stringify(input) } }
}

/** Calls that name the caller in their input get the signed-in person's; the server trusts its session all the same. */
function withCaller<I, R>(call: Call<I, R>, given: I): Record<string, unknown> {
  const who = person.get()
  const wanted = partsOf(call.input)
  const caller = who && {
    ...('userId' in wanted && { userId: who.custId }),
    ...('userName' in wanted && { userName: who.name }),
  }
  return { ...caller, ...(given as object) }
}

/** Empty values are not sent: an empty field asks for nothing. A list goes as one comma list. */
function wordsOf(input: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return Object.fromEntries(given.map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : String(value)]))
}
function queryOf(input: Record<string, unknown>) {
  const query = new URLSearchParams(wordsOf(input)).toString()
  return query && `?${query}`
}
function formOf(input: Record<string, unknown>) {
  const form = new FormData()
  for (const [key, value] of Object.entries(input)) if (value instanceof Blob) form.append(key, value)
  for (const [key, value] of Object.entries(wordsOf(input))) if (!(input[key] instanceof Blob)) form.append(key, value)
  return form
}

/** A random number for one submit. `randomUUID` is missing where the page is not served securely. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

interface Envelope {
  code?: number | string
  message?: string
  data?: unknown
  requestId?: string
}
const isJson = (reply: Response) => reply.headers.get('content-type')?.includes('json') ?? false
async function bodyOf(reply: Response): Promise<Envelope> {
  try {
    const body: unknown = await reply.json()
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
const requestIdOf = (reply: Response, { requestId }: Envelope) => reply.headers.get('x-request-id') ?? requestId ?? ''

/** The envelope opened: its data, or the sentence why not. */
function dataOf<R>(reply: Response, body: Envelope): R {
  const requestId = requestIdOf(reply, body)
  const code = body.code === undefined ? undefined : Number(body.code)
  if (!reply.ok) {
    const facts = { ...(code !== undefined && { code }), data: body.data }
    throw new Refusal(reply.status, body.message || asText(body.data) || statusText(reply), requestId, facts)
  }
  if (code === undefined || Number.isNaN(code)) throw new Refusal(reply.status, say(NO_CODE), requestId)
  if (code !== SUCCESS) throw new Refusal(reply.status, say(textOf(body) ?? BARE), requestId, { code, data: body.data })
  return body.data as R
}

/** An answer with another code: its data speaks first, when it is a text, then its message. */
function textOf({ data, message }: Envelope): Text | undefined {
  const text = asText(data) || message
  return text ? [text, text] : undefined
}
const asText = (data: unknown) => (typeof data === 'string' ? data : '')

const BARE: Text = ['出错了', 'Something went wrong']
const NO_CODE: Text = ['访问出错', 'The answer could not be read']
const UNREACHED: Text = ['连接不上服务器，请检查网络', 'The server cannot be reached; check the network']
export const UNAUTHORISED_TEXT: Text = ['未授权，请登录', 'Please sign in']
const STATUS_TEXTS: Record<number, Text> = {
  400: ['请求错误', 'Bad request'],
  401: UNAUTHORISED_TEXT,
  403: ['拒绝访问', 'Access refused'],
  404: ['请求地址出错', 'Nothing at this address'],
  408: ['请求超时', 'The request timed out'],
  500: ['服务器内部错误', 'Server error'],
  501: ['服务未实现', 'Not implemented'],
  502: ['网关错误', 'Gateway error'],
  503: ['服务不可用', 'Service unavailable'],
  504: ['网关超时', 'The gateway timed out'],
  505: ['HTTP版本不受支持', 'HTTP version not supported'],
}
function statusText(reply: Response) {
  const text = say(STATUS_TEXTS[reply.status] ?? BARE)
  return reply.status === 404 && reply.url ? `${text}: ${new URL(reply.url).pathname}` : text
}

export const EXPORT_MIME = 'application/vnd.ms-excel'
const EXPORT_ENDING = '.xls'
/** RFC 6266: the name in UTF-8 goes before the plain one. Without any the file is an `.xls`. */
export function fileNameOf(reply: Response): string {
  const said = reply.headers.get('content-disposition') ?? ''
  const utf8 = /filename\*=UTF-8''([^;]+)/i.exec(said)?.[1]
  const plain = /filename="?([^";]+)"?/i.exec(said)?.[1]
  const stamp = new Date().toISOString().slice(0, 10)
  return utf8 ? decodeURIComponent(utf8) : (plain ?? `export-${stamp}${EXPORT_ENDING}`)
}
/** The browser saves it under this name. */
export function saveAs(blob: Blob, name: string) {
  const file = blob.type ? blob : new Blob([blob], { type: EXPORT_MIME })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
