import type { Of } from '../../../platform/contract/field.ts'
import type { MyActivity, MyBill, MyBills, MyCar, MyCharge, MyHome, mine, MyMovement, MyParked } from '../../../domains/owner/contract/mine.ts'
import type { mine as couponCalls, MyArticle, MyCoupon, MyExchange, MyOffer, MyPoints } from '../../../domains/coupon/contract/mine.ts'
import type { MyPass, MyQuote, PassOffer } from '../../../domains/member/contract/mine.ts'
import type { FreeBay, KeepingPark, MyBay, MyBays, MyBooking } from '../../../domains/share/contract/mine.ts'
import type { MyObjections } from '../../../domains/after-sale/contract/mine.ts'
import { answered, post } from '../ask.ts'

/** The calls of a driver's own page, without the contract's schemas. Who asks is in a cookie that no script reads. */
const OWNER = '/lbs/custom/owner'
export type Home = Of<typeof MyHome>
export type Car = Of<typeof MyCar>
export type Parked = Of<typeof MyParked>
export type Bills = Of<typeof MyBills>
export type Bill = Of<typeof MyBill>
export type Objections = Of<typeof MyObjections>
export type Charge = Of<typeof MyCharge>
export type Offer = Of<typeof MyActivity>
export type Coupon = Of<typeof MyCoupon>
export type Weighed = Of<typeof couponCalls.best.reply>[number]
export type Points = Of<typeof MyPoints>
export type Article = Of<typeof MyArticle>
export type Exchange = Of<typeof MyExchange>
export type Movement = Of<typeof MyMovement>
export type Back = Of<typeof mine.refunds.reply>[number]
export type BackQuote = Of<typeof mine.refund.reply>
export type Pass = Of<typeof MyPass>
export type PassKind = Of<typeof PassOffer>
export type Bay = Of<typeof FreeBay>
export type Keeping = Of<typeof KeepingPark>
export type Booking = Of<typeof MyBooking>
export type OwnBay = Of<typeof MyBay>
export type OwnBays = Of<typeof MyBays>
export type Gift = Of<typeof MyOffer>
export type PassQuote = Of<typeof MyQuote>

const look = <T>(call: string, fields: object = {}) => post<T>(`${OWNER}/mine/${call}`, fields)
/** One press is one attempt, however often its request is sent. */
const once = <T>(address: string, fields: object) => post<T>(address, fields, { 'idempotency-key': crypto.randomUUID() })
const act = <T>(call: string, fields: object) => once<T>(`${OWNER}/${call}`, fields)

export const sendCode = (enterpriseId: number, phone: string) => act<{ nonce: string; againAt: string }>('door/code', { enterpriseId, phone })
export const signIn = (enterpriseId: number, phone: string, code: string, nonce: string) =>
  act<object>('door/signIn', { enterpriseId, phone, code, nonce })
export const signOut = () => act<null>('door/signOut', {})

export const home = () => look<Home>('home')
export const parked = () => look<Parked[]>('parked')
export const bills = () => look<Bills>('bills')
export const billOf = (orderNo: string) => look<Bill>('bill', { orderNo })
const OBJECTIONS = '/lbs/basic/workOrder/mine'
export const objectionsTo = (orderNo: string) => post<Objections>(`${OBJECTIONS}/objections`, { orderNo })
export const object = (orderNo: string, reason: number, content: string) => once<Objections>(`${OBJECTIONS}/object`, { orderNo, reason, content })
export const charges = () => look<Charge[]>('charges')
export const offers = () => look<Offer[]>('offers')
export const movements = () => look<{ records: Movement[] }>('movements')

export const coupons = () => post<Coupon[]>('/lbs/coupon/mine/list', {})
export const gifts = () => post<Gift[]>('/lbs/coupon/mine/offers', {})
export const claimGift = (goodId: string, plateNo: string) => once<Coupon>('/lbs/coupon/mine/claim', { goodId, plateNo })
export const scanCode = (code: string, plateNo: string) =>
  once<Pick<Coupon, 'name' | 'plateNo' | 'validTo'>>('/lbs/coupon/mine/scan', { code, plateNo })
export const bestCoupons = ({ plateNo, parkCode }: Pick<Parked, 'plateNo' | 'parkCode'>) =>
  post<Weighed[]>('/lbs/coupon/mine/best', { plateNo, parkCode })
export const points = () => post<Points>('/lbs/coupon/mine/points', {})
export const checkIn = () => once<{ points: number }>('/lbs/coupon/mine/checkIn', {})
export const articles = () => post<Article[]>('/lbs/coupon/mine/goods', {})
export const exchanges = () => post<Exchange[]>('/lbs/coupon/mine/exchanges', {})
export const exchange = (fields: { goodId: string; qty: number; points: number; cashFen: number; payMethod?: number }) =>
  once<At>('/lbs/coupon/mine/exchange', fields)
export const payExchange = (id: string, payMethod: number) => once<At>('/lbs/coupon/mine/payExchange', { id, payMethod })
export const cancelExchange = ({ id, version }: Pick<Exchange, 'id' | 'version'>) =>
  once<Exchange>('/lbs/coupon/mine/cancelExchange', { id, version })

type Named = Pick<Car, 'id' | 'version'>
const named = ({ id, version }: Named | Held) => ({ id, version })
export const bind = (plateNo: string) => act<Car>('mine/bind', { plateNo })
export const setCar = (car: Named, changes: { isDefault?: boolean; autoDebit?: boolean }) => act<Car>('mine/setCar', { ...named(car), ...changes })
export const sign = (car: Named, payMethod: number) => act<{ signUrl: string }>('mine/sign', { ...named(car), payMethod })
export const unsign = (car: Named) => act<Car>('mine/unsign', named(car))
export const unbind = (car: Named) => act<null>('mine/unbind', named(car))
export const appeal = (car: Named, reason: string) => act<Car>('mine/appeal', { ...named(car), reason })
export const appealPicture = ({ id }: Named, file: File) => picture<Car>(`${OWNER}/mine/appealPicture`, id, file)
export const licencePicture = ({ id }: Named, file: File) => picture<Car>(`${OWNER}/mine/licencePicture`, id, file)
export const contest = (car: Named, reason: string) => act<Car>('mine/contest', { ...named(car), reason })

function picture<T>(address: string, id: string, file: File): Promise<T> {
  const body = new FormData()
  body.set('id', id)
  body.set('file', file)
  return answered<T>(address, { method: 'POST', body, headers: { 'idempotency-key': crypto.randomUUID() } })
}

type At = { payUrl: string | null }
export const pay = (orderNo: string, payMethod: number) => act<At>('mine/pay', { orderNo, payMethod })
/** A point is a fen. */
export const payWithPoints = (orderNo: string, using: number, payMethod: number) =>
  once<At>('/lbs/coupon/mine/pay', { orderNo, points: using, payMethod })
export const repay = (ids: string[], paidFen: number, payMethod: number) => act<At>('mine/repay', { ids, paidFen, payMethod })
export const recharge = (payFen: number, payMethod: number) => act<At>('mine/recharge', { payFen, payMethod })
export const refunds = () => look<Back[]>('refunds')
/** Asks for a refund; the money waits, frozen, for two reviews. */
export const refund = (reason: string, dryRun: boolean) => act<BackQuote>('mine/refund', { reason, dryRun })

type Held = Pick<Pass, 'id' | 'version'>
const PASSES = '/lbs/member/member/mine'
export interface Purchase {
  groupId: string
  carFeesId: string
  plates: readonly string[]
  periods: number
  startAt: string
}
export const passes = () => post<Pass[]>(`${PASSES}/passes`, {})
export const passKinds = () => post<PassKind[]>(`${PASSES}/offers`, {})
export const quotePass = (wanted: Purchase | { id: string; periods: number }) => post<PassQuote>(`${PASSES}/quote`, wanted)
export const buyPass = (fields: Purchase & { payableFen: number; payMethod: number }) => once<At>(`${PASSES}/buy`, fields)
export const renewPass = (fields: { id: string; periods: number; quoteNo: string; payMethod: number }) => once<At>(`${PASSES}/renew`, fields)
export const payPass = (id: string, payMethod: number) => once<At>(`${PASSES}/pay`, { id, payMethod })
export const changePlate = (pass: Held, plateNo: string, newPlateNo: string) =>
  once<Pass>(`${PASSES}/changePlate`, { ...named(pass), plateNo, newPlateNo })
export const refundPass = (pass: Held, reason: string, dryRun: boolean) =>
  once<{ refundFen: number }>(`${PASSES}/refund`, { ...named(pass), reason, dryRun })

const SHARE = '/lbs/business/share/mine'
interface Stretch {
  kind: number
  startAt: string
  endAt?: string
}
export const freeBays = (when: Stretch) => post<Bay[]>(`${SHARE}/search`, when)
export const keepingParks = () => post<Keeping[]>(`${SHARE}/places`, {})
export const bookings = () => post<Booking[]>(`${SHARE}/orders`, {})
export const bookBay = (fields: Stretch & { offerId: string; plateNo: string; prepaidFen: number; payMethod: number }) =>
  once<At>(`${SHARE}/book`, fields)
export const keepPlace = (fields: { parkCode: string; plateNo: string; startAt: string; prepaidFen: number; payMethod: number }) =>
  once<At>(`${SHARE}/keep`, fields)
export const payBooking = (id: string, payMethod: number) => once<At>(`${SHARE}/pay`, { id, payMethod })
export const cancelBooking = ({ id, version }: Pick<Booking, 'id' | 'version'>) => once<Booking>(`${SHARE}/cancel`, { id, version })

export const ownBays = () => post<OwnBays>(`${SHARE}/bays`, {})
export const offerBay = (fields: Pick<OwnBay, 'parkCode' | 'seatNo' | 'windows'>) => once<OwnBay>(`${SHARE}/offer`, fields)
export const turnBay = ({ id, version }: Pick<OwnBay, 'id' | 'version'>, status: number) => once<OwnBay>(`${SHARE}/turn`, { id, version, status })
export const proveBay = ({ id }: Pick<OwnBay, 'id'>, file: File) => picture<OwnBay>(`${SHARE}/proof`, id, file)
export const payOutBays = (amountFen: number, bank: string) => once<OwnBays['payouts'][number]>(`${SHARE}/payout`, { amountFen, bank })
