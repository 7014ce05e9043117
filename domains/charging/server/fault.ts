import { lasting } from '../../../platform/contract/duration.ts'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { paired } from '../../../platform/contract/said.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { MessageKind } from '../../message/contract/template.ts'
import { recall, sendInner } from '../../message/server/api.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { AdminStatus } from '../contract/pile.ts'
import { BLOCKS_FROM, Fault, fault, faultCan, FaultLevel, faultSearch, FaultSource, FaultState, faultName } from '../contract/fault.ts'
import { handlerOf, handlersOf, type Person } from './handlers.ts'
import { gunsShown, gunTopic } from './said.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const ByHandOnly = refusal(
  'charging.fault-source',
  41386,
  '人工上报只能是用户报修或巡检',
  'The source of a fault reported by hand must be a driver or an inspection',
  422,
)
const NobodySent = refusal('charging.fault-nobody', 41327, '请选择处理人后再派单', 'Choose a handler before you dispatch it', 422)
/** The same code at the same gun within this time is the same fault; it is over when the gun was well for as long. */
const MERGE_MIN = 10
/** A pile that is silent for so long has a fault, of this code. */
const SILENT_MIN = 30
const OFFLINE = 'Offline'

export const faults = listOver(Fault, 'charging.fault', faultSearch)
export const faultTopic = topic('charging.fault', 'charging:fault:view')
type Row = Of<typeof Fault>

export const calls = serve(fault, {
  query: ({ tx, input }) => page(tx, faults, input),
  insert({ tx, input, at }) {
    if (input.source !== FaultSource.driver && input.source !== FaultSource.inspection) throw ByHandOnly()
    return report(tx, { ...input, at })
  },
  async detail({ tx, input }) {
    const found = await find(tx, faults, input.id)
    if (!found) throw NotFound()
    return found
  },
  handlers: ({ tx, input }) => handlersOf(tx, fault.update.needs, input.parkCode ?? null),
  async update({ tx, input: { id, version, state, handlerId, ...changes }, actor, at }) {
    const found = await lockRow(tx, faults, { id, version })
    const next =
      state === found.state
        ? state
        : Object.values(faultCan)
            .map((can) => can(found.state))
            .find((one) => one === state)
    if (next === undefined) throw IllegalMove({ state: found.state })
    const over = next === FaultState.recovered || next === FaultState.closed || next === FaultState.mistaken
    if (next === FaultState.dispatched && !handlerId && !found.handlerId) throw NobodySent()
    // What was sent back as it stood chooses nobody: whoever had it may have left since.
    const given =
      handlerId && handlerId !== found.handlerId ? await handlerOf(tx, fault.update.needs, { parkCode: found.parkCode, handlerId }) : undefined
    const takesIt = found.handler === null || (!handlerId && next === FaultState.working && found.state !== FaultState.working)
    const handler = given ?? (takesIt ? { id: actor.userId as Person['id'], name: actor.userName } : undefined)
    const by = handler && { handler: handler.name, handlerId: handler.id }
    const row = await setRow(tx, faults, found, { ...changes, ...by, state: next, endAt: over ? (found.endAt ?? at) : null }, at)
    if (given && given.id !== found.handlerId && given.id !== actor.userId && !over) await tellHandler(tx, row, given.id)
    if (BLOCKS_FROM <= row.level && row.level > found.level && !over) await tellSevere(tx, row, actor.userId)
    return changed(tx, row)
  },
  export: exporting(fault.export, faults),
})

export type Told = Pick<Row, 'connectorId' | 'code' | 'level' | 'source'> & { description?: string | null | undefined; at: Instant }
/** A fault is told of: a new one, or the one that is there. What gets worse rises. @throws NotFound */
export async function report(tx: Tx, { connectorId, code, level, source, description = null, at }: Told): Promise<Row> {
  // The gun is held: of two who tell at once, one makes the fault and the other adds to it.
  const [gun] = await run<{ stationId: string; parkCode: string }>(tx, { sql: GUN }, [connectorId])
  if (!gun) throw NotFound()
  const [same] = await run<{ id: string }>(tx, { sql: SAME }, [connectorId, code, instantAt(msOf(at) - MERGE_MIN * MINUTE_MS)])
  const known = same && (await lockRow(tx, faults, same))
  const [made] = known
    ? []
    : await run<{ id: string }>(tx, { sql: ADD }, [connectorId, gun.stationId, gun.parkCode, code, level, source, description, at])
  if (!known) return newly(tx, (await find(tx, faults, made!.id))!)
  const open = known.endAt === null
  const more = { times: known.times + 1, level: Math.max(known.level, level) as Row['level'], ...(description && { description }) }
  const row = await setRow(tx, faults, known, { ...more, ...(!open && { state: FaultState.waiting, endAt: null }) }, at)
  return !open || known.level < BLOCKS_FROM ? newly(tx, row) : changed(tx, row)
}
/** From a level on whoever runs the station hears of it at once. */
async function newly(tx: Tx, row: Row): Promise<Row> {
  if (row.level >= BLOCKS_FROM) await tellSevere(tx, row)
  return changed(tx, row)
}
const aboutOf = ({ id }: Row) => ({ link: `/recharge/chargingFault/${id}`, concerns: `charging.fault:${id}`, kind: MessageKind.alarm })
async function tellSevere(tx: Tx, row: Row, not: string | null = null): Promise<void> {
  const [name, level] = [faultName(row.code), FaultLevel.entries[row.level]]
  await sendInner(tx, {
    ...aboutOf(row),
    to: { capability: fault.update.needs, parkCode: row.parkCode, not: [not] },
    title: [`${level[0]}故障：${row.connectorId}`, `${level[1]} fault: ${row.connectorId}`],
    body: [`${name[0]}；恢复前该充电枪不能启动充电，请派单处理`, `${name[1]}; the connector starts no session until it recovers. Dispatch it.`],
    urgent: true,
  })
}
const tellHandler = (tx: Tx, row: Row, custId: string) =>
  sendInner(tx, {
    ...aboutOf(row),
    to: { custId },
    kind: MessageKind.reminder,
    title: [`充电故障派给您：${row.connectorId}`, `A charging fault is yours: ${row.connectorId}`],
    body: [
      `${faultName(row.code)[0]}，${FaultLevel.entries[row.level][0]}，请处理`,
      `${faultName(row.code)[1]}, ${FaultLevel.entries[row.level][1]}: please see to it`,
    ],
  })
const GUN = 'select station_id, park_code from charging.connector where enterprise_id = scope_enterprise() and connector_id = $1 for update'
const SAME = `select id from charging.fault where enterprise_id = scope_enterprise() and connector_id = $1 and code = $2
  and (state in (${FaultState.waiting}, ${FaultState.dispatched}, ${FaultState.working}) or (state = ${FaultState.recovered} and end_at >= $3)) order by start_at desc limit 1`
const ADD = `insert into charging.fault (connector_id, station_id, park_code, code, level, source, description, start_at) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`

/** The pile counts its open faults, its gun may be another one to people, and whoever watches sees it. */
async function changed(tx: Tx, row: Row): Promise<Row> {
  await run(tx, { sql: COUNTED }, [row.connectorId])
  if (row.endAt !== null) await recall(tx, aboutOf(row).concerns, row.endAt)
  await announce(tx, gunsShown, { connectorIds: [row.connectorId] })
  await tell(tx, gunTopic, { park: row.parkCode, ids: [row.connectorId] })
  await tell(tx, faultTopic, { park: row.parkCode, ids: [row.id] })
  return row
}
const OPEN = `(${FaultState.waiting}, ${FaultState.dispatched}, ${FaultState.working})`
const COUNTED = `update charging.pile_state p set fault_count = (select count(*) from charging.fault f join charging.connector c on c.enterprise_id = f.enterprise_id and c.connector_id = f.connector_id
    where f.enterprise_id = p.enterprise_id and c.equipment_id = p.equipment_id and f.state in ${OPEN})
  from charging.connector g where g.enterprise_id = scope_enterprise() and g.connector_id = $1 and p.enterprise_id = g.enterprise_id and p.equipment_id = g.equipment_id`

/** A severe fault keeps a gun from starting. */
export async function blockedByFault(tx: Tx, { connectorId }: { connectorId: string }): Promise<{ zh: string; en: string } | undefined> {
  const [found] = await run<{ code: string }>(tx, { sql: BLOCKS }, [connectorId])
  if (!found) return undefined
  const [zh, en] = faultName(found.code)
  return { zh: `该充电枪有严重故障（${zh}），处理后才能充电`, en: `This connector has a severe fault (${en}) and cannot charge until it is fixed` }
}
const BLOCKS = `select code from charging.fault where enterprise_id = scope_enterprise() and connector_id = $1 and level >= ${BLOCKS_FROM} and state in ${OPEN} limit 1`

const SEVERE_CODES = /ground|temperature|overcurrent|overvoltage|insulation|weld/i
/** A gun says that it is faulty, or well again: then the faults that it told of itself end, if it stays so. */
export async function hearGun(
  tx: Tx,
  { connectorId, status, raw, errorCode, at }: { connectorId: string; status: number; raw: string; errorCode: string | null; at: Instant },
): Promise<void> {
  if (status === ConnectorStatus.faulty) {
    const code = errorCode && errorCode !== 'NoError' ? errorCode : raw
    await report(tx, { connectorId, code, level: SEVERE_CODES.test(code) ? FaultLevel.severe : FaultLevel.heavier, source: FaultSource.device, at })
  } else
    await addJob(tx, recoverTask, { connectorId }, { runAt: instantAt(msOf(at) + MERGE_MIN * MINUTE_MS), key: `${recoverTask.name}:${connectorId}` })
}
export const recoverTask = task<{ connectorId: string }>('charging.fault-recover', async ({ tx, data: { connectorId }, at }) =>
  recover(tx, await run<{ id: string }>(tx, { sql: WELL_AGAIN }, [connectorId]), at),
)
async function recover(tx: Tx, ids: readonly { id: string }[], at: Instant): Promise<void> {
  for (const { id } of ids) {
    const found = await lockRow(tx, faults, { id })
    const next = faultCan.recover(found.state)
    if (next !== undefined) await changed(tx, await setRow(tx, faults, found, { state: next, endAt: at }, at))
  }
}
const WELL_AGAIN = `select f.id from charging.fault f join charging.connector_state s on s.enterprise_id = f.enterprise_id and s.connector_id = f.connector_id
  where f.enterprise_id = scope_enterprise() and f.connector_id = $1 and f.source in (${FaultSource.device}, ${FaultSource.platform}) and f.state in ${OPEN} and s.status not in (${ConnectorStatus.offline}, ${ConnectorStatus.faulty})`

/** Piles in use that nobody has heard of for half an hour; one that is back, and stays, is well again though its guns say what they said before. */
export const silenceTask = task(
  'charging.fault-silence',
  async ({ tx, at }) => {
    await recover(tx, await run<{ id: string }>(tx, { sql: BACK }, [instantAt(msOf(at) - MERGE_MIN * MINUTE_MS)]), at)
    const silent = await run<{ connectorId: string }>(tx, { sql: SILENT }, [instantAt(msOf(at) - SILENT_MIN * MINUTE_MS)])
    for (const { connectorId } of silent)
      await report(tx, {
        connectorId,
        code: OFFLINE,
        level: FaultLevel.heavier,
        source: FaultSource.platform,
        description: Said.offline({ long: paired(lasting(SILENT_MIN)) }),
        at,
      })
  },
  { every: '*/5 * * * *' },
)
const SILENT = `select c.connector_id from charging.pile_state p join charging.equipment e on e.enterprise_id = p.enterprise_id and e.equipment_id = p.equipment_id and e.admin_status = ${AdminStatus.enabled}
    join charging.connector c on c.enterprise_id = p.enterprise_id and c.equipment_id = p.equipment_id
  where p.enterprise_id = scope_enterprise() and not p.online and p.last_seen_at < $1
    and not exists (select from charging.fault f where f.enterprise_id = p.enterprise_id and f.connector_id = c.connector_id and f.code = '${OFFLINE}' and f.state in ${OPEN}) limit 500`
const BACK = `select f.id from charging.fault f join charging.connector c on c.enterprise_id = f.enterprise_id and c.connector_id = f.connector_id
    join charging.pile_state p on p.enterprise_id = c.enterprise_id and p.equipment_id = c.equipment_id
  where f.enterprise_id = scope_enterprise() and f.code = '${OFFLINE}' and f.source = ${FaultSource.platform} and f.state in ${OPEN} and p.online and p.connected_at <= $1 limit 500`
