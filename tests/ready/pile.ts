import { LoadMode } from '../../domains/charging/contract/load.ts'
import { LogKind, ResetKind, TriggerMessage } from '../../domains/charging/contract/pileCommand.ts'
import { type Factories, type Maker, some } from './maker.ts'

/** Piles with a line that is up, each with a gun of its own, for what piles are told. */
export function piles({ row, asked, admin, parkCode }: Maker): Factories {
  const reason = '试'
  const aPile = async () => {
    const mark = some()
    await row(
      `insert into charging.operator (enterprise_id, operator_id, operator_name, operator_tel1) values (1, 'MATRIX001', '试运营商', '02788880000') on conflict (enterprise_id, operator_id) do update set operator_name = excluded.operator_name returning id`,
    )
    await row(
      `insert into charging.station (enterprise_id, station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
        values (1, $1, $1, 'MATRIX001', $2, '420607', '试', '4000000000', 50, 112.1, 32) returning id`,
      [`ST${mark}`, parkCode],
    )
    const equipmentId = `EQ${mark}`
    await row(
      `insert into charging.equipment (enterprise_id, equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status, charge_point_id, protocol) values (1, $1, $1, $2, $3, 1, 120, 1, $4, 1) returning id`,
      [equipmentId, `ST${mark}`, parkCode, `CP${mark}`],
    )
    const connectorId = `${equipmentId}-1`
    await row(
      `insert into charging.connector (enterprise_id, connector_id, equipment_id, station_id, park_code, connector_type, voltage_upper, voltage_lower, current, power, ocpp_connector_no)
        values (1, $1, $2, $3, $4, 4, 750, 200, 250, 120, 1) returning id`,
      [connectorId, equipmentId, `ST${mark}`, parkCode],
    )
    await row(
      `insert into charging.pile_state (enterprise_id, equipment_id, park_code, online, last_seen_at) values (1, $1, $2, true, now()) returning equipment_id`,
      [equipmentId, parkCode],
    )
    await row(
      `insert into charging.connector_state (enterprise_id, connector_id, park_code, status, status_at) values (1, $1, $2, 1, now()) returning connector_id`,
      [connectorId, parkCode],
    )
    return { equipmentId, connectorId, stationId: `ST${mark}` }
  }
  const aCard = async () => {
    const cardNo = `C${some()}`
    await row(`insert into charging.card (enterprise_id, card_no, kind, unit, credit_fen) values (1, $1, 2, '试', 100000) returning id`, [cardNo])
    return cardNo
  }
  const pile = async () => ({ equipmentId: (await aPile()).equipmentId, reason })
  const gun = async () => ({ connectorId: (await aPile()).connectorId, reason })
  const aPricedGun = async () => {
    const { connectorId, stationId } = await aPile()
    const periods = [{ from: '00:00', to: '24:00', kind: 3, elecPriceE4: 6000, servicePriceE4: 4000 }]
    await asked(admin, 'charging.strategy.insert', { name: '价', periods, stationIds: [stationId], publish: true })
    return connectorId
  }
  const charging = async () => {
    const { equipmentId, connectorId, stationId } = await aPile()
    const mark = some()
    await row(
      `insert into charging.charge (enterprise_id, order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, status, claimed, start_time, transaction_id, prices)
        values (1, $1, $2, $3, $4, $5, $6, 4, 2, true, now(), $1, '{}') returning id`,
      [`CD${mark}`, `MATRIX001${mark}`, parkCode, stationId, equipmentId, connectorId],
    )
    return { connectorId, reason }
  }
  const until = () => new Date(Date.now() + 1_800_000).toISOString()
  const reserved = async () => {
    const { equipmentId, connectorId } = await aPile()
    await row(
      `insert into charging.reservation (enterprise_id, reservation_no, connector_id, equipment_id, park_code, card_no, until) values (1, nextval('charging.request_no'), $1, $2, $3, 'C1', $4) returning id`,
      [connectorId, equipmentId, parkCode, until()],
    )
    return { connectorId, reason }
  }
  return {
    'charging.pile.rotate-secret': pile,
    'charging.pile.remote-start': async () => ({ connectorId: await aPricedGun(), reason, cardNo: await aCard() }),
    'charging.pile.remote-stop': charging,
    'charging.pile.reset': async () => ({ ...(await pile()), kind: ResetKind.soft }),
    'charging.pile.unlock': gun,
    'charging.pile.availability': async () => ({ ...(await pile()), operative: false }),
    'charging.pile.get-configuration': pile,
    'charging.pile.set-configuration': async () => ({ ...(await pile()), key: 'HeartbeatInterval', value: '60' }),
    'charging.pile.trigger': async () => ({ ...(await pile()), message: TriggerMessage.status }),
    'charging.pile.update-firmware': async () => ({ ...(await pile()), url: 'https://example.com/firmware.bin' }),
    'charging.pile.get-log': async () => ({ ...(await pile()), url: 'https://example.com/logs', kind: LogKind.diagnostics }),
    'charging.pile.send-local-list': pile,
    'charging.pile.reserve': async () => ({ ...(await gun()), cardNo: await aCard(), until: until() }),
    'charging.pile.cancel-reservation': reserved,
    'charging.pile.set-profile': async () => ({ ...(await gun()), limitW: 60_000 }),
    'charging.pile.clear-profile': gun,
    'charging.load.save': async () => ({ stationId: (await aPile()).stationId, limitW: 100_000, mode: LoadMode.equal, fallbackW: 7_000 }),
  }
}
