import type { Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, type Task, task } from '../../../platform/server/job/jobs.ts'
import { Refusal } from '../../../platform/server/refusal.ts'
import { deductNext, type Waits } from '../../arrears/server/api.ts'
import { freshen, type Lay, lockOrders, orderOf, type OrderRow, payFromPurse, type PurseLeg, type Returned } from '../../settlement/server/api.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { OwnerStatus } from '../contract/account.ts'
import { MovementKind, PurseKind } from '../contract/asset.ts'
import { VerifyState } from '../contract/car.ts'
import { CardStatus } from '../contract/card.ts'
import { reopenCards } from './card.ts'
import { book, freeOf, legsOf, lockPurses, type Mix, mixOf, TOO_LITTLE, TooLittle, yuanOf } from './purse.ts'
import { Said } from '../contract/said.ts'

export interface Car {
  plateNo: string
  plateColor: PlateColorCode | null
}
/**
 * The purses that pay for a vehicle at a park, in the order in which they are spent: its park cards, the oldest first, then the account of its verified owner. With
 * `auto` the account counts only where the owner has allowed it; a card is there to be spent.
 */
export const pursesOf = async (tx: Tx, { plateNo, plateColor }: Car, parkCode: string, auto: boolean): Promise<string[]> =>
  (await run<{ id: string }>(tx, { sql: PURSES }, [plateNo, plateColor, parkCode, auto])).map(({ id }) => id)
/** A verified car `r` of plate $1 and colour $2. Where nobody saw the colour and the plate is of two, it may be the other's car: it is neither. */
export const IS_THE_CAR = `r.verify_state = ${VerifyState.verified} and (r.plate_color = $2 or $2::smallint is null
    and not exists (select from owner.car o where o.enterprise_id = r.enterprise_id and o.plate_no = r.plate_no and o.id <> r.id and o.verify_state = ${VerifyState.verified}))`
const PURSES = `select id from (
    select c.purse_id as id, 1 as turn, c.created_at as since from owner.card_plate n join owner.card c on c.enterprise_id = n.enterprise_id and c.id = n.card_id
      where n.enterprise_id = scope_enterprise() and n.plate_no = $1 and ($2::smallint is null or n.plate_color is null or n.plate_color = $2) and c.status = ${CardStatus.normal}
        and (jsonb_array_length(c.park_codes) = 0 or c.park_codes ? $3)
    union all
    select p.id, 2, p.created_at from owner.car r join owner.account a on a.enterprise_id = r.enterprise_id and a.id = r.owner_id and a.status = ${OwnerStatus.normal}
      join owner.purse p on p.enterprise_id = a.enterprise_id and p.owner_id = a.id and p.kind = ${PurseKind.account}
      where r.enterprise_id = scope_enterprise() and r.plate_no = $1 and ${IS_THE_CAR} and (r.auto_debit or not $4)
  ) u order by turn, since`

interface Spend {
  orderId: string
  purseIds: readonly string[]
  at: Instant
  actor?: { userId: string; userName: string }
  /** Lays the part that something else pays beside it. */
  lay?: Lay
}
/** Pays an order out of purses, one after the other, each by proportion. All of it or nothing. @throws TooLittle */
export async function spend(tx: Tx, { orderId, purseIds, at, actor, lay }: Spend): Promise<OrderRow> {
  await freshen(tx, orderId, at)
  const order = await orderOf(tx, orderId)
  const held = await lockPurses(tx, purseIds)
  const laid = await lay?.(tx, order)
  const dueFen = order.payableFen - order.paidFen - (laid?.amountFen ?? 0)
  const taken: { id: string; mix: Mix }[] = []
  let left = dueFen
  for (const id of purseIds) {
    const free = freeOf(held.get(id)!)
    const takes = Math.min(left, free.principalFen + free.bonusFen)
    if (takes > 0) taken.push({ id, mix: mixOf(free, takes) })
    left -= takes
  }
  if (left > 0) throw TooLittle({ left: yuanOf(dueFen - left), needed: yuanOf(dueFen) })
  const legs = taken.flatMap(({ id, mix }) => legsOf(id, mix))
  const paid = await payFromPurse(tx, { orderId, payMethod: PayMethod.storedValue, legs, besideId: laid?.id ?? null, at, ...(actor && { actor }) })
  for (const { id, mix } of taken)
    await book(tx, id, {
      ...aboutOf(paid),
      kind: MovementKind.spent,
      principalFen: -mix.principalFen,
      bonusFen: -mix.bonusFen,
      bizNo: paid.orderNo,
      operatorName: actor?.userName ?? null,
      at,
    })
  return paid
}
const aboutOf = ({ id, plateNo, plateColor, parkCode }: OrderRow) => ({
  orderId: id,
  plateNo,
  plateColor,
  parkCode,
  payMethod: PayMethod.storedValue,
})

/** The answer to `settlement.purseReturned`: a refunded spend comes back into the purses that it came from. */
export async function hearReturned(tx: Tx, { orderId, refundNo, legs, at }: Returned): Promise<void> {
  const back = new Map<string, Mix>()
  for (const { account, sub, fen } of legs.filter(isOurs)) {
    const mix = back.get(sub) ?? { principalFen: 0, bonusFen: 0 }
    mix[account === 'liability.stored' ? 'principalFen' : 'bonusFen'] += fen
    back.set(sub, mix)
  }
  if (back.size === 0) return
  const order = await orderOf(tx, orderId)
  await reopenCards(tx, [...back.keys()], order, at)
  for (const id of (await lockPurses(tx, [...back.keys()])).keys())
    await book(tx, id, {
      ...aboutOf(order),
      ...back.get(id)!,
      kind: MovementKind.spent,
      bizNo: refundNo,
      remark: Said.returned({ orderNo: order.orderNo }),
      at,
    })
}
/** A purse is named by its id. */
const PURSE_ID = /^[0-9a-f-]{36}$/
const isOurs = ({ account, sub }: PurseLeg) => (account === 'liability.stored' || account === 'liability.stored-bonus') && PURSE_ID.test(sub)

interface Debit extends Omit<Waits, 'at'> {
  tries: number
}
/** Somebody is paying: it is looked at again after so long, so many times. */
const AGAIN_MS = 2_000
const TRIES_MAX = 15
const keyOf = ({ orderId, tries }: Debit) => `owner.auto-debit:${orderId}:${tries}`
/** The fee of a car that stands at an exit, out of its purse. Too low a balance leaves everything as it was, and the antenna tries next. */
export const autoDebit: Task<Debit> = task<Debit>('owner.auto-debit', async ({ tx, data: { tries, ...waits }, at }) => {
  // Held first: of two at once, or of this and a telephone that begins to pay, the second finds what the first did.
  await lockOrders(tx, [waits.orderId])
  const order = await orderOf(tx, waits.orderId)
  if (order.status === OrderStatus.paying && tries < TRIES_MAX) {
    const again = { ...waits, tries: tries + 1 }
    return addJob(tx, autoDebit, again, { key: keyOf(again), runAt: new Date(Date.parse(at) + AGAIN_MS) })
  }
  if (order.status === OrderStatus.unpaid && !(await isDebited(tx, order, at))) await deductNext(tx, { ...waits, at })
})
async function isDebited(tx: Tx, order: OrderRow, at: Instant): Promise<boolean> {
  const purseIds = await autoPursesOf(tx, order)
  if (purseIds.length === 0) return false
  try {
    await spend(tx, { orderId: order.id, purseIds, at })
    return true
  } catch (error) {
    if (!(error instanceof Refusal && error.id === TOO_LITTLE)) throw error
    return false
  }
}
const autoPursesOf = async (tx: Tx, { plateNo, plateColor, parkCode }: OrderRow): Promise<string[]> =>
  plateNo ? pursesOf(tx, { plateNo, plateColor }, parkCode, true) : []

/** The answer to `arrears.paysFirst`. The lane does not wait: the fee is taken a moment later, and the barrier opens as for any payment. */
export async function debitAt(tx: Tx, { at: _, ...waits }: Waits): Promise<true | undefined> {
  if ((await autoPursesOf(tx, await orderOf(tx, waits.orderId))).length === 0) return undefined
  const first = { ...waits, tries: 0 }
  await addJob(tx, autoDebit, first, { key: keyOf(first) })
  return true
}
