import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { onlyFields } from '../../../platform/server/row.ts'
import { type Actor, phased, type PhasedContext } from '../../../platform/server/serve.ts'
import { openDebts, payOnline } from '../../arrears/server/api.ts'
import { RepayPlace } from '../../arrears/contract/repayment.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { type Lay, startPayment } from '../../settlement/server/api.ts'
import { Movement, movementSearch, PurseKind } from '../contract/asset.ts'
import { type mine, type MyActivity, MyMovement } from '../contract/mine.ts'
import { myFiles, myOrder } from './mineBills.ts'
import { lockActive } from './owner.ts'
import { accountPurse } from './purse.ts'
import { openRecharge, payUrlOf, runningFor } from './recharge.ts'
import { askForRefund } from './refund.ts'
import { spend } from './spend.ts'
import { Said } from '../contract/said.ts'

const NoWay = refusal('owner.mine-way', 41574, '请用微信或支付宝支付', 'Pay by WeChat or Alipay', 422)
const ParkingOnly = refusal('owner.mine-stored', 41575, '储值余额只能支付停车费', 'Stored value pays parking fees only', 422)
/** Ways by which a telephone pays. */
const WAYS: readonly PayMethodCode[] = [PayMethod.wechat, PayMethod.alipay]
/** @throws NoWay */
export function refuseWay(payMethod: PayMethodCode): void {
  if (!WAYS.includes(payMethod)) throw NoWay()
}

export const pay = phased(async ({ input: { orderNo, payMethod }, actor, at, write }: PhasedContext<Of<typeof mine.pay.input>>) => {
  if (payMethod === PayMethod.storedValue) return write((tx) => payStored(tx, actor, orderNo, at))
  refuseWay(payMethod)
  const { id: orderId } = await write((tx) => myOrder(tx, actor.userId, orderNo))
  const { amountFen, payUrl, expiresAt } = await startPayment(write, { orderId, payMethod, merchant: actor.enterprise, at })
  return { orderNo, amountFen, payUrl, expiresAt }
})
/** All of it out of the driver's own account, less what is laid beside it. */
export async function payStored(tx: Tx, actor: Actor, orderNo: string, at: Instant, lay?: Lay) {
  const order = await myOrder(tx, actor.userId, orderNo)
  if (order.type !== OrderType.temporaryParking) throw ParkingOnly()
  await lockActive(tx, actor.userId)
  const paid = await spend(tx, { orderId: order.id, purseIds: [await accountPurse(tx, actor.userId)], at, ...(lay && { lay }) })
  return { orderNo, amountFen: (paid.payableFen - order.paidFen) as typeof paid.payableFen, payUrl: null, expiresAt: null }
}

/** @throws NotFound when one of them is not a debt of the driver's vehicles */
export const repay = phased(async ({ input: { ids, paidFen, payMethod }, actor, at, write }: PhasedContext<Of<typeof mine.repay.input>>) => {
  refuseWay(payMethod)
  const open = async (tx: Tx) => {
    const own = new Set<string>((await myFiles(tx, actor.userId)).map(({ id }) => id))
    if (ids.length === 0 || ids.some((id) => !own.has(id))) throw NotFound()
    return openDebts(tx, { ids, paidFen, place: RepayPlace.owner }, at)
  }
  return payOnline(write, open, { payMethod, merchant: actor.enterprise, at })
})

/** Activities that this driver's next recharge may still fall under. */
export const offersNow = async (tx: Tx, ownerId: string, at: Instant): Promise<Of<typeof MyActivity>[]> =>
  runningFor(tx, { purseId: await purseIdOf(tx, ownerId), ownerId, madeAt: at, payMethod: null })
/** Looking writes nothing: an owner who never recharged has no purse yet. */
const purseIdOf = async (tx: Tx, ownerId: string): Promise<string | null> =>
  (
    await run<{ id: string }>(
      tx,
      { sql: `select id from owner.purse where enterprise_id = scope_enterprise() and owner_id = $1 and kind = ${PurseKind.account}` },
      [ownerId],
    )
  )[0]?.id ?? null

export const recharge = phased(async ({ input: { payFen, payMethod }, actor, at, write }: PhasedContext<Of<typeof mine.recharge.input>>) => {
  refuseWay(payMethod)
  const ownerId = actor.userId
  const order = await write(async (tx) => {
    const { nickname } = await lockActive(tx, ownerId)
    return openRecharge(tx, { purseId: await accountPurse(tx, ownerId), ownerId, payFen, subject: Said.recharge({ name: nickname }), at })
  })
  return payUrlOf(write, order, { payMethod, actor, at }) as Promise<Of<typeof mine.recharge.reply>>
})

type Moved = Of<typeof mine.movements.reply>
/** Of a card that is another's by now a driver sees nothing, nor its purse. */
const own = listOver(Movement, 'owner.asset', movementSearch, { only: 'purse_kind is not null' })
export async function movementsOf(tx: Tx, ownerId: string, input: Of<typeof mine.movements.input>): Promise<Moved> {
  const found = await page(tx, own, { ...input, ownerId: ownerId })
  return { ...found, records: found.records.map(movementShown) as Moved['records'] }
}
const movementShown = onlyFields(MyMovement)
const REFUND = ['id', 'refundNo', 'amountFen', 'clawbackFen', 'payFen', 'doneFen', 'state', 'appliedAt', 'finishedAt', 'failure'] as const
export const refundsOf = (tx: Tx, ownerId: string): Promise<Of<typeof mine.refunds.reply>> =>
  tx.selectFrom('owner.refund').select(REFUND).where('ownerId', '=', ownerId).orderBy('appliedAt', 'desc').limit(20).execute()

export async function refund(tx: Tx, { userId, userName }: Actor, { dryRun = false, ...wanted }: Of<typeof mine.refund.input>, at: Instant) {
  await lockActive(tx, userId)
  const { quote, refund: made } = await askForRefund(tx, { ...wanted, ownerId: userId, dryRun }, { userId, userName }, at)
  return { ...quote, refundNo: made?.refundNo ?? null }
}
