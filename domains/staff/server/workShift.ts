import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { WorkShift, workShift, workShiftSearch, WorkShiftStatus } from '../contract/workShift.ts'
import './tables.ts'

type Shift = Of<typeof WorkShift>
const shifts = listOver(WorkShift, 'staff.workShift', workShiftSearch)
const NameTaken = refusal(
  'staff.shift-name',
  41915,
  '已有名为「{name}」的班次，请换一个名称',
  'A work shift named “{name}” already exists: choose another name',
)
const Used = refusal('staff.shift-used', 41916, '班次「{name}」已用于排班，只能停用', 'Shift “{name}” is used in rosters: disable it instead')
const WouldOverlap = refusal(
  'staff.shift-would-overlap',
  41917,
  '新时段会使已排的班重叠，请先调整排班或推后应用日期',
  'These hours would make rostered shifts overlap: change the roster first, or apply them from a later day',
)

export const calls = serve(workShift, {
  query: ({ tx, input }) => page(tx, shifts, input),
  pick: ({ tx }) => run(tx, { sql: PICK }, []),
  async save({ tx, input }) {
    await nameFree(tx, input.name)
    const workMin = minutesOf(input)
    await addRow(tx, shifts, { ...USUAL, ...input, workMin, segments: json(input.segments) })
  },
  async update({ tx, input: { id, version, applyFrom, segments, ...changes }, at }) {
    const found = await lockRow(tx, shifts, { id, version })
    if (changes.name !== undefined) await nameFree(tx, changes.name, id)
    const workMin = minutesOf({ ...found, ...changes, segments: segments ?? found.segments })
    await setRow(tx, shifts, found, { ...changes, workMin, ...(segments && { segments: json(segments) }) }, at)
    return { changed: applyFrom ? await apply(tx, id, applyFrom, at) : 0 }
  },
  async delete({ tx, input: { id }, at }) {
    const found = await lockRow(tx, shifts, { id })
    const used = 'select 1 from staff.cell where enterprise_id = scope_enterprise() and shift_id = $1 limit 1'
    if ((await run(tx, { sql: used }, [id])).length) throw Used({ name: found.name })
    await removeRow(tx, shifts, found, at)
  },
})
const PICK = `select ${Object.keys(WorkShift.properties)
  .map((name) => name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`))
  .join(
    ', ',
  )} from staff.work_shift where enterprise_id = scope_enterprise() and status = ${WorkShiftStatus.enabled} order by segments -> 0 ->> 'from', name limit 500`
const USUAL = {
  lateGraceMin: 5,
  earlyGraceMin: 5,
  checkInFromMin: 30,
  checkOutToMin: 60,
  restMin: 0,
  color: '#1677ff',
  status: WorkShiftStatus.enabled,
}

async function nameFree(tx: Tx, name: string, but: string | null = null): Promise<void> {
  const sql = 'select 1 from staff.work_shift where enterprise_id = scope_enterprise() and name = $1 and id is distinct from $2'
  if ((await run(tx, { sql }, [name, but])).length) throw NameTaken({ name })
}

const DAY_MIN = 1440
const at = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
/** Returns the working minutes of the segments: they follow one another within a day from the first; breaks do not count. */
export function minutesOf({ segments, restMin = 0 }: Pick<Shift, 'segments'> & { restMin?: number }): number {
  if (segments.length === 0) throw BadInput({ zh: '请填写时段', en: 'enter the hours' })
  const first = at(segments[0]!.from)
  let end = first
  let worked = 0
  for (const { from, to } of segments) {
    const begins = at(from) + (at(from) < first ? DAY_MIN : 0)
    const ends = at(to) + (at(from) < first || at(to) <= at(from) ? DAY_MIN : 0)
    if (begins < end || ends <= begins || ends > first + DAY_MIN)
      throw BadInput({ zh: '时段须依次排列、互不重叠，合计不超过 24 小时', en: 'hours must be in order, not overlap, and fit within 24 hours' })
    worked += ends - begins
    end = ends
  }
  if (restMin >= worked) throw BadInput({ zh: '休息须短于工作时长', en: 'the break must be shorter than the work' })
  return worked - restMin
}

/** Cells from a day on that have not begun take the shift as it is now. */
async function apply(tx: Tx, shiftId: string, from: string, at: Instant): Promise<number> {
  const done = await run<{ id: string }>(tx, { sql: APPLY }, [shiftId, from, at]).catch((error: { code?: string }) => {
    throw error.code === OVERLAP ? WouldOverlap() : error
  })
  return done.length
}
export const OVERLAP = '23P01'
const APPLY = `update staff.cell c set shift_name = n.name, hours = n.hours, start_at = lower(n.hours), end_at = upper(n.hours), planned_min = n.work_min, late_grace_min = n.late_grace_min,
    early_grace_min = n.early_grace_min, check_in_from_min = n.check_in_from_min, check_out_to_min = n.check_out_to_min, version = c.version + 1, updated_at = $3
  from (select e.id, staff.hours_of(s.segments, e.work_date) as hours, s.name, s.work_min, s.late_grace_min, s.early_grace_min, s.check_in_from_min, s.check_out_to_min
    from staff.work_shift s join staff.cell e on e.enterprise_id = s.enterprise_id and e.shift_id = s.id
    where s.enterprise_id = scope_enterprise() and s.id = $1 and e.work_date >= $2 and e.start_at > $3) n
  where c.enterprise_id = scope_enterprise() and c.id = n.id and lower(n.hours) > $3 returning c.id`
