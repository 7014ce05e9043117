import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { command, devicesOf } from '../../device/server/api.ts'
import { type AreaAndGates, AreaChoice, Gate, gate, GateChoice, type GateDetail, gateSearch } from '../contract/gate.ts'
import { statusCan } from '../contract/park.ts'
import { areasOf, gatesOf } from './area.ts'
import { NoBarrier, openByHand } from './byHand.ts'
import { type GateRow, laneOf } from './lane.ts'
import { laneTopic } from './questions.ts'
import { onlyFields } from './shown.ts'
import './tables.ts'

const CarThere = refusal('parking.gate-in-use', 40013, '通道上有车，不能删除或停用', 'A car stands there')
const gates = listOver(Gate, 'parking.gate', gateSearch, { only: 'not deleted' })
const shown = onlyFields(Gate) as (row: object) => GateRow

export const calls = serve(gate, {
  async queryPage({ tx, input }) {
    const found = await page(tx, gates, input)
    return { ...found, records: await withDevices(tx, found.records) }
  },
  add: async ({ tx, input }) => shown(await tx.insertInto('parking.gate').values(input).returningAll().executeTakeFirstOrThrow()),
  async update({ tx, input: { id, version, ...changes } }) {
    return setGate(tx, await lockGate(tx, id, version), changes)
  },
  async delete({ tx, input }) {
    const found = await lockGate(tx, input.id, input.version)
    const lane = await tx.selectFrom('parking.lane').select('plateNo').where('gateCode', '=', found.gateCode).executeTakeFirst()
    if (lane?.plateNo) throw CarThere()
    await tx
      .updateTable('parking.gate')
      .set({ deleted: true, status: 2, version: found.version + 1 })
      .where('id', '=', found.id)
      .execute()
  },
  async updateStatus({ tx, input }) {
    if (input.reason) await because(tx, input.reason)
    const found = await lockGate(tx, input.id, input.version)
    const status = input.status === 1 ? statusCan.enable(found.status) : statusCan.disable(found.status)
    if (status === undefined) throw IllegalMove({ status: found.status })
    return setGate(tx, found, { status })
  },

  async gateDetail({ tx, input }) {
    const { gate: found } = await laneOf(tx, input.gateCode)
    return (await withDevices(tx, [shown(found)]))[0]!
  },
  async textToLed({ tx, input }) {
    const { gate: found } = await laneOf(tx, input.gateCode)
    const sn = found.ledId ?? found.barrierId ?? (await devicesOf(tx, found.parkCode)).find(({ gateCode }) => gateCode === found.gateCode)?.sn
    if (!sn) throw NoBarrier()
    await command(tx, { sn, method: 'display.show', params: { lines: input.lines, seconds: input.seconds ?? SHOWN_S } })
  },
  openGate: ({ tx, input, at, actor }) => openByHand(tx, input, actor, at),

  findParkGateList: async ({ tx, input }) => (await gatesOf(tx, input.parkCode)).map(choice),
  findParkSeatList: ({ tx, input }) => baysOf(tx, input),
  findParkRegionList: async ({ tx, input }) => (await areasOf(tx, input.parkCode)).map(areaChoice),
  selectRegionAndGateList: ({ tx, input }) => areasAndGates(tx, input.parkCode),
  selectRegionAndGateListPost: ({ tx, input }) => areasAndGates(tx, input.parkCode),
})
const SHOWN_S = 20
const choice = onlyFields(GateChoice) as (row: object) => Of<typeof GateChoice>
const areaChoice = onlyFields(AreaChoice) as (row: object) => Of<typeof AreaChoice>

/** Whether a device may stand there. */
export async function isPlace(tx: Tx, { parkCode, gateCode }: { parkCode: string; gateCode: string | null }): Promise<boolean> {
  const [found] = await run<{ stands: boolean }>(
    tx,
    { sql: `select exists (select from parking.park where park_code = $1 and not deleted)
      and ($2::text is null or exists (select from parking.gate where park_code = $1 and gate_code = $2 and not deleted)) as stands` }, // prettier-ignore
    [parkCode, gateCode],
  )
  return found!.stands
}

async function lockGate(tx: Tx, id: Id<'GateId'>, version: number): Promise<GateRow> {
  const found = await tx.selectFrom('parking.gate').selectAll().where('id', '=', id).where('deleted', '=', false).forUpdate().executeTakeFirst()
  if (!found) throw NotFound()
  if (found.version !== version) throw Stale({ version: found.version })
  return shown(found)
}
async function setGate(tx: Tx, { id, version, parkCode, gateCode }: GateRow, changes: Partial<GateRow>): Promise<GateRow> {
  const [row] = await Promise.all([
    tx
      .updateTable('parking.gate')
      .set({ ...changes, version: version + 1, updatedAt: new Date().toISOString() as Instant })
      .where('id', '=', id)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirst(),
    tell(tx, laneTopic, { park: parkCode, ids: [gateCode] }),
  ])
  if (!row) throw Stale()
  return shown(row)
}

/** Gates with what their devices last said and the car that stands there. */
async function withDevices(tx: Tx, rows: readonly GateRow[]): Promise<Of<typeof GateDetail>[]> {
  const parkCodes = [...new Set(rows.map(({ parkCode }) => parkCode))]
  const [names, lanes, devices] = await Promise.all([
    run<{ parkCode: string; name: string }>(
      tx,
      { sql: 'select park_code, name from parking.park where enterprise_id = scope_enterprise() and park_code = any($1)' },
      [parkCodes],
    ),
    run<{ gateCode: string; gateState: string | null; plateNo: string | null; since: Instant | null }>(
      tx,
      { sql: 'select gate_code, gate_state, plate_no, since from parking.lane where enterprise_id = scope_enterprise() and gate_code = any($1)' },
      [rows.map(({ gateCode }) => gateCode)],
    ),
    Promise.all(parkCodes.map((parkCode) => devicesOf(tx, parkCode))),
  ])
  return rows.map((row) => {
    const lane = lanes.find(({ gateCode }) => gateCode === row.gateCode)
    const device = devices.flat().find(({ sn, gateCode }) => (row.barrierId ? sn === row.barrierId : gateCode === row.gateCode))
    return {
      ...row,
      parkName: names.find(({ parkCode }) => parkCode === row.parkCode)?.name ?? '',
      online: device?.online ?? false,
      lastSeenAt: device?.lastSeenAt ?? null,
      gateState: lane?.gateState ?? null,
      plateNo: lane?.plateNo ?? null,
      since: lane?.plateNo ? lane.since : null,
    }
  })
}

export const baysOf = (tx: Tx, { parkCode, seatCode }: { parkCode?: string; seatCode?: string }) => {
  let asked = tx.selectFrom('parking.bay').select(['parkCode', 'seatCode', 'areaCode']).orderBy('parkCode').orderBy('seatCode').limit(BAYS_MAX)
  if (parkCode !== undefined) asked = asked.where('parkCode', '=', parkCode)
  if (seatCode !== undefined) asked = asked.where('seatCode', '=', seatCode)
  return asked.execute()
}
const BAYS_MAX = 5_000

async function areasAndGates(tx: Tx, parkCode: string | undefined): Promise<Of<typeof AreaAndGates>[]> {
  const [areas, all] = await Promise.all([areasOf(tx, parkCode), gatesOf(tx, parkCode)])
  return areas.map((one) => ({
    ...areaChoice(one),
    gates: all.filter((row) => row.parkCode === one.parkCode && (row.areaFrom === one.areaCode || row.areaTo === one.areaCode)).map(choice),
  }))
}
