import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { giveSecret } from '../domains/charging/server/api.ts'
import { openSecrets } from '../domains/charging/server/pileSecret.ts'
import { aPark } from '../domains/parking/server/factories.ts'
import { connectPile, type PileWire } from '../gateways/ocpp/simulator.ts'
import { openPool, run, type Tx, writing } from '../platform/server/database.ts'
import { openLog } from '../platform/server/log.ts'
import { migrate } from '../platform/server/start/migrate.ts'
import { end, PORTS, startFloor, startServer } from './child.ts'
import { isSmall, sizeOf } from './size.ts'
import type { Row } from './table.ts'

/** So many piles ask again as soon as they have their answer. */
const LOOPED = sizeOf('looped', 64, 4)
const LOOP_MS = isSmall ? 300 : 3_000
/** Starts come at an even rate, each at a gun and by a card of its own. */
const STARTS_PER_S = 50
const START_S = sizeOf('start-seconds', 6, 1)
/** Not counted: each connection plans a statement the first five times. */
const WARMING = STARTS_PER_S * sizeOf('warming-seconds', 4, 1)
const STARTS = STARTS_PER_S * START_S + WARMING
export const SECRET = 'bench-secret-of-piles'
const KEY = 'bench-key-of-the-secrets-of-piles-0123456789'
const idOf = (n: number) => `BP${String(n).padStart(4, '0')}`

/** Piles on real sockets, the server in its own process; beside it, in turn, a bare `ws` that writes one row for each message. */
export async function ocpp(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const { appUrl } = await migrate(ownerUrl, openLog('warn'))
  await build(appUrl)
  const [server, bare] = await Promise.all([startPileServer(ownerUrl, dataDir, port), startFloor('bareOcpp.ts', [ownerUrl], port + PORTS.floor)])
  const floorWires = await connectAll(`ws://127.0.0.1:${port + PORTS.floor}`, LOOPED)
  const wires = await connectAll(`ws://127.0.0.1:${port + PORTS.ocpp}`, LOOPED + STARTS)
  const looped = wires.slice(0, LOOPED)
  try {
    await loop(floorWires, 'Heartbeat', () => ({}))
    const rows: Row[] = []
    const against = async (action: string, least: number, payload: (n: number) => object) => {
      const [floor, got] = [await loop(floorWires, action, payload), await loop(looped, action, payload)]
      const ratio = got / floor
      rows.push({
        what: `OCPP: ${action}, ${LOOPED} piles in a closed loop (${got.toFixed(0)}/s against ${floor.toFixed(0)}/s)`,
        value: ratio.toFixed(2),
        target: `≥ ${least} of bare ws + one write`,
        kept: ratio >= least,
      })
      await pause(REST_MS)
    }
    await against('Heartbeat', 0.5, () => ({}))
    await against('BootNotification', 0.5, () => ({ chargePointVendor: 'Kerb', chargePointModel: 'K60', firmwareVersion: '1.0' }))
    rows.push(await starts(wires.slice(LOOPED)))
    const running = await Promise.all(looped.map((wire, n) => begin(wire, cardOf(STARTS + n))))
    await against('MeterValues', 0.3, (n) => measured(running[n]!))
    return rows
  } finally {
    for (const wire of [...wires, ...floorWires]) wire.cut()
    await Promise.all([end(server), end(bare)])
  }
}
/** A pile may say three hundred things at once and twenty a second on average: it rests until it may again. */
const REST_MS = isSmall ? 100 : 16_000

const cardOf = (n: number) => `BENCH${String(n).padStart(4, '0')}`
const begin = async (wire: PileWire, idTag: string): Promise<number> => {
  const { transactionId } = await wire.call('StartTransaction', { connectorId: 1, idTag, meterStart: 1_000, timestamp: new Date().toISOString() })
  return transactionId as number
}
let register = 1_000
function measured(transactionId: number): object {
  const value = (measurand: string, unit: string, of: number) => ({ measurand, unit, value: String(of) })
  const sampledValue = [
    value('Energy.Active.Import.Register', 'Wh', (register += 1)),
    value('Power.Active.Import', 'W', 30_000),
    value('Current.Import', 'A', 80),
    value('Voltage', 'V', 380),
    value('SoC', 'Percent', 55),
  ]
  return { connectorId: 1, transactionId, meterValue: [{ timestamp: new Date().toISOString(), sampledValue }] }
}

/** @returns answers a second */
async function loop(wires: readonly PileWire[], action: string, payload: (n: number) => object): Promise<number> {
  const until = performance.now() + LOOP_MS
  let answers = 0
  await Promise.all(
    wires.map(async (wire, n) => {
      for (; performance.now() < until; answers++) await wire.call(action, payload(n))
    }),
  )
  return (answers * 1_000) / LOOP_MS
}
async function starts(wires: readonly PileWire[]): Promise<Row> {
  await startAll(wires.slice(0, WARMING), 0)
  const times = await startAll(wires.slice(WARMING), WARMING)
  times.sort((a, b) => a - b)
  const [p50, p99] = [times[Math.floor(times.length * 0.5)]!, times[Math.floor(times.length * 0.99)]!]
  return {
    what: `OCPP: StartTransaction to its answer at ${STARTS_PER_S}/s, p50 / p99 of ${times.length}`,
    value: `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`,
    target: 'p99 < 50 ms',
    kept: p99 < 50,
  }
}
/** @returns how long each waited for its answer */
function startAll(wires: readonly PileWire[], firstCard: number): Promise<number[]> {
  const begun = performance.now()
  return Promise.all(
    wires.map(async (wire, n) => {
      await pause(Math.max(0, begun + (n * 1_000) / STARTS_PER_S - performance.now()))
      const sent = performance.now()
      await begin(wire, cardOf(firstCard + n))
      return performance.now() - sent
    }),
  )
}

async function connectAll(url: string, count: number): Promise<PileWire[]> {
  const wires: PileWire[] = []
  for (let n = 0; n < count; n++) wires.push(await connectPile({ url, id: idOf(n), secret: SECRET, answers: AGREES }))
  return wires
}
/** The pile accepts the commands that follow its start. */
const AGREES = Object.fromEntries(
  ['ChangeConfiguration', 'TriggerMessage', 'SetChargingProfile', 'ClearChargingProfile', 'SendLocalList'].map((action) => [
    action,
    () => ({ status: 'Accepted' }),
  ]),
)

/** Work in the database as the house does it, beside its server. */
export async function beforehand(appUrl: string, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  openSecrets({ ocppKey: KEY, dataDir: '' })
  const pool = openPool(appUrl, 2)
  await writing(pool, { enterprise: 1, parks: null }, { userId: null, userName: 'bench', via: 'bench', requestId: '' }, work)
  await pool.end()
}
const build = (appUrl: string) =>
  beforehand(appUrl, async (tx) => {
    await aStation(tx)
    for (let n = 0; n < LOOPED + STARTS; n++) await aPile(tx, idOf(n), cardOf(n))
  })
/** A park, a station in it, and what its energy costs. */
export async function aStation(tx: Tx): Promise<void> {
  await aPark(tx, { parkCode: 'BP', totalBays: 1_000 })
  await run(
    tx,
    {
      sql: `insert into charging.operator (operator_id, operator_name, operator_tel1, own) select 'MABENCH01', 'bench', '02788880000', not exists (select from charging.operator where own)`,
    },
    [],
  )
  await run(tx, { sql: STATION }, [])
  await run(tx, { sql: PRICE }, [JSON.stringify([{ from: '00:00', to: '24:00', kind: 3, elecPriceE4: 6_000, servicePriceE4: 4_000 }])])
}
const STATION = `insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
  values ('BENCH', 'bench', 'MABENCH01', 'BP', '420607', 'x', '4000000000', 50, 112.14, 32.04)`
const PRICE = `with made as (insert into charging.strategy (table_id, name, status, periods, effective_from, station_ids) values (uuidv7(), 'bench', 1, $1, '2020-01-01', '["BENCH"]') returning id)
  insert into charging.station_price (station_id, park_code, strategy_id, from_at) select 'BENCH', 'BP', id, '2020-01-01' from made`
async function aPile(tx: Tx, id: string, card: string): Promise<void> {
  await run(tx, { sql: PILE }, [id])
  await run(tx, { sql: GUN }, [`${id}-1`, id])
  await run(
    tx,
    {
      sql: `insert into charging.connector_state (connector_id, park_code, status, status_raw, status_at) values ($1, 'BP', 2, 'Preparing', '2026-01-01')`,
    },
    [`${id}-1`],
  )
  await run(tx, { sql: 'insert into charging.card (card_no, kind) values ($1, 3)' }, [card])
  await giveSecret(tx, id, SECRET)
}
const PILE = `insert into charging.equipment (equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status, charge_point_id, protocol) values ($1, $1, 'BENCH', 'BP', 1, 60, 1, $1, 1)`
const GUN = `insert into charging.connector (connector_id, equipment_id, station_id, park_code, connector_type, voltage_upper, voltage_lower, current, power, ocpp_connector_no)
  values ($1, $2, 'BENCH', 'BP', 4, 750, 200, 250, 60, 1)`

export const startPileServer = (ownerUrl: string, dataDir: string, port: number, differs: Record<string, string> = {}): Promise<ChildProcess> =>
  startServer(ownerUrl, dataDir, port, { OCPP_KEY: KEY, DEMO: 'none', LOG_LEVEL: 'error', ...differs })
