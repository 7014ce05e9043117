import type { Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { cancelOrder } from '../../settlement/server/api.ts'
import { PassStatus } from '../contract/pass.ts'
import { dropHeld, lockPass, setPass } from './pass.ts'
import { Kind, movePeriod, periodOfOrder, periodsOf, State } from './period.ts'

/** An order of a pass that will bring no money: whatever it kept is free. */
export async function letGo(tx: Tx, orderId: string, at: Instant): Promise<true | undefined> {
  const period = await periodOfOrder(tx, orderId)
  if (!period || !(await movePeriod(tx, period.id, State.waits, State.cancelled, at))) return undefined
  const pass = await lockPass(tx, { id: period.passId })
  await dropHeld(tx, pass.id, orderId)
  if (period.kind === Kind.opened) await setPass(tx, pass, { state: PassStatus.deleted }, at)
  else await setPass(tx, pass, {}, at)
  return true
}

/** Nothing is sold of a pass any more: its orders that wait for money are cancelled. */
export async function cancelWaiting(tx: Tx, passId: string, reason: string, at: Instant): Promise<void> {
  for (const { state, orderId } of await periodsOf(tx, passId))
    if (state === State.waits && orderId) {
      await cancelOrder(tx, orderId, { reason, at })
      await letGo(tx, orderId, at)
    }
}
