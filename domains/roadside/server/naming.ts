import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { SessionAbnormal, SessionStatus, type StayId } from '../../parking/contract/stay.ts'
import type { Id } from '../../../platform/contract/field.ts'
import { type AnyStay, billStay, cancelDue, editStay, moveStay, type StayChanges } from '../../parking/server/api.ts'
import { nameOrder } from '../../settlement/server/api.ts'
import { PlateSource } from '../contract/roadStay.ts'
import { billAt } from './leaving.ts'
import type { Place } from './place.ts'
import { berthTopic } from './questions.ts'
import { rankOf, type Seen } from './seen.ts'
import { isBetter, lockRoadStay, namedBy, plateFrom, setVisit, visitOf } from './visit.ts'
import { Said } from '../contract/said.ts'

/** A plate was read: the stay takes it when it comes from somebody who is more to be believed than who named it before. */
export async function nameStay(tx: Tx, place: Place, stay: AnyStay, seen: Seen): Promise<AnyStay> {
  const visit = await visitOf(tx, stay.id)
  if (!isBetter(seen, visit)) return stay
  await setVisit(tx, stay.id, plateFrom(seen))
  return seen.plateNo === stay.plateNo ? stay : named(tx, place, stay, seen)
}

/** The plate as a person has seen it, on the street or in a picture: it is believed from now on. */
export async function nameByPerson(tx: Tx, place: Place, stay: AnyStay, car: Pick<Seen, 'plateNo' | 'plateColor'>): Promise<AnyStay> {
  await setVisit(tx, stay.id, { plateSource: PlateSource.person, plateConfidence: null })
  return elsewhere(tx, await named(tx, place, stay, car))
}

async function named(tx: Tx, place: Place, stay: AnyStay, car: Pick<Seen, 'plateNo' | 'plateColor'>): Promise<AnyStay> {
  const changes: StayChanges = {
    ...(await namedBy(tx, place, car, stay.entryTime!)),
    ...(stay.plateNo !== null && { plateOriginal: stay.plateOriginal ?? stay.plateNo }),
    ...(stay.abnormalType === SessionAbnormal.noPlate && { abnormalType: SessionAbnormal.none }),
  }
  const over = stay.status === SessionStatus.left || stay.status === SessionStatus.abnormal
  const known = await editStay(
    tx,
    stay,
    over
      ? { plateNo: changes.plateNo!, plateColor: changes.plateColor!, ...(changes.plateOriginal && { plateOriginal: changes.plateOriginal }) }
      : changes,
  )
  if (known.orderId) await nameOrder(tx, known.orderId, { plateNo: known.plateNo!, plateColor: known.plateColor })
  await tell(tx, berthTopic, { park: known.parkCode, ids: [known.seatCode!] })
  if (over) return known
  const billed = known.status === SessionStatus.leaving ? await rebilled(tx, place, known) : known
  return billed
}
/** Another class may have another rule, a pass or a list its own. */
async function rebilled(tx: Tx, place: Place, stay: AnyStay): Promise<AnyStay> {
  const bill = await billAt(tx, place, stay, stay.exitTime!)
  return bill ? editStay(tx, stay, await billStay(tx, stay, bill, stay.exitTime!)) : stay
}

/** One car on two berths at once: one of them was read from the neighbour's. The one that is more sure stays, the other waits for a person. */
export async function elsewhere(tx: Tx, stay: AnyStay): Promise<AnyStay> {
  if (stay.status !== SessionStatus.present || stay.plateNo === null) return stay
  const [other] = await run<{ id: Id<StayId> }>(tx, TWIN, [stay.plateNo, stay.plateColor, stay.parkCode, stay.id])
  if (!other) return stay
  const twin = await lockRoadStay(tx, other.id)
  const [mine, its] = await Promise.all([visitOf(tx, stay.id), visitOf(tx, twin.id)])
  const sure = (one: typeof mine) => [rankOf(one.plateSource, one.plateConfidence), one.plateConfidence ?? 0] as const
  const [a, b] = [sure(mine), sure(its)]
  const worse = a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]) ? twin : stay
  const due = await cancelDue(tx, worse, Said.elsewhere, worse.exitTime ?? worse.entryTime!)
  const flagged = await moveStay(tx, worse, 'flag', { ...due, abnormalType: SessionAbnormal.twice })
  await tell(tx, berthTopic, { park: worse.parkCode, ids: [worse.seatCode!] })
  return worse === stay ? flagged : stay
}
const TWIN = {
  sql: `select s.id from parking.present c join parking.stay s on s.id = c.stay_id
    where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and ($2::smallint is null or c.plate_color is null or c.plate_color = $2) and c.park_code = $3
      and c.seat_code is not null and c.stay_id <> $4 and c.status = ${SessionStatus.present} order by s.entry_time limit 1`,
}
