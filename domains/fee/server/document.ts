import { plural } from '../../../platform/contract/plural.ts'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { type LintOf, type Rule, RuleStatus } from '../contract/rule.ts'
import { type Frequency, type Hour, type Segment, type Step, SegmentMode } from '../contract/segment.ts'
import type { Tariff } from '../contract/tariff.ts'
import { type TableSegment, tariffOfTables } from './catalogue.ts'
import { calendarOf } from './holiday.ts'
import { clockText } from './civil.ts'
import { lintApart } from './apart.ts'
import type { Around } from './lintExamples.ts'
import './tables.ts'

export type RuleRow = Of<typeof Rule>
type SegmentRow = Of<typeof Segment>
interface Tables {
  segments: SegmentRow[]
  frequencies: Map<string, Of<typeof Frequency>>
  hours: Map<string, Of<typeof Hour>>
  steps: Map<string, Of<typeof Step>[]>
}

/** The tariff of a version; none while its tables have `holes`. `around`: it is still to be looked through. */
export type Drawn = { tariff: Tariff; around?: Around } | { tariff: null; holes: LintOf[] }
/** Its frozen document, or its tables as they stand. */
export async function tariffOf(tx: Tx, rule: RuleRow, document: Tariff | null, at: Instant): Promise<Drawn> {
  const around = async (): Promise<Around> => ({ at, calendar: await calendarOf(tx), from: rule.effectiveFrom, to: rule.effectiveTo })
  if (document) return { tariff: document, ...(rule.status === RuleStatus.draft && { around: await around() }) }
  const tables = await tablesOf(tx, rule.id)
  const holes = lintTables(tables)
  if (holes.length) return { tariff: null, holes }
  const tariff = tariffOfTables({ ...rule, segments: tables.segments.map((segment) => tableSegment(segment, tables)) })
  return { tariff, around: await around() }
}
/** Returns the faults that keep a document from being published, and the warnings. */
export async function lintOf(drawn: Drawn): Promise<LintOf[]> {
  if (drawn.tariff === null) return drawn.holes
  return drawn.around ? lintApart(drawn.tariff, drawn.around) : []
}

async function tablesOf(tx: Tx, ruleVersionId: string): Promise<Tables> {
  const segments = (await tx
    .selectFrom('fee.segment')
    .selectAll()
    .where('ruleVersionId', '=', ruleVersionId)
    .orderBy('from')
    .orderBy('id')
    .execute()) as SegmentRow[]
  const ids = segments.map(({ id }) => id)
  if (ids.length === 0) return { segments, frequencies: new Map(), hours: new Map(), steps: new Map() }
  const [frequencies, hours, steps] = await Promise.all([
    tx.selectFrom('fee.frequency').selectAll().where('segmentId', 'in', ids).execute(),
    tx.selectFrom('fee.hour').selectAll().where('segmentId', 'in', ids).execute(),
    tx.selectFrom('fee.step').selectAll().where('segmentId', 'in', ids).orderBy('upToMin').execute(),
  ])
  return {
    segments,
    frequencies: new Map(frequencies.map((row) => [row.segmentId, row])),
    hours: new Map(hours.map((row) => [row.segmentId, row])),
    steps: Map.groupBy(steps, ({ segmentId }) => segmentId),
  }
}

export const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Tables with holes cannot be priced, so no stay shows what is missing. */
const wrong = (code: string, zh: string, en: string, minute: number): LintOf => ({ level: 'error', code, minute, zh, en, examples: [] })
/** Returns faults of tables that are not a tariff at all yet. */
function lintTables({ segments, frequencies, hours, steps }: Tables): LintOf[] {
  if (segments.length === 0) return [wrong('empty', '没有任何时段，每一分钟都未覆盖', 'There are no bands: no minute of the day is covered', 0)]
  return segments.flatMap(({ id, mode, from, to }) => {
    const span = `${from}–${to}`
    const minute = minutesOf(from)
    if (mode === SegmentMode.byVisit && !frequencies.has(id))
      return [wrong('price', `时段 ${span} 没有按次价格`, `Band ${span} has no price by visit`, minute)]
    if (mode === SegmentMode.byHour && !hours.has(id))
      return [wrong('price', `时段 ${span} 没有按时价格`, `Band ${span} has no price by hour`, minute)]
    return mode === SegmentMode.byStep ? lintSteps(steps.get(id) ?? [], span, minute) : []
  })
}
function lintSteps(steps: Of<typeof Step>[], span: string, minute: number): LintOf[] {
  const ascending = steps.filter(({ upToMin }) => upToMin !== null)
  const found: LintOf[] = []
  if (ascending.length === 0) found.push(wrong('price', `时段 ${span} 没有阶梯价格`, `Band ${span} has no steps`, minute))
  if (ascending.length === steps.length)
    found.push(wrong('over', `时段 ${span} 没有超出阶梯后的单价`, `Band ${span} has no price beyond its last step`, minute))
  ascending.forEach(({ upToMin, totalFen }, i) => {
    const before = ascending[i - 1]
    if (before && totalFen! < before.totalFen!)
      found.push(
        wrong(
          'steps',
          `时段 ${span} 的阶梯金额在 ${upToMin} 分钟处下降`,
          `The steps of band ${span} drop in price at ${upToMin} ${plural(upToMin, 'minute')}`,
          minute,
        ),
      )
  })
  return found
}

function tableSegment({ id, name, from, to, dayType, capFen, mode }: SegmentRow, { frequencies, hours, steps }: Tables): TableSegment {
  const base = { name, fromMin: minutesOf(from), toMin: minutesOf(to), dayType, capFen }
  if (mode === SegmentMode.free) return { ...base, price: { mode } }
  if (mode === SegmentMode.byVisit) return { ...base, price: { mode, amountFen: frequencies.get(id)!.amountFen } }
  if (mode === SegmentMode.byHour) {
    const { firstMin, firstFen, unitMin, unitFen } = hours.get(id)!
    return { ...base, price: { mode, firstMin, firstFen, unitMin, unitFen } }
  }
  const rows = steps.get(id)!
  const over = rows.find(({ overUnitMin }) => overUnitMin !== null)!
  const ascending = rows.filter(({ upToMin }) => upToMin !== null).map(({ upToMin, totalFen }) => ({ upToMin: upToMin!, totalFen: totalFen! }))
  return { ...base, price: { mode, steps: ascending, overUnitMin: over.overUnitMin!, overUnitFen: over.overUnitFen! } }
}

/** Copies the tables of one version to another, for a new draft. */
export async function copyTables(tx: Tx, from: string, to: string): Promise<void> {
  const { segments, frequencies, hours, steps } = await tablesOf(tx, from)
  for (const { id, name, from, to: end, dayType, mode, capFen } of segments) {
    const made = await tx
      .insertInto('fee.segment')
      .values({ ruleVersionId: to, name, from, to: end, dayType, mode, capFen })
      .returning('id')
      .executeTakeFirstOrThrow()
    const segmentId = made.id
    const visit = frequencies.get(id)
    const hour = hours.get(id)
    if (visit) await tx.insertInto('fee.frequency').values({ segmentId, amountFen: visit.amountFen }).execute()
    if (hour) {
      const { firstMin, firstFen, unitMin, unitFen } = hour
      await tx.insertInto('fee.hour').values({ segmentId, firstMin, firstFen, unitMin, unitFen }).execute()
    }
    for (const { upToMin, totalFen, overUnitMin, overUnitFen } of steps.get(id) ?? [])
      await tx.insertInto('fee.step').values({ segmentId, upToMin, totalFen, overUnitMin, overUnitFen }).execute()
  }
}
export const gapText = ({ fromMin, toMin, mask }: { fromMin: number; toMin: number; mask: number }) => ({
  from: clockText(fromMin),
  to: clockText(toMin),
  dayType: mask,
})
