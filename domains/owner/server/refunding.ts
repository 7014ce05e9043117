import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { RechargeState } from '../contract/asset.ts'
import { CHANNEL_DAYS, RefundRoute } from '../contract/refund.ts'
import { freeOf, type Purse } from './purse.ts'

/** A recharge of which something can still go back. */
interface Recharge {
  id: string
  orderId: string
  principalFen: number
  bonusFen: number
  refundFen: number
  clawedFen: number
  paidAt: Instant
}
/** The part of one recharge that goes back: principal, the bonus that goes with it, and the bonus spent already, which is taken off. */
export interface PlannedPart {
  rechargeId: string
  amountFen: number
  clawbackFen: number
  shortfallFen: number
  route: number
}
export interface Plan {
  amountFen: number
  clawbackFen: number
  shortfallFen: number
  payFen: number
  parts: PlannedPart[]
}

/** The bonus that a recharge has earned back by so much of its principal: granted × refunded ÷ recharged, rounded up, over all that ever went back of it. */
export const clawbackOf = ({ principalFen, bonusFen }: { principalFen: number; bonusFen: number }, refundedFen: number): number =>
  Number((BigInt(bonusFen) * BigInt(refundedFen) + BigInt(principalFen - 1)) / BigInt(principalFen))

/** Principal goes back by recharges, the newest first. Without an amount it is all that is free. Less than was wanted: no more is left. */
export async function planOf(tx: Tx, purse: Purse, wantedFen: number | undefined, at: Instant): Promise<Plan> {
  const free = freeOf(purse)
  let left = Math.min(wantedFen ?? free.principalFen, free.principalFen)
  let bonusLeft = free.bonusFen
  const parts: PlannedPart[] = []
  for (const one of await run<Recharge>(tx, { sql: RECHARGES }, [purse.id])) {
    const amountFen = Math.min(left, one.principalFen - one.refundFen)
    if (amountFen <= 0) continue
    const due = clawbackOf(one, one.refundFen + amountFen) - one.clawedFen
    const clawbackFen = Math.min(due, bonusLeft)
    const shortfallFen = Math.min(due - clawbackFen, amountFen)
    const old = msOf(at) - msOf(one.paidAt) > CHANNEL_DAYS * DAY_MS
    parts.push({ rechargeId: one.id, amountFen, clawbackFen, shortfallFen, route: old ? RefundRoute.transfer : RefundRoute.original })
    left -= amountFen
    bonusLeft -= clawbackFen
  }
  const sum = (field: 'amountFen' | 'clawbackFen' | 'shortfallFen') => parts.reduce((total, part) => total + part[field], 0)
  const [amountFen, clawbackFen, shortfallFen] = [sum('amountFen'), sum('clawbackFen'), sum('shortfallFen')]
  return { amountFen, clawbackFen, shortfallFen, payFen: amountFen - shortfallFen, parts }
}
const RECHARGES = `select id, order_id, principal_fen, bonus_fen, refund_fen, clawed_fen, paid_at from owner.recharge
  where enterprise_id = scope_enterprise() and purse_id = $1 and state = ${RechargeState.paid} and refund_fen < principal_fen order by paid_at desc, id desc for update`
