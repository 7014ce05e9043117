import { dropCookie, setCookie } from '../../platform/web/cookie.ts'
import { digestOf } from '../../platform/web/digest.ts'

/** The sign-in call and its two neighbours, without the contract's schemas: this page weighs 3 kB. */
const ADDRESS = '/lbs/security/authentication'
/** A client's name, not a secret: worth nothing alone. */
const BASIC = `Basic ${btoa('kerbline-console:')}`
const DEVICE_KEY = '1.0.0/device'
const LOGIN_TYPE = 1
const SIGN_IN_TIMEOUT_MS = 50_000

/** Signs in; the token is then in its cookie. Answers a challenge where a code is still asked for. Throws an `Error` whose message is for people. */
export async function signIn(username: string, password: string): Promise<string | undefined> {
  const name = username.trim()
  const form = new URLSearchParams({ username: name, password: await digestOf(name, password) })
  return openedUnlessAsked(await send(`${ADDRESS}/form`, form))
}
/** A company's own directory (LDAP), which takes no digest: the password itself is handed on to it. */
export interface Directory {
  enterprise: number
  name: string
}
/** The same by a directory. */
export const signInBy = async ({ enterprise }: Directory, username: string, password: string): Promise<string | undefined> =>
  openedUnlessAsked(await send('/lbs/security/directory/login', JSON.stringify({ enterprise, username: username.trim(), password })))
async function openedUnlessAsked(reply: Response) {
  const challenge = await challengeIn(reply.clone())
  if (challenge === undefined) await opened(reply)
  return challenge
}
/** The server's word for: the password was right, now the code. */
const CODE_NEEDED = 40246
async function challengeIn(reply: Response): Promise<string | undefined> {
  if (reply.ok) return undefined
  const { code, data } = (await reply.json().catch(() => ({}))) as { code?: number; data?: { challenge?: string } }
  return code === CODE_NEEDED ? data?.challenge : undefined
}
/** The second step: a code of the authenticator app, or a recovery code. */
export const signInWithCode = async (challenge: string, code: string): Promise<void> =>
  opened(await send(`${ADDRESS}/secondFactorVerify`, JSON.stringify({ challenge, code: code.trim() })))

/** How a company's own identity provider is offered here, if it is; its name is the company's. */
export async function singleSignOn(): Promise<string | undefined> {
  const data = await offered('oidc')
  return typeof data?.name === 'string' ? data.name : undefined
}
export async function directories(): Promise<Directory[]> {
  const data = await offered('directory')
  return Array.isArray(data) ? data : []
}
async function offered(what: string) {
  const reply = await fetch(`/lbs/security/${what}/offer`).catch(() => undefined)
  return ((await reply?.json().catch(() => undefined)) ?? {}).data
}
/** Goes to that provider; it sends the browser back to the sign-in page with a code and a state. */
export async function goToProvider(): Promise<void> {
  const reply = await send('/lbs/security/oidc/begin', '{}')
  const answer = (await reply.json()) as { message?: string; data?: { url?: string } }
  if (!reply.ok || !answer.data?.url) throw new Error(answer.message ?? '')
  location.assign(answer.data.url)
}
export const comeBack = async (code: string, state: string): Promise<void> =>
  opened(await send('/lbs/security/oidc/finish', JSON.stringify({ code, state })))

/** A third party's one-time code, or the access token that it got for itself, is exchanged for a session of this browser. Either is good once. */
export const enterWith = async (code: string): Promise<void> => opened(await send(`${ADDRESS}/exchange`, JSON.stringify({ code })))

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
/** The facts about the machine that the sign-in log shows. */
export function client(agent = navigator.userAgent) {
  const [, name = 'other', version = ''] = BROWSERS.map((one) => one.exec(agent)).find(Boolean) ?? []
  return { loginType: LOGIN_TYPE, browser: { name, version }, userSystem: SYSTEMS.find((one) => agent.includes(one)) ?? 'other' }
}
