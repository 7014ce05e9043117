import type { Instant } from '../../../../platform/contract/field.ts'
import { inAllParks, type Tx } from '../../../../platform/server/database.ts'
import { cancelOrder } from '../../../settlement/server/api.ts'
import { PassStatus } from '../../contract/pass.ts'
import { dropHeld, lockPass, setPass } from './pass.ts'
import { Kind, movePeriod, periodOfOrder, periodsOf, State } from './period.ts'

/** An order of a pass that will bring no money: all that it held is free, in each of its parks, no matter who cancelled it. */
export async function letGo(tx: Tx, orderId: string, at: Instant): Promise<true | undefined> {
  const period = await periodOfOrder(tx, orderId)
  if (!period || !(await movePeriod(tx, period.id, State.waits, State.cancelled, at))) return undefined
  await inAllParks(tx, async (whole) => {
    const pass = await lockPass(whole, { id: period.passId })
    await dropHeld(whole, pass.id, orderId)
    await setPass(whole, pass, period.kind === Kind.opened ? { state: PassStatus.deleted } : {}, at)
  })
  return true
}

/** Cancels a pass's orders that wait for money, when nothing is sold of it any more. */
export async function cancelWaiting(tx: Tx, passId: string, reason: string, at: Instant): Promise<void> {
  for (const { state, orderId } of await periodsOf(tx, passId))
    if (state === State.waits && orderId) {
      await cancelOrder(tx, orderId, { reason, at })
      await letGo(tx, orderId, at)
    }
}
