import type { Of } from '../../../platform/contract/field.ts'
import type { MyActivity, MyBill, MyBills, MyCar, MyCharge, MyHome, MyMovement, MyParked } from '../../../domains/owner/contract/mine.ts'
import type { MyCoupon, MyPoints } from '../../../domains/coupon/contract/mine.ts'
import { post } from '../ask.ts'

/** The calls of a driver's own page, without the contract's schemas. Who asks is in a cookie that no script reads. */
const OWNER = '/lbs/custom/owner'
export type Home = Of<typeof MyHome>
export type Car = Of<typeof MyCar>
export type Parked = Of<typeof MyParked>
export type Bills = Of<typeof MyBills>
export type Bill = Of<typeof MyBill>
export type Charge = Of<typeof MyCharge>
export type Offer = Of<typeof MyActivity>
export type Coupon = Of<typeof MyCoupon>
export type Points = Of<typeof MyPoints>
export type Movement = Of<typeof MyMovement>

const look = <T>(call: string, fields: object = {}) => post<T>(`${OWNER}/mine/${call}`, fields)
/** One press is one attempt, however often its request is sent. */
const act = <T>(call: string, fields: object) => post<T>(`${OWNER}/${call}`, fields, { 'idempotency-key': crypto.randomUUID() })

export const sendCode = (enterpriseId: number, phone: string) => act<{ againAt: string }>('door/code', { enterpriseId, phone })
export const signIn = (enterpriseId: number, phone: string, code: string) => act<object>('door/signIn', { enterpriseId, phone, code })
export const signOut = () => act<null>('door/signOut', {})

export const home = () => look<Home>('home')
export const parked = () => look<Parked[]>('parked')
export const bills = () => look<Bills>('bills')
export const billOf = (orderNo: string) => look<Bill>('bill', { orderNo })
export const charges = () => look<Charge[]>('charges')
export const offers = () => look<Offer[]>('offers')
export const movements = () => look<{ records: Movement[] }>('movements')

export const coupons = () => post<Coupon[]>('/lbs/coupon/mine/list', {})
export const points = () => post<Points>('/lbs/coupon/mine/points', {})

type Named = Pick<Car, 'id' | 'version'>
const named = ({ id, version }: Named) => ({ id, version })
export const bind = (plateNo: string) => act<Car>('mine/bind', { plateNo })
export const setCar = (car: Named, changes: { isDefault?: boolean; autoDebit?: boolean }) => act<Car>('mine/setCar', { ...named(car), ...changes })
export const unbind = (car: Named) => act<null>('mine/unbind', named(car))
export const appeal = (car: Named, reason: string) => act<Car>('mine/appeal', { ...named(car), reason })
export const contest = (car: Named, reason: string) => act<Car>('mine/contest', { ...named(car), reason })

type At = { payUrl: string | null }
export const pay = (orderNo: string, payMethod: number) => act<At>('mine/pay', { orderNo, payMethod })
export const repay = (ids: string[], paidFen: number, payMethod: number) => act<At>('mine/repay', { ids, paidFen, payMethod })
export const recharge = (payFen: number, payMethod: number) => act<At>('mine/recharge', { payFen, payMethod })
