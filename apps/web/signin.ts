import { dropCookie, setCookie } from '../../platform/web/cookie.ts'
import { digestOf } from './digest.ts'

/** The sign-in call and its two neighbours, without the contract's schemas: this page weighs 3 kB. */
const ADDRESS = '/lbs/security/authentication'
/** A client's name, not a secret: worth nothing alone. */
const BASIC = `Basic ${btoa('kerbline-console:')}`
const DEVICE_KEY = '1.0.0/device'
const LOGIN_TYPE = 1
const SIGN_IN_TIMEOUT_MS = 50_000

/** Signs in; the token is then in its cookie. Throws an `Error` whose message is for people. */
export async function signIn(username: string, password: string): Promise<void> {
  const name = username.trim()
  const form = new URLSearchParams({ username: name, password: await digestOf(name, password) })
  await opened(await send(`${ADDRESS}/form`, form))
}

const TOKEN = /^[\w-]{16,128}$/
/**
 * A third party's one-time code is exchanged for a session of this browser. What is no code may be an access token that the third party got for itself:
 * it opens the session as long as the server takes it.
 */
export async function enterWith(code: string): Promise<void> {
  const reply = await send(`${ADDRESS}/exchange`, JSON.stringify({ code }))
  if (reply.status !== 401 || !TOKEN.test(code)) return opened(reply)
  dropCookie('uuid')
  setCookie('token', code)
}

function send(address: string, body: URLSearchParams | string) {
  const headers = {
    clientType: 'platform',
    deviceId: deviceId(),
    Authorization: BASIC,
    VirtualClient: JSON.stringify(client()),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  }
  return fetch(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(SIGN_IN_TIMEOUT_MS) })
}

async function opened(reply: Response) {
  const answer = (await reply.json().catch(() => ({}))) as { code?: unknown; message?: string; data?: unknown; access_token?: string }
  const token = answer.access_token ?? (answer.data as { access_token?: string } | null | undefined)?.access_token
  if (!reply.ok || Number(answer.code) !== 200 || !token) throw new Error(answer.message ?? '')
  dropCookie('uuid') // whose it was before does not matter any more
  setCookie('token', token)
}

export function deviceId(): string {
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  try {
    const kept = localStorage.getItem(DEVICE_KEY) ?? made
    localStorage.setItem(DEVICE_KEY, kept)
    return kept
  } catch {
    return made
  }
}

const BROWSERS = [/(Edg)\/([\d.]+)/, /(Firefox)\/([\d.]+)/, /(Chrome)\/([\d.]+)/, /(Safari)\/([\d.]+)/]
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'Mac OS', 'Linux']
/** What the sign-in log shows of the machine. */
export function client(agent = navigator.userAgent) {
  const [, name = 'other', version = ''] = BROWSERS.map((one) => one.exec(agent)).find(Boolean) ?? []
  return { loginType: LOGIN_TYPE, browser: { name, version }, userSystem: SYSTEMS.find((one) => agent.includes(one)) ?? 'other' }
}
