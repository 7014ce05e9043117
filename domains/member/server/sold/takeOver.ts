import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { SessionStatus } from '../../../parking/contract/stay.ts'
import type { Covered } from '../../../parking/server/api.ts'

interface Seen {
  plateNo: string
  from: Instant
  to: Instant | null
}
/** Stays of the cars of a pass that touch a time. */
const STAYS = `select plate_no, entry_time as "from", exit_time as "to" from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = any ($2) and status <> ${SessionStatus.void}
  and entry_time < $4 and (exit_time is null or exit_time > $3) and entry_time > $3::timestamptz - interval '90 days' order by entry_time, id`

/** When a car of a pass had one of its bays: the car that comes first has one, and when one leaves the car that has waited longest takes it over. */
export async function bayTime(
  tx: Tx,
  { parkCode, plateNo, from, to }: { parkCode: string; plateNo: string; from: Instant; to: Instant },
  { plates, seats }: { plates: readonly string[]; seats: number },
): Promise<Covered[]> {
  const stays = (await run<Seen>(tx, { sql: STAYS }, [parkCode, plates.filter((one) => one !== plateNo), from, to])).map((one) => ({
    ...one,
    mine: false,
  }))
  return heldTimes([...stays, { plateNo, from, to, mine: true }], seats)
}
/** Of cars with the time that they were inside: when `mine` had a bay. */
export function heldTimes(stays: readonly { from: Instant; to: Instant | null; mine: boolean }[], seats: number): Covered[] {
  const moments = [...new Set(stays.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))].sort((a, b) => Date.parse(a) - Date.parse(b))
  const order = stays.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
  const mine = order.find((one) => one.mine)!
  for (const moment of moments) {
    const at = Date.parse(moment)
    if (at < Date.parse(mine.from) || at >= Date.parse(mine.to!)) continue
    const ahead = order.slice(0, order.indexOf(mine)).filter(({ from, to }) => Date.parse(from) <= at && (to === null || Date.parse(to) > at))
    // Cars that came earlier go first; a car that has a bay keeps it.
    if (ahead.length < seats) return [{ from: moment, to: mine.to! }]
  }
  return []
}
