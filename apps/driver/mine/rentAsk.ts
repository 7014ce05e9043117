import type { Of } from '../../../platform/contract/field.ts'
import type { mine, MyBill, MyLease, MyProject, Room } from '../../../domains/rent/contract/mine.ts'
import { answered, post } from '../ask.ts'

/** The calls of a bidder's own page. */
const BUSINESS = '/lbs/business'
export type Bidder = Of<typeof mine.me.reply>[number]
export type Let = Of<typeof MyProject>
export type RentBill = Of<typeof MyBill>
export type Lease = Of<typeof MyLease>
export type BidRoom = Of<typeof Room>
const look = <T>(path: string, fields: object = {}) => post<T>(`${BUSINESS}${path}`, fields)
const once = <T>(path: string, fields: object) => post<T>(`${BUSINESS}${path}`, fields, { 'idempotency-key': crypto.randomUUID() })
type At = { payUrl: string | null }

export const bidderMe = () => look<Bidder[]>('/rentUser/mine')
export const attest = (fields: Pick<Bidder, 'name' | 'userType'> & { certNo: string }) => once<null>('/rentUser/mine/apply', fields)
export function addPaper(file: File): Promise<Bidder> {
  const body = new FormData()
  body.set('file', file)
  return answered<Bidder>(`${BUSINESS}/rentUser/mine/paper`, { method: 'POST', body, headers: { 'idempotency-key': crypto.randomUUID() } })
}
export const lets = () => look<Let[]>('/rentProject/mine')
export const enrol = (projectId: string) => once<null>('/rentEnroll/mine/apply', { projectId })
export const payEarnest = (id: string, payMethod: number) => once<At>('/rentEnroll/mine/pay', { id, payMethod })
export const withdraw = (id: string, version: number) => once<null>('/rentEnroll/mine/withdraw', { id, version })
export const room = (projectId: string) => look<BidRoom>('/rentBid/room', { projectId })
export const place = (projectId: string, bidFen: number) => once<BidRoom>('/rentBid/place', { projectId, bidFen })
export const placeSealed = (projectId: string, bid: { cipher: string; commitment: string }) => once<BidRoom>('/rentBid/seal', { projectId, ...bid })
export const leases = () => look<Lease[]>('/rentContract/mine')
export const signLease = (id: string, version: number) => once<null>('/rentContract/mine/sign', { id, version })
export const rentBills = () => look<RentBill[]>('/rentBill/mine')
export const payRent = (id: string, payMethod: number) => once<At>('/rentBill/mine/pay', { id, payMethod })
