import type { Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { cityTime, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { MessageKind } from '../../message/contract/template.ts'
import { recall, sendInner } from '../../message/server/api.ts'
import {
  Danger,
  danger,
  dangerCan,
  DangerKind,
  DangerLevel,
  dangerSearch,
  DangerSource,
  DangerState,
  DEADLINE_HOURS,
  PICTURE_FROM,
} from '../contract/danger.ts'
import { handlerOf, handlersOf } from './handlers.ts'
import { gunsShown, gunTopic } from './said.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const OwnWork = refusal(
  'charging.danger-own',
  41387,
  '整改人不能复查自己的整改，请由他人复查',
  'The person who fixed it cannot review it: ask somebody else',
)
const NoteNeeded = refusal(
  'charging.danger-note',
  41328,
  '请填写说明：采取了什么措施，或为什么退回',
  'Enter a note: what was done, or why it is sent back',
  422,
)
const PictureNeeded = refusal(
  'charging.danger-picture',
  41329,
  '较大及以上隐患请上传整改照片后再提交复查',
  'Upload a picture of the fix before you submit a high or critical hazard for review',
  422,
)
const ElsewhereGun = refusal(
  'charging.danger-gun',
  41388,
  '该充电枪不在这个充电站，请选择本站的充电枪',
  'This connector is not at that station: choose one of that station',
  422,
)

export const dangers = listOver(Danger, 'charging.danger', dangerSearch)
export const dangerTopic = topic('charging.danger', 'charging:danger:view')
type Row = Of<typeof Danger>

export const calls = serve(danger, {
  query: ({ tx, input }) => page(tx, dangers, input),
  export: exporting(danger.export, dangers),
  insert: ({ tx, input, at }) => found(tx, { ...input, source: DangerSource.person, at }),
  async detail({ tx, input }) {
    const row = await find(tx, dangers, input.id)
    if (!row) throw NotFound()
    return row
  },
  handlers: ({ tx, input }) => handlersOf(tx, danger.update.needs, input.parkCode ?? null),
  async update({ tx, input: { id, version, state, note, images, handlerId }, actor, at }) {
    const row = await lockRow(tx, dangers, { id, version })
    if (handlerId && state === row.state) return assigned(tx, row, handlerId, actor, at)
    const next = [dangerCan.work, dangerCan.submit, dangerCan.close, dangerCan.giveBack].map((can) => can(row.state)).find((one) => one === state)
    if (next === undefined) throw IllegalMove({ state: row.state })
    if (row.state === DangerState.review && row.handlerId === actor.userId) throw OwnWork()
    mustSay(row, next, { note, images: images ?? row.images })
    const said = { ...(note && { note }), ...(images && { images }) }
    const made = await setRow(tx, dangers, row, { state: next, late: isLate(row, at), ...said, ...whoDid(next, row, actor, at) }, at)
    if (next === DangerState.closed) await recall(tx, aboutOf(made).concerns, at)
    if (row.state === DangerState.review && next === DangerState.working && row.handlerId) await tellHandler(tx, made, row.handlerId, SENT_BACK)
    return told(tx, made)
  },
  async hiddenDangerCount({ tx, input }) {
    const values = valuesOf(input)
    const [rows, byKind, byDay] = await Promise.all([BY_LEVEL, BY_KIND, BY_DAY].map((sql) => run(tx, { sql }, values)))
    return { rows, byKind, byDay } as Of<typeof danger.hiddenDangerCount.reply>
  },
  async hiddenDangerCnt({ tx, input }) {
    const [counted] = await run<Counted>(tx, { sql: CNT }, valuesOf(input))
    const { total, open } = counted!
    return { ...counted!, closedRate: permilleOf(total - open, total) }
  },
})

/** What was past its deadline once stays so, also when it is put right after all. */
const isLate = ({ late, deadline }: Row, at: Instant): boolean => late || msOf(deadline) < msOf(at)
/** Who hands it in says what was done, and shows it where it is grave; who sends it back says why. @throws NoteNeeded, PictureNeeded */
function mustSay({ level, state }: Row, next: Row['state'], { note, images }: { note?: string | undefined; images: string | null }): void {
  const handsIn = next === DangerState.review
  if ((handsIn || (state === DangerState.review && next === DangerState.working)) && !note) throw NoteNeeded()
  if (handsIn && level >= PICTURE_FROM && !images) throw PictureNeeded()
}
const GIVES: readonly number[] = [DangerState.waiting, DangerState.working, DangerState.overdue]
/** It is somebody's to put right, and they hear of it. */
async function assigned(tx: Tx, row: Row, handlerId: string, { userId }: { userId: string }, at: Instant): Promise<Row> {
  if (!GIVES.includes(row.state)) throw IllegalMove({ state: row.state })
  const { id, name } = await handlerOf(tx, danger.update.needs, { parkCode: row.parkCode, handlerId })
  const made = await setRow(tx, dangers, row, { handler: name, handlerId: id }, at)
  if (id !== userId && id !== row.handlerId) await tellHandler(tx, made, id, YOURS)
  return told(tx, made)
}
const aboutOf = ({ id }: Row) => ({ link: `/recharge/chargingDanger/${id}`, concerns: `charging.danger:${id}`, kind: MessageKind.alarm })
const YOURS = ['充电隐患派给您整改', 'A safety hazard is yours to fix'] as const
const SENT_BACK = ['隐患复查未通过，请继续整改', 'A safety hazard was sent back: go on fixing it'] as const
const tellHandler = (tx: Tx, row: Row, custId: string, [zh, en]: readonly [string, string]) =>
  sendInner(tx, {
    ...aboutOf(row),
    to: { custId },
    kind: MessageKind.reminder,
    title: [`${zh}：${row.dangerNo}`, `${en}: ${row.dangerNo}`],
    body: [
      `${DangerKind.entries[row.kind][0]}，${DangerLevel.entries[row.level][0]}，期限 ${cityTime(row.deadline)}`,
      `${DangerKind.entries[row.kind][1]}, ${DangerLevel.entries[row.level][1]}, due ${cityTime(row.deadline)}`,
    ],
  })
/** Whose work it is, and who looked at it. */
function whoDid(next: Row['state'], { state }: Row, { userId, userName }: { userId: string; userName: string }, at: Instant) {
  if (next === DangerState.closed) return { reviewer: userName, closedAt: at }
  return state === DangerState.review ? { reviewer: userName } : { handler: userName, handlerId: userId as Row['handlerId'] }
}

type Counted = Omit<Of<typeof danger.hiddenDangerCnt.reply>, 'closedRate'>
type Filter = Of<typeof danger.hiddenDangerCnt.input>
const valuesOf = ({ stationId, foundAtFrom, foundAtTo }: Filter) => [stationId ?? null, foundAtFrom ?? null, foundAtTo ?? null]
const WITHIN = `enterprise_id = scope_enterprise() and ($1::text is null or station_id = $1) and ($2::timestamptz is null or found_at >= $2) and ($3::timestamptz is null or found_at <= $3)`
const DAY = `(found_at at time zone 'Asia/Shanghai')::date`
const BY_LEVEL = `select level, state, count(*)::int as count from charging.danger where ${WITHIN} group by level, state order by level desc, state`
const BY_KIND = `select kind, count(*)::int as count from charging.danger where ${WITHIN} group by kind order by count(*) desc, kind`
/** Of the dangers found on a day, how many are closed by now. */
const BY_DAY = `select ${DAY} as day, count(*)::int as found, (count(*) filter (where state = ${DangerState.closed}))::int as closed from charging.danger where ${WITHIN} group by 1 order by 1`
const CNT = `select count(*)::int as total, (count(*) filter (where state <> ${DangerState.closed}))::int as open, (count(*) filter (where state <> ${DangerState.closed} and late))::int as overdue,
    (count(*) filter (where state = ${DangerState.closed} and late))::int as closed_late
  from charging.danger where ${WITHIN}`

type Told = Pick<Row, 'stationId' | 'level' | 'kind' | 'source'> & {
  connectorId?: string | null | undefined
  description?: string | null | undefined
  at: Instant
}
/** A danger is found, and has so many hours. Of a grave one everybody on duty hears at once. @throws NotFound, ElsewhereGun */
export async function found(tx: Tx, { stationId, level, kind, source, connectorId = null, description = null, at }: Told): Promise<Row> {
  const [station] = await run<{ parkCode: string; stationName: string; holds: boolean }>(tx, { sql: STATION }, [stationId, connectorId])
  if (!station) throw NotFound()
  if (!station.holds) throw ElsewhereGun()
  const deadline = instantAt(msOf(at) + DEADLINE_HOURS[level] * 60 * MINUTE_MS)
  const [made] = await run<{ id: string }>(tx, { sql: ADD }, [
    stationId,
    connectorId,
    station.parkCode,
    level,
    kind,
    source,
    at,
    deadline,
    description,
  ])
  const row = (await find(tx, dangers, made!.id))!
  if (level === DangerLevel.grave)
    await sendInner(tx, {
      to: { capability: danger.update.needs, parkCode: station.parkCode },
      title: [`重大隐患：${station.stationName}`, `Critical hazard: ${station.stationName}`],
      body: [
        `${DangerKind.entries[kind][0]}，${DEADLINE_HOURS[level]} 小时内整改；该站已停止新的充电`,
        `${DangerKind.entries[kind][1]}: fix it within ${DEADLINE_HOURS[level]} hours; the station starts no new sessions`,
      ],
      ...aboutOf(row),
      urgent: true,
    })
  return told(tx, row)
}
const STATION = `select s.park_code, s.station_name, $2::text is null or exists (select from charging.connector c where c.enterprise_id = s.enterprise_id and c.station_id = s.station_id and c.connector_id = $2) as holds
  from charging.station s where s.enterprise_id = scope_enterprise() and s.station_id = $1`
const ADD = `insert into charging.danger (station_id, connector_id, park_code, level, kind, source, found_at, deadline, description) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`
async function told(tx: Tx, row: Row): Promise<Row> {
  await tell(tx, dangerTopic, { park: row.parkCode, ids: [row.id] })
  if (row.level === DangerLevel.grave) await gunsHeld(tx, row)
  return row
}
/** A grave danger holds all guns of its station, or no longer does. */
async function gunsHeld(tx: Tx, { stationId, parkCode }: Row): Promise<void> {
  const connectorIds = (await run<{ connectorId: string }>(tx, { sql: GUNS_AT }, [stationId])).map(({ connectorId }) => connectorId)
  if (connectorIds.length === 0) return
  await announce(tx, gunsShown, { connectorIds })
  await tell(tx, gunTopic, { park: parkCode, ids: connectorIds })
}
const GUNS_AT = 'select connector_id from charging.connector where enterprise_id = scope_enterprise() and station_id = $1 order by connector_id'

/** A grave danger keeps its whole station from starting anything new. */
export async function blockedByDanger(tx: Tx, { stationId }: { stationId: string }): Promise<{ zh: string; en: string } | undefined> {
  const [grave] = await run<{ dangerNo: string }>(tx, { sql: GRAVE }, [stationId])
  return (
    grave && {
      zh: `该站有重大隐患（${grave.dangerNo}），整改前不能充电`,
      en: `The station has a critical hazard (${grave.dangerNo}) and cannot charge until it is fixed`,
    }
  )
}
const GRAVE = 'select danger_no from (select charging.grave_danger(scope_enterprise(), $1) as danger_no) d where danger_no is not null'

/** From these temperatures of a plug on, in degrees. */
const HOT_C = 90
const GRAVELY_HOT_C = 105
/** What passes its deadline says so, once: whoever takes it up then, or has handed it in, is not put back. What plugs measured in the last minutes is looked at. */
export const watchTask = task(
  'charging.danger-watch',
  async ({ tx, at }) => {
    for (const { id } of await run<{ id: string }>(tx, { sql: OVERDUE }, [at])) {
      const row = await lockRow(tx, dangers, { id })
      await told(tx, await setRow(tx, dangers, row, { late: true, state: dangerCan.lapse(row.state) ?? row.state }, at))
    }
    for (const { stationId, connectorId, temperatureC } of await run<Hot>(tx, { sql: HOT }, [instantAt(msOf(at) - LOOKS_BACK_MIN * MINUTE_MS)]))
      await found(tx, {
        ...{ stationId, connectorId, kind: DangerKind.heat, source: DangerSource.telemetry, description: Said.hot({ temperatureC }), at },
        level: temperatureC >= GRAVELY_HOT_C ? DangerLevel.grave : DangerLevel.high,
      })
  },
  { every: '* * * * *' },
)
const LOOKS_BACK_MIN = 3
type Hot = { stationId: string; connectorId: string; temperatureC: number }
const OVERDUE = `select id from charging.danger where enterprise_id = scope_enterprise() and state <> ${DangerState.closed} and not late and deadline < $1 order by deadline, id limit 500 for update skip locked`
/** Each gun once for a level, as long as that danger is not closed. */
const HOT = `select c.station_id, c.connector_id, max(m.temperature_c)::int as temperature_c from charging.meter_sample m
    join charging.connector c on c.enterprise_id = m.enterprise_id and c.connector_id = m.connector_id
  where m.enterprise_id = scope_enterprise() and m.at >= $1 and m.temperature_c >= ${HOT_C}
  group by c.enterprise_id, c.station_id, c.connector_id
  having not exists (select from charging.danger d where d.enterprise_id = c.enterprise_id and d.connector_id = c.connector_id and d.kind = ${DangerKind.heat} and d.state <> ${DangerState.closed}
    and d.source = ${DangerSource.telemetry} and d.level >= case when max(m.temperature_c) >= ${GRAVELY_HOT_C} then ${DangerLevel.grave} else ${DangerLevel.high} end)`
