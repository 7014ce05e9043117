import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { task } from '../../../platform/server/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { sendInner } from '../../message/server/api.ts'
import { Danger, danger, dangerCan, DangerKind, DangerLevel, dangerSearch, DangerSource, DangerState, DEADLINE_HOURS } from '../contract/danger.ts'
import { gunsShown, gunTopic } from './said.ts'
import './tables.ts'

const OwnWork = refusal(
  'charging.danger-own',
  41387,
  '整改人不能复查自己的整改，请由他人复查',
  'The person who fixed it cannot review it: ask somebody else',
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
  async update({ tx, input: { id, version, state, note }, actor, at }) {
    const row = await lockRow(tx, dangers, { id, version })
    const next = [dangerCan.work, dangerCan.submit, dangerCan.close, dangerCan.giveBack].map((can) => can(row.state)).find((one) => one === state)
    if (next === undefined) throw IllegalMove({ state: row.state })
    if (row.state === DangerState.review && (await isHandler(tx, row, actor.userId))) throw OwnWork()
    await setRow(tx, dangers, row, { state: next, ...(note && { note }), ...whoDid(next, row, actor, at) }, at)
    return told(tx, (await find(tx, dangers, id))!)
  },
  async hiddenDangerCount({ tx, input }) {
    const values = valuesOf(input)
    const [rows, byKind, byDay] = await Promise.all([BY_LEVEL, BY_KIND, BY_DAY].map((sql) => run(tx, { sql }, values)))
    return { rows, byKind, byDay } as Of<typeof danger.hiddenDangerCount.reply>
  },
  async hiddenDangerCnt({ tx, input }) {
    const [{ total, open, overdue }] = (await run<{ total: number; open: number; overdue: number }>(tx, { sql: CNT }, valuesOf(input))) as [{ total: number; open: number; overdue: number }] // prettier-ignore
    return { total, open, overdue, closedRate: total === 0 ? null : Math.floor(((total - open) * 1000) / total) }
  },
})

const isHandler = async (tx: Tx, { id }: Row, userId: string): Promise<boolean> =>
  (
    await run(tx, { sql: 'select id from charging.danger where enterprise_id = scope_enterprise() and id = $1 and handler_id::text = $2' }, [
      id,
      userId,
    ])
  ).length > 0
/** Whose work it is, and who looked at it. */
function whoDid(next: Row['state'], { state }: Row, { userId, userName }: { userId: string; userName: string }, at: Instant) {
  if (next === DangerState.closed) return { reviewer: userName, closedAt: at }
  return state === DangerState.review ? { reviewer: userName } : { handler: userName, handlerId: userId }
}

type Filter = Of<typeof danger.hiddenDangerCnt.input>
const valuesOf = ({ stationId, foundAtFrom, foundAtTo }: Filter) => [stationId ?? null, foundAtFrom ?? null, foundAtTo ?? null]
const WITHIN = `enterprise_id = scope_enterprise() and ($1::text is null or station_id = $1) and ($2::timestamptz is null or found_at >= $2) and ($3::timestamptz is null or found_at <= $3)`
const DAY = `(found_at at time zone 'Asia/Shanghai')::date`
const BY_LEVEL = `select level, state, count(*)::int as count from charging.danger where ${WITHIN} group by level, state order by level desc, state`
const BY_KIND = `select kind, count(*)::int as count from charging.danger where ${WITHIN} group by kind order by count(*) desc, kind`
/** Of the dangers found on a day, how many are closed by now. */
const BY_DAY = `select ${DAY} as day, count(*)::int as found, (count(*) filter (where state = ${DangerState.closed}))::int as closed from charging.danger where ${WITHIN} group by 1 order by 1`
const CNT = `select count(*)::int as total, (count(*) filter (where state <> ${DangerState.closed}))::int as open, (count(*) filter (where state = ${DangerState.overdue}))::int as overdue
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
        `${DangerKind.entries[kind][1]}: fix it within ${DEADLINE_HOURS[level]} hours; the station starts no new charges`,
      ],
      link: `/recharge/chargingDanger/${row.id}`,
      kind: 3,
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
const GRAVE = `select danger_no from charging.danger where enterprise_id = scope_enterprise() and station_id = $1 and level = ${DangerLevel.grave} and state <> ${DangerState.closed} limit 1`

/** From these temperatures of a plug on, in degrees. */
const HOT_C = 90
const GRAVELY_HOT_C = 105
/** What is overdue says so; what plugs measured in the last minutes is looked at. */
export const watchTask = task(
  'charging.danger-watch',
  async ({ tx, at }) => {
    for (const { id } of await run<{ id: string }>(tx, { sql: OVERDUE }, [at])) {
      const row = await lockRow(tx, dangers, { id })
      const state = dangerCan.lapse(row.state)
      if (state !== undefined) await told(tx, await setRow(tx, dangers, row, { state }, at))
    }
    for (const { stationId, connectorId, temperatureC } of await run<Hot>(tx, { sql: HOT }, [instantAt(msOf(at) - LOOKS_BACK_MIN * MINUTE_MS)]))
      await found(tx, {
        ...{ stationId, connectorId, kind: DangerKind.heat, source: DangerSource.telemetry, description: `枪头温度 ${temperatureC} ℃`, at },
        level: temperatureC >= GRAVELY_HOT_C ? DangerLevel.grave : DangerLevel.high,
      })
  },
  { every: '* * * * *' },
)
const LOOKS_BACK_MIN = 3
type Hot = { stationId: string; connectorId: string; temperatureC: number }
const OVERDUE = `select id from charging.danger where enterprise_id = scope_enterprise() and state in (${DangerState.waiting}, ${DangerState.working}) and deadline < $1 limit 500`
/** Each gun once for a level, as long as that danger is not closed. */
const HOT = `select c.station_id, c.connector_id, max(m.temperature_c)::int as temperature_c from charging.meter_sample m
    join charging.connector c on c.enterprise_id = m.enterprise_id and c.connector_id = m.connector_id
  where m.enterprise_id = scope_enterprise() and m.at >= $1 and m.temperature_c >= ${HOT_C}
  group by c.enterprise_id, c.station_id, c.connector_id
  having not exists (select from charging.danger d where d.enterprise_id = c.enterprise_id and d.connector_id = c.connector_id and d.kind = ${DangerKind.heat} and d.state <> ${DangerState.closed}
    and d.source = ${DangerSource.telemetry} and d.level >= case when max(m.temperature_c) >= ${GRAVELY_HOT_C} then ${DangerLevel.grave} else ${DangerLevel.high} end)`
