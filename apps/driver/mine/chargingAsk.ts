import type { Of } from '../../../platform/contract/field.ts'
import type { MyRoaming, MyStation, OwnStation } from '../../../domains/charging/contract/mine.ts'
import { post } from '../ask.ts'

/** The calls of a driver at partners' stations. */
const MINE = '/lbs/charging/mine'
export type Station = Of<typeof MyStation>
export type Own = Of<typeof OwnStation>
export type Roamed = Of<typeof MyRoaming>
export interface Here {
  lng: number
  lat: number
}
const once = <T>(call: string, fields: object) => post<T>(`${MINE}/${call}`, fields, { 'idempotency-key': crypto.randomUUID() })
export const stationsNear = (wanted: { keyword: string } & Partial<Here>) => post<Station[]>(`${MINE}/stations`, wanted)
export const ownStationsNear = (wanted: { keyword: string } & Partial<Here>) => post<Own[]>(`${MINE}/ownStations`, wanted)
export const beginAt = (fields: { connectorId: string; holdFen: number; plateNo?: string }) =>
  once<{ orderNo: string; status: number }>('begin', fields)
export const endCharge = (orderNo: string) => once<{ orderNo: string; status: number }>('end', { orderNo })
export const roamed = () => post<Roamed[]>(`${MINE}/charges`, {})
export const startAt = (fields: { platformId: string; connectorId: string; holdFen: number; plateNo?: string }) => once<Roamed>('start', fields)
export const stop = (id: string) => once<Roamed>('stop', { id })
