import pg from 'pg'
import { expect } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { payCash } from '../../settlement/server/api.ts'
import { aTill, now, type Till } from '../../settlement/server/testing.ts'
import { tokenOfSomeoneWho } from '../../../tests/support/roles.ts'
import { StartMode, StopReason } from '../contract/session.ts'
import { askStart, began, connectorSaid, ended, meterSaid, startAnswered } from './api.ts'
import { overdue, sweepOne } from './sweep.ts'

export { now }

export interface Gun {
  equipmentId: string
  connectorId: string
}
type Sql = <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>
export interface Yard extends Till {
  sql: Sql
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A pile with guns at the station of the yard, in use and with nothing on them. */
  aPile(guns?: number): Promise<{ equipmentId: string; connectorIds: string[] }>
  /** Guns that are free and on line, of one pile. */
  guns(count: number): Promise<Gun[]>
  /** A gun that is free and on line, of a pile of its own. */
  aGun(): Promise<Gun>
  aCard(card: { kind: 1 | 2 | 3; ownerId?: string; unit?: string; creditFen?: number; plateNo?: string }): Promise<string>
  charge(orderNo: string): Promise<any>
  bills(orderNo: string): Promise<any[]>
  hold(orderNo: string): Promise<any>
  /** What the ledger has of a charge in advance: nothing, when it is over. */
  prepaid(orderNo: string): Promise<number>
}

/** The real product with a real payment channel, an operator, and a station in the park P001. */
export async function aYard(differs: Parameters<typeof aTill>[0] = {}): Promise<Yard> {
  const till = await aTill(differs)
  const write: Yard['write'] = (work) => till.server.house.writing(1, 'test', work)
  const sql: Sql = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  await till.codeOf('P001')
  await aStation(sql)
  return { ...till, sql, write, ...assetsIn(sql), ...recordsIn(sql) }
}
async function aStation(sql: Sql): Promise<void> {
  await sql(`insert into charging.operator (operator_id, operator_name, operator_tel1, own) values ('MA0000001', '东城充电', '02788880000', true)`)
  await sql(`insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
    values ('ST001', '东门充电站', 'MA0000001', 'P001', '420607', '东门路1号', '4000000000', 50, 112.14, 32.04)`)
  await sql(
    `with made as (insert into charging.strategy (table_id, name, status, periods, occupy_fen_per_min, occupy_cap_fen, effective_from, station_ids)
      values (uuidv7(), '东门价格', 1, $1, 50, 2000, '2020-01-01', '["ST001"]') returning id)
    insert into charging.station_price (station_id, park_code, strategy_id, from_at) select 'ST001', 'P001', id, '2020-01-01' from made`,
    [
      JSON.stringify([
        { from: '00:00', to: '08:00', kind: 4, elecPriceE4: 3000, servicePriceE4: 4000 },
        { from: '08:00', to: '24:00', kind: 3, elecPriceE4: 6000, servicePriceE4: 4000 },
      ]),
    ],
  )
}

/** Somebody else with a screen and a capability of it. */
export async function anotherWho({ server }: Yard, component: string, capability: string): Promise<string> {
  const owner = new pg.Client(server.ownerUrl)
  await owner.connect()
  const token = await tokenOfSomeoneWho(server, owner, [component], [capability])
  await owner.end()
  return token
}

let made = 0
function assetsIn(sql: Sql): Pick<Yard, 'aPile' | 'guns' | 'aGun' | 'aCard'> {
  async function aPile(guns = 1) {
    const equipmentId = `EQ${String(++made).padStart(4, '0')}`
    await sql(
      `insert into charging.equipment (equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status) values ($1, $1, 'ST001', 'P001', 1, 120, 1)`,
      [equipmentId],
    )
    const connectorIds = Array.from({ length: guns }, (_, index) => `${equipmentId}-${index + 1}`)
    for (const [index, connectorId] of connectorIds.entries())
      await sql(
        `insert into charging.connector (connector_id, equipment_id, station_id, park_code, connector_type, voltage_upper, voltage_lower, current, power, ocpp_connector_no)
          values ($1, $2, 'ST001', 'P001', 4, 750, 200, 250, 120, $3)`,
        [connectorId, equipmentId, index + 1],
      )
    return { equipmentId, connectorIds }
  }
  async function guns(count: number) {
    const { equipmentId, connectorIds } = await aPile(count)
    await sql(
      `insert into charging.connector_state (connector_id, park_code, status, status_raw, status_at) select id, 'P001', 1, 'Available', '2026-01-01' from unnest($1::text[]) id`,
      [connectorIds],
    )
    await sql(`insert into charging.pile_state (equipment_id, park_code, online) values ($1, 'P001', true)`, [equipmentId])
    return connectorIds.map((connectorId) => ({ equipmentId, connectorId }))
  }
  return {
    aPile,
    guns,
    aGun: async () => (await guns(1))[0]!,
    async aCard({ kind, ownerId = null, unit = null, creditFen = 0, plateNo = null }: any) {
      const cardNo = `TAG${String(++made).padStart(5, '0')}`
      const values = [cardNo, kind, ownerId, unit, creditFen, plateNo]
      await sql(`insert into charging.card (card_no, kind, owner_id, unit, credit_fen, plate_no) values ($1, $2, $3, $4, $5, $6)`, values)
      return cardNo
    },
  }
}

function recordsIn(sql: Sql): Pick<Yard, 'charge' | 'bills' | 'hold' | 'prepaid'> {
  const one = async (text: string, values: readonly unknown[]) => (await sql<any>(text, values))[0]
  return {
    charge: (orderNo) => one('select * from charging.charge where order_no = $1', [orderNo]),
    bills: (orderNo) => sql('select * from charging.bill where order_no = $1 order by created_at', [orderNo]),
    hold: (orderNo) => one('select * from charging.hold where order_no = $1 order by created_at desc limit 1', [orderNo]),
    async prepaid(orderNo) {
      const found = await one(
        `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where account = 'liability.charge-prepaid' and sub = $1`,
        [orderNo],
      )
      return Number(found.fen)
    },
  }
}

const START = Date.parse('2026-11-02T02:00:00.000Z')
/** Ten in the morning in the city, and so many minutes later. */
export const at = (minute: number): Instant => new Date(START + minute * 60_000).toISOString() as Instant
export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString() as Instant
const FROM_WH = 100_000

/** What piles of a yard say. Registers begin at 100 kWh; moments are minutes, and told at once. */
export function pilesOf(yard: () => Yard) {
  const write: Yard['write'] = (work) => yard().write(work)
  const begin = ({ connectorId }: Gun, more: Partial<Parameters<typeof began>[1]> = {}) =>
    write((tx) =>
      began(tx, { connectorId, transactionId: null, idTag: null, meterWh: FROM_WH, at: at(0), receivedAt: at(0), offline: false, ...more }),
    )
  return {
    begin,
    beginAt: (gun: Gun, minute: number, more: Partial<Parameters<typeof began>[1]> = {}) =>
      begin(gun, { at: at(minute), receivedAt: at(minute), ...more }),
    meter: ({ connectorId }: Gun, transactionId: string, minute: number, wh: number, powerW = 0) =>
      write((tx) =>
        meterSaid(tx, { connectorId, transactionId, samples: [{ at: at(minute), meterWh: FROM_WH + wh, powerW }], receivedAt: at(minute) }),
      ),
    end: ({ equipmentId }: Gun, transactionId: string, minute: number, wh: number | null, more: Partial<Parameters<typeof ended>[1]> = {}) => {
      const told = { meterWh: wh === null ? null : FROM_WH + wh, reason: StopReason.user, at: at(minute), receivedAt: at(minute), offline: false }
      return write((tx) => ended(tx, { equipmentId, transactionId, ...told, ...more }))
    },
    plug: ({ connectorId }: Gun, minute: number, status: 1 | 2 | 3, raw: string) =>
      write((tx) => connectorSaid(tx, { connectorId, status, raw, at: at(minute), receivedAt: at(minute) })),
  }
}

export interface PaidStart {
  prepayFen?: number
  plateNo?: string
}
let cars = 0
/** Who charges in a yard, what time does by itself, and what the desk asks. */
export function driversOf(yard: () => Yard) {
  const write: Yard['write'] = (work) => yard().write(work)
  const pay = (orderId: string, amountFen: number) =>
    write(async (tx) => {
      const [person] = await run<{ id: string }>(tx, { sql: `select id from identity.person where username = 'operator'` }, [])
      return payCash(tx, { orderId, amountFen, actor: { userId: person!.id, userName: 'operator' }, at: now() })
    })
  /** Somebody scans and has yet to pay. */
  async function askedStart({ connectorId }: Gun, { prepayFen = 5000, plateNo = `鄂A1${String(++cars).padStart(4, '0')}` }: PaidStart = {}) {
    const asked = { connectorId, startMode: StartMode.scan, pays: 'prepaid', prepayFen, plateNo, plateColor: 4, at: now() } as const
    const { charge, hold } = await write((tx) => askStart(tx, asked))
    return { orderNo: charge.orderNo, pay: () => pay(hold!.settlementId!, prepayFen) }
  }
  /** Somebody scans, pays in advance, and the pile takes it. */
  async function paidStart(gun: Gun, start: PaidStart = {}) {
    const { orderNo, pay: pays } = await askedStart(gun, start)
    await pays()
    await write((tx) => startAnswered(tx, { orderNo, accepted: true, at: at(0) }))
    return (await yard().charge(orderNo)) as { orderNo: string; token: string }
  }
  async function passBy(moment: Instant) {
    for (const one of await write((tx) => overdue(tx, moment))) await write((tx) => sweepOne(tx, one, moment))
  }
  return {
    pay,
    askedStart,
    paidStart,
    passBy,
    pass: (minute: number) => passBy(at(minute)),
    company: () => yard().aCard({ kind: 2, unit: `公司${++cars}`, creditFen: 100_000 }),
    ask: (path: string, body: object) => yard().server.ask<any>(yard().admin, 'POST', `/lbs/charging/pc/charge${path}`, body),
    /** Every fen is held, captured or released, and every bill is what was captured and what was not. */
    async conserved(orderNo: string) {
      const hold = await yard().hold(orderNo)
      expect(hold.holdFen).toBe(hold.capturedFen + hold.releasedFen + hold.openFen)
      for (const bill of await yard().bills(orderNo)) expect(bill.payableFen).toBe(bill.capturedFen + bill.shortfallFen)
      return hold
    },
  }
}
