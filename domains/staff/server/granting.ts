import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { CardSource } from '../contract/attendance.ts'
import { OnJob } from '../contract/collector.ts'
import { LeaveKind, type Request, RequestType } from '../contract/request.ts'
import { CellState } from '../contract/roster.ts'
import { cellHeld, type HeldCell, MonthClosed, notBegun } from './cellRow.ts'
import { figure } from './figuring.ts'
import { OVERLAP } from './workShift.ts'

const Changed = refusal(
  'staff.roster-changed',
  41959,
  '{who} 的班次已变（请假、改排或离职），不能再通过，请驳回后重新申请',
  'The shift of the {whoEn} has changed (leave, roster change or departure): reject the request and make it again',
)
const Overlaps = refusal(
  'staff.would-overlap',
  41967,
  '通过后同一人的班次会重叠，请驳回',
  'Granting this would give one person overlapping shifts: reject it',
)
type Row = Of<typeof Request>
const LATE_DAYS = 3

/** Looks again whether everything is as it was when it was asked for, then changes both cells and the attendance. A refusal leaves all as it was. */
export async function grant(tx: Tx, { type, ...asked }: Row, at: Instant): Promise<void> {
  const late = type === RequestType.card || asked.leaveKind === LeaveKind.sick
  // Of two cells the one with the smaller id is locked first, for either applicant.
  const ids = [asked.cellId as string, ...(asked.toCellId ? [asked.toCellId as string] : [])].sort()
  const held = new Map<string, HeldCell | undefined>()
  for (const id of ids) held.set(id, await cellHeld(tx, id))
  const cell = still(held.get(asked.cellId), asked.applicantId, ['申请人', 'applicant'], late ? instantAt(msOf(at) - LATE_DAYS * DAY_MS) : at)
  try {
    if (type === RequestType.leave) await run(tx, { sql: LEAVE }, [cell.id, at])
    else if (type === RequestType.card) await run(tx, { sql: CARD }, [cell.id, asked.cardKind, asked.cardTime, at, `request ${asked.id}`])
    else if (type === RequestType.standIn) await give(tx, [[cell.id, asked.toCollectorId!]], CellState.stoodIn, at)
    else {
      const other = still(held.get(asked.toCellId!), asked.toCollectorId!, ['对方', 'colleague'], at)
      await give(
        tx,
        [
          [cell.id, asked.toCollectorId!],
          [other.id, asked.applicantId],
        ],
        CellState.swapped,
        at,
      )
    }
  } catch (error) {
    throw [OVERLAP, TWICE].includes((error as { code?: string }).code ?? '') ? Overlaps() : error
  }
  for (const id of ids) await figure(tx, { from: held.get(id)!.workDate, to: held.get(id)!.workDate, cellId: id }, at)
}
/** The same shift twice on one day. */
const TWICE = '23505'

function still(cell: HeldCell | undefined, collectorId: string, [who, whoEn]: readonly [string, string], at: Instant): HeldCell {
  if (!cell || cell.collectorId !== collectorId || cell.state === CellState.leave || cell.state === CellState.rest) throw Changed({ who, whoEn })
  if (cell.closed) throw MonthClosed()
  notBegun(cell, at)
  return cell
}
const LEAVE = `update staff.cell set state = ${CellState.leave}, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = $1`
const CARD = `insert into staff.card (collector_id, park_code, cell_id, kind, source, at, received_at, place_code, in_fence, mid)
  select collector_id, park_code, id, $2, ${CardSource.granted}, $3, $4, coalesce(place_codes[1], park_code), true, $5 from staff.cell where enterprise_id = scope_enterprise() and id = $1`
/** Both are out of the way of the rule against working twice while they change hands, and meet it when both have. */
const ASIDE = `update staff.cell set state = ${CellState.leave} where enterprise_id = scope_enterprise() and id = any ($1::uuid[])`
const HAND = `update staff.cell e set collector_id = c.id, park_code = c.park_code from staff.collector c
  where e.enterprise_id = scope_enterprise() and e.id = $1 and c.enterprise_id = e.enterprise_id and c.id = $2 and c.on_job = ${OnJob.employed} returning e.id`
const BACK = `update staff.cell set state = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = any ($1::uuid[])`
const AWAY = `select 1 from staff.cell e join staff.cell l on l.enterprise_id = e.enterprise_id and l.collector_id = $2 and l.state = ${CellState.leave} and l.hours && e.hours and l.id <> all ($3::uuid[])
  where e.enterprise_id = scope_enterprise() and e.id = $1`
const UNREST = `delete from staff.cell r using staff.cell e where e.enterprise_id = scope_enterprise() and e.id = $1 and r.enterprise_id = e.enterprise_id and r.collector_id = $2 and r.work_date = e.work_date
  and r.state = ${CellState.rest} returning r.id`
async function give(tx: Tx, hands: readonly (readonly [cellId: string, to: string])[], state: number, at: Instant): Promise<void> {
  const ids = hands.map(([id]) => id)
  // Somebody on leave works for nobody else at that time either; a day of rest gives way.
  for (const [id, to] of hands)
    if ((await run(tx, { sql: AWAY }, [id, to, ids])).length > 0) throw Changed({ who: '接班人', whoEn: 'person taking over' })
  for (const [id, to] of hands) await run(tx, { sql: UNREST }, [id, to])
  await run(tx, { sql: ASIDE }, [ids])
  for (const [id, to] of hands) if ((await run(tx, { sql: HAND }, [id, to])).length === 0) throw Changed({ who: '对方', whoEn: 'colleague' })
  await run(tx, { sql: BACK }, [ids, state, at])
}
