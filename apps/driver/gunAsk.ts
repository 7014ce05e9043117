import type { Of } from '../../platform/contract/field.ts'
import type { DoorBills, DoorCharge, DoorGun, DoorStart } from '../../domains/charging/contract/door.ts'
import { answered, post } from './ask.ts'

const ADDRESS = '/lbs/charging/door'
export type Gun = Of<typeof DoorGun>
export type Charge = Of<typeof DoorCharge>
export type Bills = Of<typeof DoorBills>
/** The key to a charge: its holder sees that charge and nothing else. */
export type Key = Pick<Of<typeof DoorStart>, 'orderNo' | 'key'>

const get = <T>(call: string, query: Record<string, string>) => answered<T>(`${ADDRESS}/${call}?${new URLSearchParams(query)}`)
export const gunAt = (code: string) => get<Gun>('show', { code })
/** One press is one attempt, however often its request is sent. */
export const start = (fields: { code: string; prepayFen: number; payMethod: number; plateNo?: string }) =>
  post<Of<typeof DoorStart>>(`${ADDRESS}/start`, fields, { 'idempotency-key': crypto.randomUUID() })
export const chargeOf = ({ orderNo, key }: Key) => get<Charge>('status', { orderNo, key })
export const billsOf = ({ orderNo, key }: Key) => get<Bills>('bill', { orderNo, key })
export const stop = ({ orderNo, key }: Key) => post<Charge>(`${ADDRESS}/stop`, { orderNo, key })
export const bindPlate = ({ orderNo, key }: Key, plateNo: string) => post<Charge>(`${ADDRESS}/bindPlate`, { orderNo, key, plateNo })
