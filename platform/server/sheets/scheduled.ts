import { sql } from 'kysely'
import type { Instant, Of } from '../../contract/field.ts'
import { movable, nextTime, stretchBefore } from '../../contract/rhythm.ts'
import { Rhythm, ScheduledExport, scheduled, ScheduledState, scheduledSearch, StoppedBy } from '../../contract/scheduled.ts'
import type { ExportCall } from '../../contract/sheet.ts'
import { cityTime, instantAt, MINUTE_MS, msOf } from '../../contract/time.ts'
import { run, type Tx } from '../database.ts'
import { announce, event } from '../events.ts'
import { checkerOf } from '../call/input.ts'
import { task } from '../job/jobs.ts'
import { holds } from '../record/kinds.ts'
import { listOver, page } from '../page.ts'
import { askedWhole, hiddenFrom } from '../call/personal.ts'
import { NoPermission, NotFound, Refusal, refusal } from '../refusal.ts'
import { addRow, json, lockRow, removeRow, rowsOver, setRow } from '../row.ts'
import { type Actor, serve } from '../serve.ts'
import { type Standing, standingOf } from '../call/standing.ts'
import type { Speech } from '../../contract/said.ts'
import { queueExport, TooManyWaiting } from './exports.ts'
import { exportNamed } from './source.ts'
import './tables.ts'

/** One stopped by itself. `gone`: its owner's account is. */
export const scheduleStopped = event<{ personId: string; name: string; why: readonly [zh: string, en: string]; gone: boolean }>(
  'sheet.schedule-stopped',
)
const TooMany = refusal(
  'sheet.too-many-scheduled',
  40017,
  '最多 {most} 个定时导出，请先删除不再需要的',
  'You can have {most} scheduled exports at most; delete those no longer needed first',
  422,
)
const WrongDay = refusal(
  'sheet.scheduled-day',
  40018,
  '每周请选周一至周日，每月请选 1 至 31 日',
  'Choose a weekday for a weekly export, a day from 1 to 31 for a monthly one',
  422,
)
const NotMoving = refusal(
  'sheet.scheduled-moving',
  40019,
  '该列表没有可推移的时间条件：{name}；请重新选择',
  'The list has no time range called {name}. Choose another one',
  422,
)

/** Of one person in one enterprise. */
const EACH_MAX = 20
/** Begun in one minute in one enterprise; the rest a minute later. */
const AT_ONCE = 40
const RUNS_SHOWN = 20
/** When its owner has too many exports under way it waits as long. */
const LATER_MS = 5 * MINUTE_MS

type Row = Of<typeof ScheduledExport>
const mine = listOver(ScheduledExport, 'platform.scheduledExport', {
  ...scheduledSearch,
  operators: { ...scheduledSearch.operators, personId: 'equals' },
})
const rows = rowsOver(ScheduledExport, 'platform.scheduledExport', [
  'personId',
  'call',
  'criteria',
  'columns',
  'format',
  'language',
  'rhythm',
  'day',
  'timeOfDay',
  'moving',
  'name',
  'title',
  'titleEn',
  'state',
  'nextAt',
])

export const calls = serve(scheduled, {
  queryPage: ({ tx, input, actor }) => page(tx, mine, { ...input, personId: actor.userId }),

  async add({ tx, input: { call, criteria, name, rhythm, timeOfDay, format, day = null, moving = null, columns = [] }, actor, at, request }) {
    const found = exportFor(actor, call)
    const timing = { rhythm, day: dayFor(rhythm, day), timeOfDay }
    refuseMoving(found, moving)
    const checked = criteriaFor(found, { criteria, format, columns }, actor)
    await refuseMore(tx, actor.userId)
    return addRow(tx, mine, {
      ...{ personId: actor.userId, call, title: found.title[0], titleEn: found.title[1], name, format, moving, ...timing },
      ...{ criteria: json(checked), columns: json(columns), language: request.language === 'zh' ? 0 : 1 },
      nextAt: nextTime(timing, at),
    })
  },

  async update({ tx, input: { id, version, ...changes }, actor, at }) {
    const found = await own(tx, { id, version }, actor)
    const { rhythm, day, timeOfDay, moving, format, columns } = { ...found, ...changes }
    const timing = { rhythm, day: dayFor(rhythm, day), timeOfDay }
    const call = exportFor(actor, found.call)
    refuseMoving(call, moving)
    const checked = criteriaFor(call, { criteria: changes.criteria ?? found.criteria, format, columns }, actor)
    return shown(
      await setRow(
        tx,
        rows,
        found,
        {
          ...changes,
          ...timing,
          criteria: json(checked),
          ...(changes.columns && { columns: json(changes.columns) }),
          nextAt: nextTime(timing, at),
        },
        at,
      ),
    )
  },

  async pause({ tx, input, actor, at }) {
    const found = await own(tx, input, actor)
    if (found.state !== ScheduledState.active) return shown(found)
    return shown(await setRow(tx, rows, found, { state: ScheduledState.paused }, at))
  },

  async resume({ tx, input, actor, at }) {
    const found = await own(tx, input, actor)
    if (found.state === ScheduledState.active) return shown(found)
    criteriaFor(exportFor(actor, found.call), found, actor)
    return shown(await setRow(tx, rows, found, { state: ScheduledState.active, stoppedBy: null, nextAt: nextTime(found, at) }, at))
  },

  delete: async ({ tx, input, actor, at }) => removeRow(tx, rows, await own(tx, input, actor), at),

  async runs({ tx, input: { id }, actor }) {
    const of = await tx
      .selectFrom('platform.scheduledExport')
      .select('id')
      .where('id', '=', id)
      .where('personId', '=', actor.userId)
      .executeTakeFirst()
    if (!of) throw NotFound()
    return run(
      tx,
      {
        sql: `select r.due_at, r.at, r.export_id, f.rows_done as rows, r.said, r.said_en from platform.scheduled_run r
          left join platform.export_file f on f.enterprise_id = r.enterprise_id and f.id = r.export_id
          where r.enterprise_id = scope_enterprise() and r.scheduled_id = $1 order by r.due_at desc limit ${RUNS_SHOWN}`,
      },
      [id],
    )
  },
})

/** Only its owner restores a scheduled export that its owner deleted. @throws NotFound, TooMany */
export async function mayComeBack(tx: Tx, { userId }: Actor, key: string): Promise<void> {
  const found = await tx.selectFrom('platform.scheduledExport').select('personId').where('id', '=', key).executeTakeFirst()
  if (found?.personId !== userId) throw NotFound()
  await refuseMore(tx, userId, EACH_MAX + 1)
}

/** Nobody else's is there. */
async function own(tx: Tx, input: { id: string; version: number }, { userId }: Actor) {
  const found = await lockRow(tx, rows, input)
  if (found.personId !== userId) throw NotFound()
  return found
}
/** Of a row of the table, what its owner is shown. */
const shown = (row: object) =>
  Object.fromEntries(Object.keys(ScheduledExport.properties).map((name) => [name, (row as Record<string, unknown>)[name]])) as Row

/** @throws NotFound, NoPermission */
function exportFor(actor: Pick<Standing, 'may'>, id: string): ExportCall<any> {
  const known = exportNamed(id)
  if (!known) throw NotFound()
  if (!holds(actor as Actor, known.call.needs)) throw NoPermission()
  return known.call
}
/** The criteria after validation by the export's own rules. @throws BadInput */
function criteriaFor(
  call: ExportCall<any>,
  { criteria, format, columns }: { criteria: Record<string, unknown>; format: string; columns: readonly string[] },
  actor: Pick<Standing, 'may'>,
): Record<string, unknown> {
  const {
    format: _,
    columns: __,
    background: ___,
    ...checked
  } = checkerOf(call)({ ...criteria, format, ...(columns.length > 0 && { columns: [...columns] }) })
  askedWhole(call.input)(checked, hiddenFrom(actor))
  return checked
}
function refuseMoving(call: ExportCall<any>, moving: string | null) {
  if (moving !== null && !movable(call.input).includes(moving)) throw NotMoving({ name: moving })
}
const WEEKDAYS = 7
function dayFor(rhythm: number, day: number | null): number | null {
  if (rhythm === Rhythm.daily) return null
  if (day === null || (rhythm === Rhythm.weekly && day > WEEKDAYS)) throw WrongDay()
  return day
}
async function refuseMore(tx: Tx, personId: string, most = EACH_MAX) {
  // One after the other: two at once would both still find a place.
  await run(tx, { sql: "select pg_advisory_xact_lock(hashtextextended('scheduled:' || $1, 0))" }, [personId])
  const [{ n } = { n: 0 }] = await run<{ n: number }>(
    tx,
    { sql: 'select count(*)::int n from platform.scheduled_export where enterprise_id = scope_enterprise() and person_id = $1' },
    [personId],
  )
  if (n >= most) throw TooMany({ most: EACH_MAX })
}

/** Runs the exports that are due, in order; each with the rights that its owner has now. */
export async function runDue(tx: Tx, at: Instant): Promise<void> {
  const due = await run<{ id: string }>(
    tx,
    {
      sql: `select id from platform.scheduled_export where enterprise_id = scope_enterprise() and state = ${ScheduledState.active} and next_at <= $1
        order by next_at limit ${AT_ONCE} for update skip locked`,
    },
    [at],
  )
  for (const { id } of due) await runOne(tx, await lockRow(tx, rows, { id }), at)
}
type Held = Awaited<ReturnType<typeof own>>

async function runOne(tx: Tx, of: Held, at: Instant): Promise<void> {
  const person = await standingOf(tx, of.personId)
  if (!person) return stop(tx, of, StoppedBy.account, at)
  try {
    const exportId = await queued(tx, of, person, at)
    await noted(tx, of, at, { exportId })
    await setRow(tx, rows, of, { nextAt: nextTime(of, at), lastAt: at }, at)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.id === TooManyWaiting({ count: 0 }).id) return void (await setRow(tx, rows, of, { nextAt: instantAt(msOf(at) + LATER_MS) }, at))
    await stop(tx, of, error.id === NoPermission().id ? StoppedBy.rights : StoppedBy.list, at)
  }
}

async function queued(tx: Tx, of: Held, person: Standing, at: Instant): Promise<string> {
  const call = exportFor(person, of.call)
  const stretch = of.moving ? stretchBefore(of.rhythm, at) : undefined
  if (of.moving) refuseMoving(call, of.moving)
  const moved = stretch && { [`${of.moving}From`]: stretch.from, [`${of.moving}To`]: stretch.to }
  const criteria = criteriaFor(call, { criteria: { ...of.criteria, ...moved }, format: of.format, columns: of.columns }, person)
  const language = of.language as Speech
  const title = { title: `${call.title[0]}（${of.name}）`, titleEn: `${call.title[1]} (${of.name})` }
  const name = `${call.title[language]}-${cityTime(at).replaceAll(/\D/g, '')}`
  return queueExport(
    tx,
    { personId: of.personId, call: of.call, ...title, criteria: json(criteria), format: of.format },
    { columns: of.columns, scope: person.scope, hidden: hiddenFrom(person), language, name },
  )
}

async function stop(tx: Tx, of: Held, stoppedBy: 1 | 2 | 3, at: Instant): Promise<void> {
  const [said, saidEn] = StoppedBy.entries[stoppedBy]
  await noted(tx, of, at, { said, saidEn })
  await setRow(tx, rows, of, { state: ScheduledState.stopped, stoppedBy, lastAt: at }, at)
  await announce(tx, scheduleStopped, { personId: of.personId, name: of.name, why: [said, saidEn], gone: stoppedBy === StoppedBy.account })
}
const noted = (tx: Tx, { id, nextAt }: Held, at: Instant, became: { exportId: string } | { said: string; saidEn: string }) =>
  tx
    .insertInto('platform.scheduledRun')
    .values({ scheduledId: id, dueAt: nextAt, at, exportId: null, said: null, saidEn: null, ...became })
    .execute()

export const scheduledTasks = [
  task('platform.scheduled-exports', ({ tx, at }) => runDue(tx, at), { every: '* * * * *' }),
  task(
    'platform.forget-scheduled-runs',
    async ({ tx }) =>
      void (await tx
        .deleteFrom('platform.scheduledRun')
        .where('at', '<', sql<Instant>`now() - interval '90 days'`)
        .execute()),
    { every: '47 2 * * *' },
  ),
]
