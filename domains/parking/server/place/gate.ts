import type { Instant, Of } from '../../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../../platform/contract/plate.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, json, lockRow, onlyFields, removeRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { command, deviceOf, devicesOf } from '../../../device/server/api.ts'
import { type AreaAndGates, AreaChoice, Gate, gate, GateAction, GateChoice, type GateDetail, gateSearch } from '../../contract/gate.ts'
import { statusCan, UseStatus } from '../../contract/park.ts'
import { areasOf, gatesOf } from './area.ts'
import { decideAgain } from '../lane/again.ts'
import { HeldOpen, NoBarrier, openByHand, reasonOf } from '../lane/byHand.ts'
import { laneDevices, refuseTaken } from './gateDevices.ts'
import { type GateRow, holdLane, keepOpen, laneOf } from '../lane/lane.ts'
import { bays, laneTopic } from '../questions.ts'
import { askedAbout } from '../lane/sighting.ts'
import '../tables.ts'

const CarThere = refusal(
  'parking.gate-in-use',
  40810,
  '通道上有车，不能删除或停用；请待车辆离开',
  'A car is at the lane: it cannot be deleted or disabled: wait until it has left',
)
const gates = listOver(Gate, 'parking.gate', gateSearch, { marked: true })
const shown = onlyFields(Gate)

export const calls = serve(gate, {
  async queryPage({ tx, input }) {
    const found = await page(tx, gates, input)
    return { ...found, records: await withDevices(tx, found.records) }
  },
  async add({ tx, input }) {
    await refuseTaken(tx, input.gateCode, input)
    return addRow(tx, gates, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, gates, { id, version })
    await refuseTaken(tx, found.gateCode, changes, found)
    return setGate(tx, found, changes, at)
  },
  devices: ({ tx, input }) => laneDevices(tx, input.parkCode),
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, gates, input)
    const lane = await tx.selectFrom('parking.lane').select('plateNo').where('gateCode', '=', found.gateCode).executeTakeFirst()
    if (lane?.plateNo) throw CarThere()
    await removeRow(tx, gates, found, at)
  },
  async updateStatus({ tx, input, at }) {
    if (input.reason) await because(tx, input.reason)
    const found = await lockRow(tx, gates, input)
    const status = input.status === UseStatus.inUse ? statusCan.enable(found.status) : statusCan.disable(found.status)
    if (status === undefined) throw IllegalMove({ status: found.status })
    return setGate(tx, found, { status }, at)
  },

  async gateDetail({ tx, input }) {
    const { gate: found } = await laneOf(tx, input.gateCode)
    return (await withDevices(tx, [shown(found)]))[0]!
  },
  async textToLed({ tx, input }) {
    const { gate: found } = await laneOf(tx, input.gateCode)
    const sn = found.ledId ?? found.barrierId ?? (await devicesOf(tx, found.parkCode)).find(({ gateCode }) => gateCode === found.gateCode)?.sn
    if (!sn) throw NoBarrier()
    await command(tx, {
      sn,
      method: 'display.show',
      params: { lines: input.lines, seconds: input.seconds ?? SHOWN_S, ...(input.color && { color: input.color }) },
    })
  },
  async programSave({ tx, input: { id, version, ...program }, at }) {
    const found = await lockRow(tx, gates, { id, version })
    return setPrograms(tx, found, [...without(found, program.event), program], at)
  },
  async programDelete({ tx, input: { id, version, event }, at }) {
    const found = await lockRow(tx, gates, { id, version })
    return setPrograms(tx, found, without(found, event), at)
  },
  openGate: ({ tx, input, at, actor }) =>
    input.action === GateAction.lock || input.action === GateAction.unlock
      ? setLock(tx, input, actor.userName, at)
      : openByHand(tx, input, actor, at),

  findParkGateList: async ({ tx, input }) => (await gatesOf(tx, input.parkCode)).map(choice),
  findParkSeatList: ({ tx, input }) => baysOf(tx, input),
  findParkRegionList: async ({ tx, input }) => (await areasOf(tx, input.parkCode)).map(areaChoice),
  selectRegionAndGateList: ({ tx, input }) => areasAndGates(tx, input.parkCode),
  selectRegionAndGateListPost: ({ tx, input }) => areasAndGates(tx, input.parkCode),
})
const SHOWN_S = 20
type Programs = GateRow['programs']
const without = ({ programs }: GateRow, event: number): Programs => programs.filter((one) => one.event !== event)
const setPrograms = (tx: Tx, found: GateRow, programs: Programs, at: Instant) =>
  setGate(tx, found, { programs: json(programs.toSorted((a, b) => a.event - b.event)) }, at)
const choice = onlyFields(GateChoice)
const areaChoice = onlyFields(AreaChoice)

/** Returns the name of a park, or of a gate of it. */
export async function nameOfPlace(tx: Tx, { parkCode, gateCode }: { parkCode: string; gateCode: string | null }): Promise<string | undefined> {
  const [found] = await run<{ park: string; gate: string | null }>(
    tx,
    {
      sql: `select p.name as park, g.name as gate from parking.park p left join parking.gate g on g.park_code = p.park_code and g.enterprise_id = p.enterprise_id and g.gate_code = $2
        where p.enterprise_id = scope_enterprise() and p.park_code = $1`,
    },
    [parkCode, gateCode],
  )
  return found && [found.park, found.gate].filter(Boolean).join(' · ')
}

/** Whether a device may stand there. */
export async function isPlace(tx: Tx, { parkCode, gateCode }: { parkCode: string; gateCode: string | null }): Promise<boolean> {
  const [found] = await run<{ stands: boolean }>(
    tx,
    {
      sql: `select exists (select from parking.park where park_code = $1 and not deleted)
      and ($2::text is null or exists (select from parking.gate where park_code = $1 and gate_code = $2 and not deleted)) as stands`,
    },
    [parkCode, gateCode],
  )
  return found!.stands
}

/** Down until somebody unlocks it (锁闸): no decision, payment or person opens it. Unlocked, a car that waits there is looked at again. */
async function setLock(tx: Tx, asked: Of<typeof gate.openGate.input>, by: string, at: Instant): Promise<void> {
  const { gate: known } = await laneOf(tx, asked.gateCode)
  await holdLane(tx, known)
  await because(tx, reasonOf(asked))
  const lock = asked.action === GateAction.lock
  if (lock && (await laneOf(tx, asked.gateCode)).park.openAllFrom) throw HeldOpen()
  const found = await lockRow(tx, gates, { id: known.id })
  if ((found.lockedBy !== null) === lock) throw IllegalMove({ lockedBy: found.lockedBy })
  await setGate(tx, found, { lockedBy: lock ? by : null }, at)
  const { lane } = await laneOf(tx, asked.gateCode)
  const sn = found.barrierId ?? (await deviceOf(tx, found))?.sn
  if (lock) await keepOpen(tx, found, null)
  if (lock && sn) await command(tx, { sn, method: 'gate.close' })
  // Let through while it was locked, it was never told to open.
  const car = !lock && lane?.commandId === null && askedAbout(lane)
  if (car) await decideAgain(tx, { ...car, receivedAt: at, live: true, gone: false })
}

/** Changes a gate, and tells the pages that watch the park's lanes. */
async function setGate(tx: Tx, found: GateRow, changes: Partial<GateRow>, at: Instant): Promise<GateRow> {
  const [row] = await Promise.all([setRow(tx, gates, found, changes, at), tell(tx, laneTopic, { park: found.parkCode, ids: [found.gateCode] })])
  return row
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
    run<{ gateCode: string; gateState: string | null; plateNo: string | null; plateColor: PlateColorCode | null; since: Instant | null }>(
      tx,
      {
        sql: 'select gate_code, gate_state, plate_no, plate_color, since from parking.lane where enterprise_id = scope_enterprise() and gate_code = any($1)',
      },
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
      plateColor: lane?.plateNo ? lane.plateColor : null,
      since: lane?.plateNo ? lane.since : null,
    }
  })
}

export const baysOf = async (
  tx: Tx,
  { parkCode, seatCode, current = 1, limit = BAYS_MAX }: { parkCode?: string; seatCode?: string; current?: number; limit?: number },
) => (await bays.ask(tx, { parkCode, seatCode, from: (current - 1) * limit, atMost: limit })).flatMap(({ answer }) => answer)
const BAYS_MAX = 5_000

async function areasAndGates(tx: Tx, parkCode: string | undefined): Promise<Of<typeof AreaAndGates>[]> {
  const [areas, all] = await Promise.all([areasOf(tx, parkCode), gatesOf(tx, parkCode)])
  return areas.map((one) => ({
    ...areaChoice(one),
    gates: all.filter((row) => row.parkCode === one.parkCode && (row.areaFrom === one.areaCode || row.areaTo === one.areaCode)).map(choice),
  }))
}
