import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { OwnerStatus } from '../../owner/contract/account.ts'
import { VerifyState } from '../../owner/contract/car.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import type { OrderRow, PointsFor, PointsPaid } from '../../settlement/server/api.ts'
import { type Account, usableOf } from './pointsBook.ts'
import { capAt, layPoints, mostOf, payAll } from './pointsPaying.ts'

type Mine = Pick<Account, 'id' | 'balance' | 'frozen'>
/** Returns the points of the driver as whose the car is verified. A plate that two of different colours have is nobody's as long as no colour is told. */
async function accountOf(tx: Tx, { plateNo, plateColor }: OrderRow): Promise<Mine | undefined> {
  if (plateNo === null) return undefined
  const found = await run<Mine>(tx, OF_CAR, [plateNo, plateColor])
  return found.length === 1 ? found[0] : undefined
}
const OF_CAR = {
  sql: `select p.id, p.balance, p.frozen from owner.car c
    join owner.account a on a.enterprise_id = c.enterprise_id and a.id = c.owner_id and a.status = ${OwnerStatus.normal}
    join coupon.points_account p on p.enterprise_id = a.enterprise_id and p.phone = a.phone and p.merged_into is null
    where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and ($2::int is null or c.plate_color = $2) and c.verify_state = ${VerifyState.verified}`,
}

/** The answer to `settlement.pointsFor`. */
export async function pointsFor(tx: Tx, { order, at }: { order: OrderRow; at: Instant }): Promise<PointsFor | undefined> {
  const account = order.type === OrderType.temporaryParking ? await accountOf(tx, order) : undefined
  const capPermille = account && (await capAt(tx, order.parkCode))
  if (!account || capPermille === undefined) return undefined
  const usable = await usableOf(tx, account, at)
  return { usable, capPermille, most: Math.max(0, Math.min(usable, mostOf(order, capPermille), order.payableFen - order.paidFen)) }
}

/** The answer to `settlement.pointsPaid`: all that is due, or a part that lies beside the rest. @throws what keeps points from paying */
export async function payAtTill(tx: Tx, { order, points, actor, at }: PointsPaid): Promise<{ besideId: string | null } | undefined> {
  const account = await accountOf(tx, order)
  if (!account) return undefined
  if (points < order.payableFen - order.paidFen) return { besideId: (await layPoints(account.id, points, at)(tx, order)).id }
  await payAll(tx, { accountId: account.id, orderId: order.id, points, actor, at })
  return { besideId: null }
}
