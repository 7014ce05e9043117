import type { Of } from '../../platform/contract/field.ts'
import type { DriverBill } from '../../domains/settlement/contract/scan.ts'
import { say } from './say.ts'

/** The two calls of this page, without the contract's schemas: it opens on a weak signal in a basement. */
const ADDRESS = '/lbs/business/order'
const GIVE_UP_MS = 15_000

export type Bill = Of<typeof DriverBill>
export const quote = (code: string, plateNo: string) => send<Bill[]>('scanQuote', { code, plateNo })
/** One press is one attempt, however often its request is sent. */
export const startPaying = (fields: { code: string; orderNo: string; payMethod: number }) =>
  send<{ payUrl: string | null }>('scanPay', fields, { 'idempotency-key': crypto.randomUUID() })

const send = <T>(call: string, body: object, headers?: Record<string, string>) => post<T>(`${ADDRESS}/${call}`, body, headers)
export const post = <T>(address: string, body: object, headers: Record<string, string> = {}) =>
  answered<T>(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

/** Why it did not go: in words for people, and the status where there was an answer. */
export class Trouble extends Error {
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
/** @throws Trouble */
export async function answered<T>(address: string, how: RequestInit = {}): Promise<T> {
  const reply = await fetch(address, { ...how, signal: AbortSignal.timeout(GIVE_UP_MS) }).catch(() => {
    throw new Trouble(say(['网络不通，请稍后重试', 'No connection; please try again later']))
  })
  const answer = (await reply.json().catch(() => ({}))) as { message?: string; data?: T }
  if (!reply.ok || answer.data === undefined)
    throw new Trouble(
      answer.message ?? say(['服务暂时不可用，请稍后重试', 'The service is temporarily unavailable; please try again later']),
      reply.status,
    )
  return answer.data
}
