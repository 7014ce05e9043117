import type { Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, Stale } from '../../../../platform/server/refusal.ts'
import { type Actor, sameAs } from '../../../../platform/server/serve.ts'
import { ordinaryPlate } from '../../../parking/server/api.ts'
import { holdCredited } from '../../../settlement/server/api.ts'
import { car } from '../../contract/customer.ts'
import type { mine } from '../../contract/mine.ts'
import { calls as cars, holdCar, lockCar } from '../car.ts'
import { lockPass, passRow } from '../sold/pass.ts'
import { giveBack, partsOf, refuseOpenRefund } from '../sold/refund.ts'

const change = sameAs(cars, car.update)

/** As at the counter: the old plate leaves every pass that it is on. @throws NotFound when the pass has no such car */
export async function changeMyPlate(
  tx: Tx,
  actor: Actor,
  { id, version, plateNo, newPlateNo, memberId }: Of<typeof mine.changePlate.input> & { memberId: string },
  at: Instant,
): Promise<void> {
  const [found] = await run<{ id: never; version: number }>(tx, { sql: CAR }, [memberId, ordinaryPlate(plateNo), id])
  if (found) await holdCar(tx, found.id)
  // A change that was first has changed the pass: read it after that change is done.
  const seen = await passRow(tx, id)
  if (seen.version !== version) throw Stale({ version: seen.version, sent: version })
  if (!found) throw NotFound()
  const { passIds } = await lockCar(tx, found.id, found.version)
  for (const one of passIds) await lockPass(tx, { id: one, ...(one === id && { version }) })
  await change({ tx, actor, at }, { ...found, plateNo: newPlateNo })
}
const CAR = `select c.id, c.version from member.car c where c.enterprise_id = scope_enterprise() and c.member_id = $1 and c.plate_no = $2 and c.closed_at is null
  and exists (select from member.pass_car x where x.enterprise_id = c.enterprise_id and x.pass_id = $3 and x.plate_no = c.plate_no and x.end_at > now())`

type Back = Of<typeof mine.refund.reply>
/** Returns the amount that would go back now. @throws OpenRefund */
export async function refundOf(tx: Tx, id: string, at: Instant): Promise<Back> {
  const { startAt, endAt, status, ...held } = await passRow(tx, id)
  const parts = await partsOf(tx, { startAt, endAt, status, ...held }, at)
  refuseOpenRefund(parts)
  return { refundFen: parts.reduce((sum, part) => sum + part.refundFen, 0) as Fen, startAt, endAt, status }
}
export async function giveBackMine(
  tx: Tx,
  actor: Actor,
  { id, version, reason }: Pick<Of<typeof mine.refund.input>, 'id' | 'version' | 'reason'>,
  at: Instant,
): Promise<Back> {
  await holdCredited(tx, id)
  const held = await lockPass(tx, { id, version })
  const { refundFen } = await refundOf(tx, id, at)
  const { startAt, endAt, status } = await giveBack(tx, held, reason, actor, at)
  return { refundFen, startAt, endAt, status }
}
