import type { Of } from '../../platform/contract/field.ts'
import type { DoorAppeal, DoorDebt } from '../../domains/arrears/contract/door.ts'
import { answered, post } from './ask.ts'

/** The calls about what a car owes from before. */
const ADDRESS = '/lbs/business/escape'
export type Debt = Of<typeof DoorDebt>
export type Appeal = Of<typeof DoorAppeal>
export interface Mine {
  code: string
  plateNo: string
}

export const debtsOf = (mine: Mine) => answered<Debt[]>(`${ADDRESS}/doorDebts?${new URLSearchParams({ ...mine })}`)
export interface Choice extends Mine {
  debts: string[]
  paidFen: number
  payMethod: number
  currentOrderNo?: string
}
/** One press is one attempt, however often its request is sent. */
export const payDebts = (choice: Choice) => post<{ payUrl: string | null }>(`${ADDRESS}/doorPay`, choice, { 'idempotency-key': crypto.randomUUID() })
export const appeal = (said: Mine & { debt: string; reason: string; contact: string }) =>
  post<Appeal>(`${ADDRESS}/doorAppeal`, said, { 'idempotency-key': crypto.randomUUID() })
export const follow = (code: string, appealNo: string) => answered<Appeal>(`${ADDRESS}/doorFollow?${new URLSearchParams({ code, appealNo })}`)
export function addPicture(code: string, appealNo: string, file: File): Promise<Appeal> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ code, appealNo })) body.set(name, value)
  body.set('file', file)
  return answered<Appeal>(`${ADDRESS}/doorPicture`, { method: 'POST', body, headers: { 'idempotency-key': crypto.randomUUID() } })
}
