import { run, type Tx } from '../../../platform/server/database.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'

export { now } from '../../settlement/server/testing.ts'

export interface Yard extends Till {
  sql<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** A pile with guns at the station of the yard, in use and with nothing on them. */
  aPile(guns?: number): Promise<{ equipmentId: string; connectorIds: string[] }>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A gun that is free and on line, of a pile of its own. */
  aGun(): Promise<{ equipmentId: string; connectorId: string }>
  aCard(card: { kind: 1 | 2 | 3; ownerId?: string; unit?: string; creditFen?: number; plateNo?: string }): Promise<string>
  charge(orderNo: string): Promise<any>
  bills(orderNo: string): Promise<any[]>
  hold(orderNo: string): Promise<any>
  /** What the ledger has of a charge in advance: nothing, when it is over. */
  prepaid(orderNo: string): Promise<number>
}
let piles = 0

/** The real product with a real payment channel, an operator, and a station in the park P001. */
export async function aYard(differs: Parameters<typeof aTill>[0] = {}): Promise<Yard> {
  const till = await aTill(differs)
  const sql: Yard['sql'] = (text, values = []) => till.server.house.writing(1, 'test', (tx) => run(tx, { sql: text }, [...values]))
  await till.codeOf('P001')
  await sql(`insert into charging.operator (operator_id, operator_name, operator_tel1, own) values ('MA0000001', '东城充电', '02788880000', true)`)
  await sql(`insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
    values ('ST001', '东门充电站', 'MA0000001', 'P001', '420607', '东门路1号', '4000000000', 50, 112.14, 32.04)`)
  await sql(
    `with made as (insert into charging.strategy (table_id, name, status, periods, occupy_fen_per_min, occupy_cap_fen, effective_from, station_ids)
      values (uuidv7(), '东门价格', 1, $1, 50, 2000, '2020-01-01', '["ST001"]') returning id)
    insert into charging.station_price (station_id, park_code, strategy_id, from_at) select 'ST001', 'P001', id, '2020-01-01' from made`,
    [JSON.stringify([{ from: '00:00', to: '08:00', kind: 4, elecPriceE4: 3000, servicePriceE4: 4000 }, { from: '08:00', to: '24:00', kind: 3, elecPriceE4: 6000, servicePriceE4: 4000 }])],
  ) // prettier-ignore
  const write: Yard['write'] = (work) => till.server.house.writing(1, 'test', work)
  const one = async (text: string, values: readonly unknown[]) => (await sql<any>(text, values))[0]
  const yard: Yard = {
    ...till,
    sql,
    write,
    async aGun() {
      const { equipmentId, connectorIds } = await yard.aPile()
      const connectorId = connectorIds[0]!
      await sql(
        `insert into charging.connector_state (connector_id, park_code, status, status_raw, status_at) values ($1, 'P001', 1, 'Available', '2026-01-01')`,
        [connectorId],
      )
      await sql(`insert into charging.pile_state (equipment_id, park_code, online) values ($1, 'P001', true)`, [equipmentId])
      return { equipmentId, connectorId }
    },
    async aCard({ kind, ownerId = null, unit = null, creditFen = 0, plateNo = null }: any) {
      const cardNo = `TAG${String(++piles).padStart(5, '0')}`
      await sql(`insert into charging.card (card_no, kind, owner_id, unit, credit_fen, plate_no) values ($1, $2, $3, $4, $5, $6)`, [
        cardNo,
        kind,
        ownerId,
        unit,
        creditFen,
        plateNo,
      ])
      return cardNo
    },
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
    async aPile(guns = 1) {
      const equipmentId = `EQ${String(++piles).padStart(4, '0')}`
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
    },
  }
  return yard
}
