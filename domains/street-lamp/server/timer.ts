import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { dayBy, dayOf, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { Timer, timer, TimerKind, timerSearch, TimerStatus, TimerTarget } from '../contract/timer.ts'
import { Source, WIRINGS_MAX, Relay } from '../contract/wiring.ts'
import { ascends, type Circuit, eventsOf, isFresh, isOf, nightOf, type Program, ranked, whyLost, wishOf } from './night.ts'
import { askForPlans, planAnewOf } from './plan.ts'
import { knownOf, programsFor, ruling } from './status.ts'
import { type Place, sunrise, sunset } from './sun.ts'
import { switchAll } from './switching.ts'
import './tables.ts'

type Row = Of<typeof Timer>
const timers = listOver(Timer, 'lamp.timer', timerSearch, { marked: true })

const NameTaken = refusal(
  'lamp.timer-name',
  42216,
  '已有名为「{name}」的定时，请换一个名称',
  'A program named “{name}” already exists: choose another name',
)
const NoSuchTarget = refusal('lamp.timer-target', 42217, '找不到 {code}，请重新选择对象', '{code} was not found: choose the target again', 422)
const NotAscending = refusal(
  'lamp.timer-order',
  42218,
  '{night} 夜的动作没有从中午到次日中午依次递增：{zh}',
  'On the night of {night} the actions are not in order from noon to noon: {en}',
  422,
)
const ByDefault = refusal(
  'lamp.timer-default',
  42219,
  '默认程序（日落开、日出关）不能修改或删除；请新增一个定时，它会优先',
  'The default program (on at sunset, off at sunrise) cannot be changed or deleted: add a program, which takes precedence',
  422,
)
const TimerOff = refusal('lamp.timer-off', 42221, '该定时已停用，请先启用', 'The program is disabled: enable it first', 422)
const NoLight = refusal(
  'lamp.no-light',
  42222,
  '配电箱 {boxCode} 最近 10 分钟没有光照读数，光照定时不能立即执行',
  'Box {boxCode} has no light reading from the last 10 minutes: a light-level program cannot run now',
  422,
)
/** Said of so many nights ahead. */
const NIGHTS = 30

export const calls = serve(timer, {
  query: ({ tx, input }) => page(tx, timers, input),
  async add({ tx, input, at }) {
    const made = { ...input, luxBelow: input.luxBelow ?? null, status: input.status ?? TimerStatus.on }
    await mayStand(tx, made, null, at)
    const row = await addRow(tx, timers, { ...made, actions: json(made.actions), createdAt: at, updatedAt: at })
    return saved(tx, row, [row], at)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, timers, { id, version })
    if (found.target === TimerTarget.byDefault) throw ByDefault()
    await mayStand(tx, { ...found, ...changes }, id, at)
    const row = await setRow(tx, timers, found, { ...changes, ...(changes.actions && { actions: json(changes.actions) }) }, at)
    return saved(tx, row, [found, row], at)
  },
  delete: ({ tx, input, at }) => deleteTimer(tx, input, at),
  execute: ({ tx, input, actor, at }) => execute(tx, input, actor, at),
  calendar: ({ tx, input, at }) => calendar(tx, input, at),
})

type Meant = Pick<Row, 'name' | 'target' | 'targets' | 'kind' | 'dateFrom' | 'dateTo' | 'priority' | 'actions' | 'luxBelow'>
/** Refuses programs that cannot be. Overlapping is allowed: the result names which one rules. */
async function mayStand(tx: Tx, one: Meant, id: string | null, at: Instant): Promise<void> {
  if (one.target === TimerTarget.byDefault) throw ByDefault()
  if (one.priority < 1) throw BadInput({ zh: '优先级 1 到 99', en: 'the priority must be 1 to 99' })
  if (one.dateFrom > one.dateTo) throw BadInput({ zh: '结束日期早于开始日期', en: 'the end date is before the start date' })
  if (one.targets.length === 0) throw BadInput({ zh: '请选择对象', en: 'choose a target' })
  const byLight = one.kind === TimerKind.lux || one.kind === TimerKind.sunAndLux
  if (byLight && one.luxBelow === null) throw BadInput({ zh: '光照方式请填写光照阈值', en: 'enter the light threshold of a light-level program' })
  if (!byLight && one.luxBelow !== null)
    throw BadInput({ zh: '光照阈值只用于光照方式，请清空', en: 'a light threshold is only for light-level programs: clear it' })
  if (one.kind === TimerKind.lux && one.actions.length > 0)
    throw BadInput({ zh: '光照方式没有动作，请删除动作', en: 'light-level programs have no actions: remove them' })
  if (one.kind !== TimerKind.lux && one.actions.length === 0) throw BadInput({ zh: '请至少添加一个动作', en: 'add at least one action' })
  if (one.actions.some(({ relay, dim }) => (relay === Relay.on) !== dim > 0))
    throw BadInput({ zh: '合闸的亮度为 1 到 100，断开为 0', en: 'the dim level is 1 to 100 for on and 0 for off' })
  if (one.kind === TimerKind.clock && one.actions.some(({ at: when }) => when.startsWith('sun')))
    throw BadInput({ zh: '固定时刻方式只用时刻', en: 'fixed-time programs only use times of day' })
  const sql = `select 1 from lamp.timer where enterprise_id = scope_enterprise() and name = $1 and not deleted and target <> ${TimerTarget.byDefault} and id is distinct from $2`
  if ((await run(tx, { sql }, [one.name, id])).length > 0) throw NameTaken({ name: one.name })
  await inOrder(one, await placeOf(tx, one), at)
}

/** All that it names is there. Answers with the place of the first of them: the sun of one district sets within a minute. */
async function placeOf(tx: Tx, { target, targets }: Pick<Row, 'target' | 'targets'>): Promise<Place> {
  const rows = await run<Place & { code: string }>(tx, { sql: PLACES[target]! }, [targets])
  const missing = targets.find((code) => !rows.some((row) => row.code === code))
  if (missing !== undefined) throw NoSuchTarget({ code: missing })
  return rows[0]!
}
const PLACES: Record<number, string> = {
  [TimerTarget.boxes]: 'select box_code as code, lng, lat from lamp.box where enterprise_id = scope_enterprise() and box_code = any($1)',
  [TimerTarget.wirings]:
    'select w.wiring_code as code, b.lng, b.lat from lamp.wiring w join lamp.box b on b.enterprise_id = w.enterprise_id and b.box_code = w.box_code where w.enterprise_id = scope_enterprise() and w.wiring_code = any($1)',
  [TimerTarget.regions]:
    'select r.code, b.lng, b.lat from unnest($1::text[]) r(code) cross join lateral (select lng, lat from lamp.box where enterprise_id = scope_enterprise() and region_code ^@ platform.region_prefix(r.code) limit 1) b',
}
/** Looked at through a whole year, because the sun moves and the clock does not. */
const EVERY_DAYS = 5
async function inOrder({ actions }: Pick<Row, 'actions'>, place: Place, at: Instant): Promise<void> {
  for (let n = 0; n <= 366; n += EVERY_DAYS) {
    const night = dayBy(dayOf(at), n)
    if (!ascends(actions, night, place)) throw NotAscending({ night, ...said(actions, night, place) })
  }
}
const said = (actions: Row['actions'], night: Day, place: Place) => {
  const words = eventsOf({ actions }, night, place)
    .map((one, n) => `${actions[n]!.at}=${hour(one.at)}`)
    .join(', ')
  return { zh: words, en: words }
}
const hour = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(11, 16)

/** Returns a saved program with its effect in the nights to come; the boxes get new plans. */
async function saved(tx: Tx, row: Row, changed: readonly Row[], at: Instant) {
  await planAnewOf(tx, changed)
  await askForPlans(tx)
  return { id: row.id, version: row.version, nights: await outcome(tx, row, at) }
}
async function outcome(tx: Tx, row: Row, at: Instant) {
  const circuits = await run<Circuit>(tx, { sql: CIRCUITS }, [row.target, row.targets])
  const rules = ruling(await programsFor(tx, circuits, at, NIGHTS + 1))
  // Circuits under the same programs fare alike: a district is a handful of cases.
  const cases = new Map<string, { programs: Program[]; count: number }>()
  for (const circuit of circuits) {
    const programs = rules.of(circuit).filter(({ target }) => target !== TimerTarget.byDefault)
    const key = programs.map(({ id }) => id).join()
    const known = cases.get(key)
    if (known) known.count++
    else cases.set(key, { programs, count: 1 })
  }
  return Array.from({ length: NIGHTS }, (_, n) => dayBy(nightOf(msOf(at)), n)).map((date) => nightOutcome(date, [...cases.values()]))
}
const CIRCUITS = `select w.wiring_code, w.box_code, b.region_code, b.lng, b.lat from lamp.wiring w join lamp.box b on b.enterprise_id = w.enterprise_id and b.box_code = w.box_code where w.enterprise_id = scope_enterprise()
  and case $1::int when 2 then w.wiring_code = any($2::text[]) when 3 then exists (select from unnest($2::text[]) r where b.region_code ^@ platform.region_prefix(r)) else w.box_code = any($2::text[]) end limit ${WIRINGS_MAX}`
function nightOutcome(date: Day, cases: readonly { programs: Program[]; count: number }[]) {
  const winners = new Map<string, { timerId: Row['id']; name: string; circuits: number }>()
  const losers = new Map<string, { timerId: Row['id']; name: string; why: 1 | 2 | 3; circuits: number }>()
  for (const { programs, count } of cases) {
    const [winner, ...rest] = ranked(programs, date)
    if (!winner) continue
    const known = winners.get(winner.id)
    winners.set(winner.id, { timerId: winner.id, name: winner.name, circuits: count + (known?.circuits ?? 0) })
    for (const one of rest)
      losers.set(one.id, { timerId: one.id, name: one.name, why: whyLost(winner, one), circuits: count + (losers.get(one.id)?.circuits ?? 0) })
  }
  return { date, winners: [...winners.values()], losers: [...losers.values()] }
}

/** One in force goes on to the noon that ends its night: no street goes dark because somebody tidied up. */
async function deleteTimer(tx: Tx, { id, version }: Pick<Row, 'id' | 'version'>, at: Instant): Promise<void> {
  const found = await lockRow(tx, timers, { id, version })
  if (found.target === TimerTarget.byDefault) throw ByDefault()
  const night = nightOf(msOf(at))
  const begun = found.dateFrom <= night && found.dateTo >= night
  const ends = begun ? { dateTo: night } : { status: TimerStatus.off }
  await setRow(tx, timers, found, { ...ends, deleted: true }, at)
  await planAnewOf(tx, [found])
  await askForPlans(tx)
}

/** Switches circuits by hand to what the program wants this minute: this holds until the next event of the program that rules the circuit. */
async function execute(tx: Tx, input: Of<typeof timer.execute.input>, actor: Actor, at: Instant) {
  const found = await lockRow(tx, timers, { id: input.id })
  if (found.status !== TimerStatus.on) throw TimerOff()
  const circuits = await run<{ id: string; boxCode: string }>(tx, { sql: CIRCUIT_IDS }, [found.target, found.targets, input.boxCodes ?? null])
  if (circuits.length === 0) throw NotFound()
  const rows = await knownOf(
    tx,
    circuits.map(({ id }) => id),
  )
  if (found.kind === TimerKind.lux) {
    const blind = rows.find((row) => !isFresh(row, msOf(at)))
    if (blind) throw NoLight({ boxCode: blind.boxCode })
  }
  const wishFor = (row: (typeof rows)[number]) => wishOf(found, row, msOf(at), row) as { relay: 0 | 1; dim: number }
  return switchAll(
    tx,
    { rows, wishFor, untilAt: null, reason: input.reason ?? found.name, source: Source.program, confirm: input.confirm, actor },
    at,
  )
}
const CIRCUIT_IDS = `select w.id, w.box_code from lamp.wiring w join lamp.box b on b.enterprise_id = w.enterprise_id and b.box_code = w.box_code where w.enterprise_id = scope_enterprise() and ($3::text[] is null or w.box_code = any($3))
  and case $1::int when 2 then w.wiring_code = any($2::text[]) when 3 then exists (select from unnest($2::text[]) r where b.region_code ^@ platform.region_prefix(r)) else w.box_code = any($2::text[]) end order by w.box_code, w.circuit_no limit ${WIRINGS_MAX}`

const AHEAD_DAYS_MAX = 3_653
/** Night by night what rules a circuit, and what stands back behind it. */
async function calendar(tx: Tx, { wiringId, dateFrom, days }: Of<typeof timer.calendar.input>, at: Instant) {
  if (dateFrom > dayBy(dayOf(at), AHEAD_DAYS_MAX)) throw BadInput({ zh: '最多可查看今后十年', en: 'look ahead ten years at most' })
  const [row] = await knownOf(tx, [wiringId])
  if (!row) throw NotFound()
  const first = msOf(instantAt(Date.parse(`${dateFrom}T12:00:00+08:00`)))
  const programs = (await programsFor(tx, [row], instantAt(first), days + 1)).filter((one) => isOf(one, row))
  return Array.from({ length: days }, (_, n) => dayBy(dateFrom, n)).flatMap((date) => {
    const [winner, ...rest] = ranked(programs, date)
    if (!winner) return []
    return [
      {
        date,
        sunset: instantAt(sunset(date, row)),
        sunrise: instantAt(sunrise(dayBy(date, 1), row)),
        winner: { timerId: winner.id, name: winner.name },
        losers: rest.map((one) => ({ timerId: one.id, name: one.name, why: whyLost(winner, one) })),
        events: eventsOf(winner, date, row).map((one) => ({ ...one, at: instantAt(one.at) })),
      },
    ]
  })
}
