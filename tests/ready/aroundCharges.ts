import { type Factories, type Maker, now, of, some } from './maker.ts'

const DAY_MS = 86_400_000
const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const OPERATOR = 'MATRIX001'

/** Promotions, faults and dangers in the very state that a call asks for. */
export function aroundCharges({ row, asked, admin, parkCode }: Maker): Factories {
  const station = async () => {
    const stationId = `S${some()}`
    await row(
      `insert into charging.operator (enterprise_id, operator_id, operator_name, operator_tel1) values (1, $1, $1, '02700000000') on conflict do nothing`,
      [OPERATOR],
    )
    await row(
      `insert into charging.station (enterprise_id, station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
        values (1, $1, $1, $2, $3, '420607', 'x', '4000000000', 50, 112.1, 32)`,
      [stationId, OPERATOR, parkCode],
    )
    return stationId
  }
  const gun = async () => {
    const stationId = await station()
    const equipmentId = `E${some()}`
    await row(
      `insert into charging.equipment (enterprise_id, equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status) values (1, $1, $1, $2, $3, 1, 60, 1)`,
      [equipmentId, stationId, parkCode],
    )
    await row(
      `insert into charging.connector (enterprise_id, connector_id, equipment_id, station_id, park_code, connector_type, voltage_upper, voltage_lower, current, power, ocpp_connector_no)
        values (1, $1, $2, $3, $4, 4, 750, 200, 250, 60, 1)`,
      [`${equipmentId}-1`, equipmentId, stationId, parkCode],
    )
    return `${equipmentId}-1`
  }
  const activity = () => asked(admin, 'charging.activity.add', { name: some(), kind: 4, value: 100, startAt: later(0), endAt: later(1) })
  const faulty = async () => asked(admin, 'charging.fault.insert', { connectorId: await gun(), code: some(), level: 1, source: 3 })
  const danger = async () => asked(admin, 'charging.danger.insert', { stationId: await station(), level: 1, kind: 5 })
  return {
    'charging.activity.add': async () => ({ name: some(), kind: 4, value: 100, startAt: now(), endAt: later(1) }),
    'charging.activity.update-state': async () => ({ ...of(await activity()), state: 3 }),
    'charging.fault.insert': async () => ({ connectorId: await gun(), code: some(), level: 1, source: 3 }),
    'charging.fault.update': async () => ({ ...of(await faulty()), state: 3 }),
    'charging.danger.insert': async () => ({ stationId: await station(), level: 1, kind: 5 }),
    'charging.danger.update': async () => ({ ...of(await danger()), state: 1 }),
  }
}
