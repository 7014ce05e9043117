import { run, type Tx } from '../../../platform/server/database.ts'
import type { Purse as ForCharge, PurseMove } from '../../charging/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { openOrder, payFromPurse } from '../../settlement/server/api.ts'
import { OwnerStatus } from '../contract/account.ts'
import { MovementKind } from '../contract/asset.ts'
import { VerifyState } from '../contract/car.ts'
import { accountPurse, book, type Change, freeOf, legsOf, lockPurse, type Mix, mixOf } from './purse.ts'
import { Said } from '../contract/said.ts'

const LOCKED = { zh: '车主已锁定或已注销', en: 'the owner’s account is locked or deleted' }
const OWES = { zh: '名下车辆有未结清的充电欠费，请先补缴', en: 'a car of this owner has an unpaid charging session: pay it first' }

/** The answer to `charging.purse`. Its owner is held too: nobody merges, locks or erases them before what was told is frozen. */
export async function storedFor(tx: Tx, { ownerId }: { ownerId: string }): Promise<ForCharge | undefined> {
  if (!OWNER_ID.test(ownerId)) return undefined
  const [owner] = await run<{ nickname: string; status: number }>(tx, { sql: OWNER }, [ownerId])
  if (!owner) return undefined
  const { principalFen, bonusFen } = freeOf(await lockPurse(tx, await accountPurse(tx, ownerId)))
  const refused = owner.status !== OwnerStatus.normal ? LOCKED : (await run(tx, { sql: DEBT }, [ownerId])).length > 0 ? OWES : undefined
  return { availableFen: principalFen + bonusFen, payer: owner.nickname, ...(refused && { refused }) }
}
/** A charging card may name an owner who was never one. */
const OWNER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const OWNER = 'select nickname, phone, status from owner.account where enterprise_id = scope_enterprise() and id = $1 for share'
const DEBT = `select from owner.car c join settlement.order o on o.enterprise_id = c.enterprise_id and o.plate_no = c.plate_no and (o.plate_color is null or o.plate_color = c.plate_color)
  where c.enterprise_id = scope_enterprise() and c.owner_id = $1 and c.verify_state = ${VerifyState.verified} and o.type = ${OrderType.charging} and o.status = ${OrderStatus.arrears} limit 1`

/** Money set aside for a charge that runs. */
interface SetAside extends Mix {
  purseId: string
}
/** The answer to `charging.whoIs`. */
export async function ownerBehind(tx: Tx, { ownerId }: { ownerId: string }): Promise<{ phone: string; active: boolean } | undefined> {
  if (!OWNER_ID.test(ownerId)) return undefined
  const [found] = await run<{ phone: string; status: number }>(tx, { sql: OWNER }, [ownerId])
  return found && { phone: found.phone, active: found.status === OwnerStatus.normal }
}

/** The answer to `charging.purseMoved`. Money set aside keeps its share of bonus, and is spent and freed by the same. */
export async function moveForCharge(tx: Tx, change: PurseMove): Promise<boolean> {
  if (change.move === 'freeze') return setAside(tx, change)
  const [held] = await run<SetAside>(tx, { sql: HELD }, [change.holdNo])
  if (!held || held.principalFen + held.bonusFen < change.amountFen) throw new Error(`Hold ${change.holdNo} has not set ${change.amountFen} aside.`)
  await (change.move === 'spend' ? spendHeld : freeHeld)(tx, held, change)
  return true
}
const HELD = 'select purse_id, principal_fen, bonus_fen from owner.charge_hold where enterprise_id = scope_enterprise() and hold_no = $1 for update'

async function setAside(tx: Tx, change: PurseMove): Promise<boolean> {
  const asked = await storedFor(tx, change)
  if (!asked || asked.refused || asked.availableFen < change.amountFen) return false
  const purse = await lockPurse(tx, await accountPurse(tx, change.ownerId))
  const mix = mixOf(freeOf(purse), change.amountFen)
  await run(tx, { sql: HOLD }, [change.holdNo, purse.id, mix.principalFen, mix.bonusFen])
  await book(tx, purse.id, {
    ...(await aboutOf(tx, change)),
    kind: MovementKind.frozen,
    frozenPrincipalFen: mix.principalFen,
    frozenBonusFen: mix.bonusFen,
  })
  return true
}
const HOLD = 'insert into owner.charge_hold (hold_no, purse_id, principal_fen, bonus_fen) values ($1, $2, $3, $4)'

async function spendHeld(tx: Tx, held: SetAside, change: PurseMove): Promise<void> {
  const { orderNo, parkCode, amountFen, at } = change
  const mix = mixOf(held, amountFen)
  const about = await aboutOf(tx, change)
  await lockPurse(tx, held.purseId)
  const { plateNo = null, plateColor = null } = about
  const order = await openOrder(tx, {
    type: OrderType.charging,
    creditedTo: orderNo,
    subject: Said.charging({ orderNo }),
    plateNo,
    plateColor,
    parkCode,
    receivableFen: amountFen,
    at,
  })
  await payFromPurse(tx, { orderId: order.id, payMethod: PayMethod.storedValue, legs: legsOf(held.purseId, mix), at })
  await takeOff(tx, change.holdNo, mix)
  await book(tx, held.purseId, {
    ...about,
    kind: MovementKind.spent,
    principalFen: -mix.principalFen,
    bonusFen: -mix.bonusFen,
    frozenPrincipalFen: -mix.principalFen,
    frozenBonusFen: -mix.bonusFen,
    bizNo: order.orderNo,
    orderId: order.id,
    payMethod: PayMethod.storedValue,
  })
}
async function freeHeld(tx: Tx, held: SetAside, change: PurseMove): Promise<void> {
  const mix = mixOf(held, change.amountFen)
  await takeOff(tx, change.holdNo, mix)
  await book(tx, held.purseId, {
    ...(await aboutOf(tx, change)),
    kind: MovementKind.unfrozen,
    frozenPrincipalFen: -mix.principalFen,
    frozenBonusFen: -mix.bonusFen,
  })
}
/** Of which nothing is left is over. */
async function takeOff(tx: Tx, holdNo: string, { principalFen, bonusFen }: Mix): Promise<void> {
  await run(tx, { sql: TAKE }, [holdNo, principalFen, bonusFen])
  await run(tx, { sql: OVER }, [holdNo])
}
const TAKE =
  'update owner.charge_hold set principal_fen = principal_fen - $2, bonus_fen = bonus_fen - $3 where enterprise_id = scope_enterprise() and hold_no = $1'
const OVER = 'delete from owner.charge_hold where enterprise_id = scope_enterprise() and hold_no = $1 and principal_fen + bonus_fen = 0'

/** Returns what a movement records of the charge. */
async function aboutOf(tx: Tx, { holdNo, orderNo, parkCode, at }: PurseMove): Promise<Omit<Change, 'kind'>> {
  const [charge] = await run<Pick<Change, 'plateNo' | 'plateColor'>>(tx, { sql: CAR }, [orderNo])
  return { bizNo: holdNo, ...charge, parkCode, remark: Said.charging({ orderNo }), at }
}
const CAR = `select plate_no, plate_color from charging.charge where enterprise_id = scope_enterprise() and order_no = $1
  union all select plate_no, plate_color from charging.roaming where enterprise_id = scope_enterprise() and order_no = $1`

/** Whether money of one of these owners is set aside for a charge that runs. */
export const isCharging = async (tx: Tx, ownerIds: readonly string[]): Promise<boolean> => (await run(tx, { sql: CHARGING }, [ownerIds])).length > 0
const CHARGING = `select from owner.charge_hold h join owner.purse p on p.enterprise_id = h.enterprise_id and p.id = h.purse_id
  where h.enterprise_id = scope_enterprise() and p.owner_id = any($1::uuid[]) limit 1`

interface Whose {
  ownerId: string
  autoPay: boolean
  plateNo: string | null
}
/** The answer to `charging.ownerOf`: a car is its verified owner's. A plate that two of different colours have is nobody's as long as no colour is told, and of a telephone no car was ever allowed to pay. */
export async function ownerOfCar(
  tx: Tx,
  { plateNo = null, vin = null, phone = null }: { plateNo?: string | null; vin?: string | null; phone?: string | null },
): Promise<Whose | undefined> {
  const cars = await run<Whose>(tx, { sql: CARS }, [plateNo, vin])
  if (cars.length > 0) return cars.length === 1 ? cars[0] : undefined
  return phone === null ? undefined : (await run<Whose>(tx, { sql: PHONE }, [phone]))[0]
}
const CARS = `select c.owner_id, c.auto_debit as auto_pay, c.plate_no from owner.car c join owner.account a on a.enterprise_id = c.enterprise_id and a.id = c.owner_id
  where c.enterprise_id = scope_enterprise() and (c.plate_no = $1 or c.vin = upper($2)) and c.verify_state = ${VerifyState.verified} and a.status = ${OwnerStatus.normal}`
const PHONE = `select id as owner_id, false as auto_pay, null::text as plate_no from owner.account where enterprise_id = scope_enterprise() and phone = $1 and status = ${OwnerStatus.normal}`
