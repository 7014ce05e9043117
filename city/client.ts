import { hash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { UploadedFile } from '../domains/system/contract/file.ts'
import { addressOf, type Call } from '../platform/contract/call.ts'

/** The platform's refusal of a call. */
export class Refused extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A person at the platform's public door: every call as a page or a partner would make it. */
export interface Client {
  ask<I, R>(call: Call<I, R>, input: I): Promise<R>
}

export async function signIn(url: string, username: string, password: string): Promise<Client> {
  const digest = digestOf(username, password)
  const form = { method: 'POST', body: new URLSearchParams({ username, password: digest }) }
  const reply = await served(() => fetch(`${url}/lbs/security/authentication/form`, form))
  const { access_token: token, message } = (await reply.json()) as { access_token?: string; message: string }
  if (!token) throw new Refused(reply.status, reply.status, `${username}: ${message}`)
  return { ask: (call, input) => askWith(url, token, call, input) }
}

/** The digest that a sign-in form sends instead of the password. */
export const digestOf = (username: string, password: string): string => hash('sha256', `${username.toLowerCase()}:${password}`)

/** Somebody without an account: a driver with a phone. */
export const stranger = (url: string): Client => ({ ask: (call, input) => askWith(url, undefined, call, input) })

/** A driver who is signed in on their telephone. */
export const driverWith = (url: string, token: string): Client => ({ ask: (call, input) => askWith(url, token, call, input) })

async function askWith<I, R>(url: string, token: string | undefined, call: Call<I, R>, input: I): Promise<R> {
  const fields = { ...(input as Record<string, unknown>) }
  const path = addressOf(call).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields[name])
    delete fields[name]
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  )
  const body =
    call.payload === 'body' ? JSON.stringify(fields) : call.payload === 'form' ? query : call.payload === 'multipart' ? partsOf(fields) : undefined
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(call.payload === 'body' && { 'content-type': 'application/json' }),
    ...(call.writes && { 'idempotency-key': randomUUID() }),
  }
  const address = `${url}${path}${call.payload === 'query' && query.size ? `?${query}` : ''}`
  const reply = await served(() => fetch(address, { method: call.method, headers, ...(body !== undefined && { body }) }))
  const answer = (await reply.json()) as { code: number; message: string; data: R }
  if (answer.code !== 200) throw new Refused(reply.status, answer.code, `${call.id}: ${answer.message}`)
  return answer.data
}

/** A platform that has too much to do says when to come again, and has done nothing; the key makes the next try the same one. A machine may be slow: not for ever. */
async function served(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const reply = await ask()
    if (!BUSY.has(reply.status) || tries === TRIES_MOST) return reply
    await pause(1000 * Math.max(1, Number(reply.headers.get('retry-after'))))
  }
}
const BUSY = new Set([429, 503])
const TRIES_MOST = 15

/** Files are sent as files, the rest as text. */
function partsOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    const sent = value as Partial<UploadedFile>
    if (sent.bytes) form.set(name, new Blob([sent.bytes as Uint8Array<ArrayBuffer>], { type: sent.type ?? '' }), sent.name)
    else if (value !== undefined && value !== null) form.set(name, String(value))
  }
  return form
}
