import type { DeskCar, DeskCode, DeskCoupon, DeskHome } from '../../domains/merchant/contract/desk.ts'
import type { Statement, StatementDay } from '../../domains/merchant/contract/statement.ts'
import type { Of } from '../../platform/contract/field.ts'
import { post } from '../driver/ask.ts'

/** The calls of this page, without the contract's schemas. */
const ADDRESS = '/lbs/custom/merchant/desk'
const TOKEN_KEY = 'merchant/token'
export type Home = Of<typeof DeskHome>
export type Given = Of<typeof DeskCoupon>
export type CarInside = Of<typeof DeskCar>
export type Code = Of<typeof DeskCode>
export type Day = Of<typeof Statement>
export type WholeDay = Of<typeof StatementDay>

let token = kept()
export const isSignedIn = () => token !== ''
function kept(): string {
  try {
    return localStorage.getItem(TOKEN_KEY) ?? ''
  } catch {
    return ''
  }
}
export function keep(next: string): void {
  token = next
  try {
    localStorage.setItem(TOKEN_KEY, next)
  } catch {
    // A browser that keeps nothing: it is signed in until the page is closed.
  }
}
const send = <T>(verb: string, body: object = {}, headers: Record<string, string> = {}) =>
  post<T>(`${ADDRESS}/${verb}`, body, { authorization: `Bearer ${token}`, ...headers })
/** One press is one coupon, however often its request is sent. */
const once = () => ({ 'idempotency-key': crypto.randomUUID() })

export const signIn = (mchNo: string, password: string) => send<{ access_token: string; mustChange: boolean }>('signIn', { mchNo, password })
export const signOut = () => send<null>('signOut')
export const changePassword = (oldPassword: string, newPassword: string) => send<null>('changePassword', { oldPassword, newPassword })
export const home = () => send<Home>('home')
export const give = (soldId: string, plateNo: string) => send<Given>('validate', { soldId, plateNo }, once())
export const inside = (ending: string) => send<CarInside[]>('inside', { ending })
export const recharge = (amountFen: number, payMethod: number) =>
  send<{ orderNo: string; payUrl: string | null }>('recharge', { amountFen, payMethod }, once())
export const showCode = (soldId: string) => send<Code>('qr', { soldId }, once())
export const given = () => send<Given[]>('issued')
export const takeBack = ({ id, version }: Given) => send<Given>('withdraw', { id, version }, once())
export const days = () => send<Day[]>('statements')
export const dayOf = (day: string) => send<WholeDay>('day', { day })
