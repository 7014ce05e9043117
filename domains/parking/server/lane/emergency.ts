import type { Instant } from '../../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { House } from '../../../../platform/server/domain.ts'
import { addJob, task } from '../../../../platform/server/job/jobs.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { CommandState } from '../../../device/contract/command.ts'
import { command, devicesOf, notHeard } from '../../../device/server/api.ts'
import { Direction } from '../../contract/gate.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { SessionStatus } from '../../contract/stay.ts'
import { decideAgain } from './again.ts'
import { holdLane, EMERGENCY_S, keptOpen, type ParkRow, toldOpen } from './lane.ts'
import { clearLane } from './passing.ts'
import { laneTopic } from '../questions.ts'
import type { LaneRecord } from '../tables.ts'

/** Emergency open (应急常开): every barrier of a park stands open, and whoever leaves meanwhile leaves free. */

/** No car is decided about while the park changes over; always in the same order. */
export async function holdLanes(tx: Tx, parkCode: string): Promise<void> {
  for (const { gateCode } of await gateCodes(tx, parkCode)) await holdLane(tx, { parkCode, gateCode })
}
const gateCodes = (tx: Tx, parkCode: string) =>
  run<{ gateCode: string }>(
    tx,
    { sql: 'select gate_code from parking.gate where enterprise_id = scope_enterprise() and park_code = $1 and not deleted order by gate_code' },
    [parkCode],
  )

/** No barrier stays locked, all go up, and the cars that were asked to pay go out by them. */
export async function beginEmergency(tx: Tx, { parkCode, openAllBy }: ParkRow, at: Instant): Promise<void> {
  await run(tx, BEGINS, [parkCode, at, openAllBy])
  await run(tx, UNLOCK, [parkCode, at])
  await run(tx, KEPT_BY_NOBODY, [parkCode])
  for (const sn of await barriersOf(tx, parkCode)) await command(tx, keptOpen(sn))
  await letOut(tx, parkCode, at)
  await lanesChanged(tx, parkCode)
}
const BEGINS = { sql: 'insert into parking.emergency (park_code, from_time, opened_by) values ($1, $2, $3)' }
const ENDS = { sql: 'update parking.emergency set to_time = $2 where enterprise_id = scope_enterprise() and park_code = $1 and to_time is null' }
/** A car that cannot be let off keeps no barrier down: it stays for a person. */
async function letOut(tx: Tx, parkCode: string, at: Instant): Promise<void> {
  for (const { gateCode, asked, plateNo, plateColor } of await run<LaneRecord>(tx, AT_EXITS, [parkCode])) {
    await run(tx, { sql: 'savepoint car' }, [])
    try {
      await decideAgain(tx, { ...asked!, plateNo: plateNo!, plateColor, receivedAt: at, live: true, gone: false })
      await run(tx, { sql: 'release savepoint car' }, [])
    } catch (err) {
      await run(tx, { sql: 'rollback to savepoint car' }, [])
      log?.warn({ err, parkCode, gateCode }, 'A car at an exit was not let off in an emergency.')
    }
  }
}
let log: House['log'] | undefined
/** Said once at start. */
export const emergencyLog = (of: House): void => void (log = of.log)
const UNLOCK = {
  sql: 'update parking.gate set locked_by = null, version = version + 1, updated_at = $2::timestamptz where enterprise_id = scope_enterprise() and park_code = $1 and locked_by is not null',
}
/** The mode keeps them open now, and its end closes them. */
const KEPT_BY_NOBODY = {
  sql: 'update parking.lane set kept_open_until = null where enterprise_id = scope_enterprise() and park_code = $1 and kept_open_until is not null',
}
const AT_EXITS = {
  sql: `select l.* from parking.lane l join parking.stay s on s.enterprise_id = l.enterprise_id and s.id = l.stay_id and s.status = ${SessionStatus.leaving}
    where l.enterprise_id = scope_enterprise() and l.park_code = $1 and l.direction = ${Direction.exit} and l.asked is not null order by l.gate_code`,
}

export async function endEmergency(tx: Tx, parkCode: string, at: Instant): Promise<void> {
  await run(tx, ENDS, [parkCode, at])
  for (const sn of await barriersOf(tx, parkCode)) await command(tx, { sn, method: 'gate.close' })
  // Whoever was let through while it lasted has gone.
  for (const { gateCode } of await run<Pick<LaneRecord, 'gateCode'>>(tx, LET_THROUGH, [parkCode])) await clearLane(tx, { parkCode, gateCode })
  await lanesChanged(tx, parkCode)
  await addJob(tx, closeTask, { parkCode, endedAt: at }, nextLook(parkCode, at))
}
/** A barrier that did not hear of the end would stand open for a day: it is told again once it is on line, unless somebody has told it something else since. */
export const closeTask = task<Ended>('parking.close-again', ({ tx, data, at }) => closeAgain(tx, data, at))
export interface Ended {
  parkCode: string
  endedAt: Instant
}
export async function closeAgain(tx: Tx, { parkCode, endedAt }: Ended, at: Instant): Promise<void> {
  const [open] = await run<Pick<ParkRow, 'openAllFrom'>>(tx, PARK, [parkCode])
  if (!open || open.openAllFrom !== null || msOf(at) - msOf(endedAt) > EMERGENCY_S * 1_000) return
  const barriers = (await devicesOf(tx, parkCode)).filter(({ type }) => type === BARRIER)
  const deaf = new Set(
    await notHeard(
      tx,
      barriers.map(({ sn }) => sn),
      'gate.close',
    ),
  )
  for (const { sn, online } of barriers) if (online && deaf.has(sn)) await command(tx, { sn, method: 'gate.close' })
  if (deaf.size > 0) await addJob(tx, closeTask, { parkCode, endedAt }, nextLook(parkCode, at))
}
const nextLook = (parkCode: string, at: Instant) => ({ runAt: instantAt(msOf(at) + MINUTE_MS), key: `parking.close-again:${parkCode}` })
const PARK = { sql: 'select open_all_from from parking.park where enterprise_id = scope_enterprise() and park_code = $1 for share' }

/** Once a minute: a barrier that did not hear it, or came down again, is told again. */
export async function holdOpen(tx: Tx): Promise<void> {
  for (const { parkCode, openAllFrom } of await run<OpenPark>(tx, OPEN_PARKS, [])) {
    const up = new Set((await run<Pick<LaneRecord, 'gateCode'>>(tx, UP, [parkCode])).map(({ gateCode }) => gateCode))
    const down = (await devicesOf(tx, parkCode)).flatMap(({ sn, type, gateCode, online }) =>
      type === BARRIER && online && gateCode !== null && !up.has(gateCode) ? [sn] : [],
    )
    const told = await toldOpen(tx, down, openAllFrom)
    // What it was told just now is still on its way.
    for (const sn of down) if ((told.get(sn)?.state ?? CommandState.done) >= CommandState.done) await command(tx, keptOpen(sn))
  }
}
type OpenPark = Pick<ParkRow, 'parkCode'> & { openAllFrom: Instant }
const OPEN_PARKS = {
  sql: 'select park_code, open_all_from from parking.park where enterprise_id = scope_enterprise() and open_all_from is not null and not deleted order by park_code for share',
}
const LET_THROUGH = {
  sql: `select gate_code from parking.lane where enterprise_id = scope_enterprise() and park_code = $1 and state = ${LaneState.opening} order by gate_code`,
}
const UP = { sql: "select gate_code from parking.lane where enterprise_id = scope_enterprise() and park_code = $1 and gate_state = 'opened'" }

/** Each night: a barrier takes a day at a time. */
export async function openAnotherDay(tx: Tx): Promise<void> {
  for (const { parkCode } of await run<OpenPark>(tx, OPEN_PARKS, [])) for (const sn of await barriersOf(tx, parkCode)) await command(tx, keptOpen(sn))
}

const BARRIER = 1
const barriersOf = async (tx: Tx, parkCode: string): Promise<string[]> =>
  (await devicesOf(tx, parkCode)).flatMap(({ sn, type }) => (type === BARRIER ? [sn] : []))
const lanesChanged = async (tx: Tx, parkCode: string) =>
  tell(tx, laneTopic, { park: parkCode, ids: (await gateCodes(tx, parkCode)).map(({ gateCode }) => gateCode) })
