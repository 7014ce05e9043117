import type { Id } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { Direction } from '../../contract/gate.ts'
import { SessionStatus, type StayId } from '../../contract/stay.ts'
import { REPEATED_READ_MS } from './admission.ts'
import type { Known } from './entrance.ts'
import type { LaneNow } from './lane.ts'
import type { Sighting } from './sighting.ts'
import { isInner } from './transfer.ts'

/**
 * A gate for both ways has a camera for each, and the one behind a car reads it too, while it stands there or passes: in the stay that it is in by the first reading. Taken for a way
 * of its own it would end the stay that has just begun, or begin one of a car that has left.
 */
export async function readFromBehind(tx: Tx, { gate, lane }: LaneNow, car: Sighting, { open: [open] }: Known): Promise<Id<StayId> | undefined> {
  if (gate.direction !== Direction.both) return undefined
  if (isInner(gate)) return open && first(run<Found>(tx, MOVED, [open.id, ...justNow(car)]))
  if (car.direction === Direction.exit) {
    const came = open?.entryTime && open.entryGate === car.gateCode ? msOf(car.at) - msOf(open.entryTime) : -1
    return came >= 0 && came < REPEATED_READ_MS ? open!.id : undefined
  }
  if (open) return !car.gone && open.status === SessionStatus.leaving && lane?.stayId === open.id ? open.id : undefined
  return first(run<Found>(tx, LEFT, [car.parkCode, car.plateNo, car.plateColor, ...justNow(car)]))
}
interface Found {
  id: Id<StayId>
}
const first = async (found: Promise<Found[]>) => (await found)[0]?.id
const justNow = ({ gateCode, at }: Sighting) => [gateCode, instantAt(msOf(at) - REPEATED_READ_MS), at]
const MOVED = {
  sql: `select stay_id as id from parking.segment where enterprise_id = scope_enterprise() and stay_id = $1 and to_time is null and gate_code = $2 and from_time > $3 and from_time <= $4`,
}
/** Who had to pay before the barrier was seen passing later than coming to it. */
const LEFT = {
  sql: `select s.id from parking.stay s left join parking.pass_time t on t.enterprise_id = s.enterprise_id and t.stay_id = s.id
    where s.enterprise_id = scope_enterprise() and s.park_code = $1 and s.plate_no = $2 and (s.plate_color = $3 or s.plate_color is null or $3::smallint is null) and s.exit_gate = $4
      and s.status = ${SessionStatus.left} and s.third_platform is null and greatest(s.exit_time, t.passed_at) > $5 and s.exit_time <= $6 order by s.seen_at desc limit 1`,
}
