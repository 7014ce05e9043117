import { run } from '../../../platform/server/database.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'

export { now } from '../../settlement/server/testing.ts'

export interface Yard extends Till {
  sql<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** A pile with guns at the station of the yard, in use and with nothing on them. */
  aPile(guns?: number): Promise<{ equipmentId: string; connectorIds: string[] }>
}
let piles = 0

/** The real product with a real payment channel, an operator, and a station in the park P001. */
export async function aYard(): Promise<Yard> {
  const till = await aTill({})
  const sql: Yard['sql'] = (text, values = []) => till.server.house.writing(1, 'test', (tx) => run(tx, { sql: text }, [...values]))
  await till.codeOf('P001')
  await sql(`insert into charging.operator (operator_id, operator_name, operator_tel1, own) values ('MA0000001', '东城充电', '02788880000', true)`)
  await sql(`insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
    values ('ST001', '东门充电站', 'MA0000001', 'P001', '420607', '东门路1号', '4000000000', 50, 112.14, 32.04)`)
  return {
    ...till,
    sql,
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
}
