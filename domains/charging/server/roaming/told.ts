import type { Instant } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { addJob } from '../../../../platform/server/job/jobs.ts'
import { HeardBy } from '../../contract/partnerStation.ts'
import { ChargeStatus, StopReason } from '../../contract/session.ts'
import type { TheirProgress, TheirState } from '../partnerWire.ts'
import { begin, canMove, fail, moveRoaming, roamingBySeq, type RoamingCharge } from './charge.ts'
import { heardProgress, stopTask } from './drive.ts'
import { keepStates } from './guns.ts'

/** What partners with stations tell us without being asked. Each of these may come twice, late, and before or after what it belongs to. @returns the charge; none where it is none of this partner's */
interface OfCharge {
  platformId: string
  startChargeSeq: string
}
/** @returns whether we know the gun */
export const stateTold = async (tx: Tx, platformId: string, state: TheirState, at: Instant): Promise<boolean> =>
  (await keepStates(tx, platformId, [state], { by: HeardBy.pushed, at })) > 0

export async function startTold(
  tx: Tx,
  { platformId, startChargeSeq, began, startTime, why }: OfCharge & { began: boolean; startTime: Instant | null; why: string },
  at: Instant,
): Promise<RoamingCharge | undefined> {
  const charge = await roamingBySeq(tx, platformId, startChargeSeq)
  if (!charge) return undefined
  if (!began) return charge.startTime === null && canMove(charge, 'fail') ? fail(tx, charge, why, at) : charge
  if (!BEGINS.has(charge.status)) return charge
  const { charge: made, stop } = await begin(tx, charge, startTime, at)
  if (stop) await askToStop(tx, made, made.stopReason ?? StopReason.partner)
  return made
}
/** Also of one that is to stop: it has to be asked again now that it began. */
const BEGINS: ReadonlySet<number> = new Set([ChargeStatus.waiting, ChargeStatus.starting, ChargeStatus.stopping, ChargeStatus.failed])

export async function progressTold(
  tx: Tx,
  { platformId, startChargeSeq, ...said }: OfCharge & TheirProgress,
  at: Instant,
): Promise<RoamingCharge | undefined> {
  const charge = await roamingBySeq(tx, platformId, startChargeSeq)
  if (!charge) return undefined
  // It was given up, and charges all the same.
  if (charge.status === ChargeStatus.failed && said.stage === 'charging')
    return startTold(tx, { platformId, startChargeSeq, began: true, startTime: said.startTime, why: '' }, at)
  const { charge: made, short } = await heardProgress(tx, charge, said, at)
  if (short) await askToStop(tx, made, StopReason.outOfMoney)
  return made
}

export async function stopTold(
  tx: Tx,
  { platformId, startChargeSeq, ended }: OfCharge & { ended: boolean },
  at: Instant,
): Promise<RoamingCharge | undefined> {
  const charge = await roamingBySeq(tx, platformId, startChargeSeq)
  if (!charge) return undefined
  return ended && canMove(charge, 'end') ? moveRoaming(tx, charge, 'end', { endTime: charge.endTime ?? at }, at) : charge
}

/** After this is kept; once for a charge, however often it is told. */
const askToStop = (tx: Tx, { id }: RoamingCharge, reason: number) => addJob(tx, stopTask, { id, reason }, { key: `${stopTask.name}:${id}` })
