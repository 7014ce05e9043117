import { type Factories, type Maker, now, of, some } from './maker.ts'

const DAY_MS = 86_400_000
const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const OPERATOR = 'MATRIX001'
const PERIOD = { startAt: later(0), endAt: later(7) }
const theirs = () => ({ operatorSecret: some() + some(), dataSecret: some() + some(), dataSecretIv: some() + some(), sigSecret: some() + some() })

/** Partners, promotions, faults and dangers in the very state that a call asks for. */
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
  const operatorId = () => `M${some()}`
  const platform = () => asked(admin, 'charging.platform.add', { name: some(), operatorId: operatorId(), role: 1 })
  const activity = () => asked(admin, 'charging.activity.add', { name: some(), kind: 4, value: 100, startAt: later(0), endAt: later(1) })
  const reduce = async () => ({ platformId: (await platform()).id, reduceType: 1, name: some(), value: 900, ...PERIOD })
  const reduced = async () => asked(admin, 'charging.platform-reduce.add', await reduce())
  const connected = async () => {
    const reached = await asked(admin, 'charging.platform.update', { ...of(await platform()), baseUrl: 'https://partner.example/evcs/v1' })
    return asked(admin, 'charging.platform.save-secret', { ...of(reached), ...theirs() })
  }
  const dead = async () => {
    const { id } = await platform()
    return row(
      `insert into charging.partner_message (enterprise_id, platform_id, way, interface, state, said, line) values (1, $1, 2, 'notification_stationStatus', 3, '{}', '') returning id`,
      [id],
    )
  }
  const faulty = async () => asked(admin, 'charging.fault.insert', { connectorId: await gun(), code: some(), level: 1, source: 3 })
  const danger = async () => asked(admin, 'charging.danger.insert', { stationId: await station(), level: 1, kind: 5 })
  const MONTH = '2026-01'
  const statement = async (state = 0, more = '') => {
    const { id } = await platform()
    return row(
      `insert into charging.statement (enterprise_id, statement_no, platform_id, month, state, orders, energy_wh, elec_fen, service_fen, adjust_fen, split_permille, split_fen${more && ', sent_at, sender_id, sender_name'})
        values (1, $1, $2, '${MONTH}', ${state}, 0, 0, 0, 0, 0, 0, 0${more && `, now(), 'x', 'x'`}) returning id, version`,
      [some(), id],
    )
  }
  const difference = async (state = 0) => {
    const { id } = await platform()
    return row(
      `insert into charging.partner_difference (enterprise_id, platform_id, month, day, kind, start_charge_seq, state, submitter_id) values (1, $1, '${MONTH}', '${MONTH}-02', 2, $2, ${state}, 'x') returning id, version`,
      [id, some()],
    )
  }
  const stopped = async () => asked(admin, 'charging.platform.update', { ...of(await platform()), status: 2 })
  return {
    'charging.activity.add': async () => ({ name: some(), kind: 4, value: 100, startAt: now(), endAt: later(1) }),
    'charging.activity.update-state': async () => ({ ...of(await activity()), state: 3 }),
    'charging.platform.add': async () => ({ name: some(), operatorId: operatorId(), role: 1 }),
    'charging.platform.update': async () => ({ ...of(await platform()), remark: some() }),
    'charging.platform.delete': async () => of(await stopped()),
    'charging.platform.rotate-secret': async () => of(await platform()),
    'charging.platform.save-secret': async () => ({ ...of(await platform()), ...theirs() }),
    'charging.platform.test': async () => ({ id: (await connected()).id }),
    'charging.platform.replay': async () => ({ ids: [(await dead()).id] }),
    'charging.statement.check': async () => ({ platformId: (await platform()).id, day: '2026-01-02' }),
    'charging.statement.settle-difference': async () => ({ ...of(await difference()), closing: 1, reason: some() }),
    'charging.statement.decide-difference': async () => ({ ...of(await difference(3)), pass: false }),
    'charging.statement.send': async () => of(await statement()),
    'charging.statement.confirm': async () => of(await statement(1, 'sent')),
    'charging.statement.settle': async () => ({ ...of(await statement(3, 'sent')), tradeNo: some() }),
    'charging.platform-reduce.add': reduce,
    'charging.platform-reduce.update': async () => ({ ...of(await reduced()), name: some() }),
    'charging.platform-reduce.delete': async () => of(await asked(admin, 'charging.platform-reduce.update', { ...of(await reduced()), status: 2 })),
    'charging.fault.insert': async () => ({ connectorId: await gun(), code: some(), level: 1, source: 3 }),
    'charging.fault.update': async () => ({ ...of(await faulty()), state: 3 }),
    'charging.danger.insert': async () => ({ stationId: await station(), level: 1, kind: 5 }),
    'charging.danger.update': async () => ({ ...of(await danger()), state: 1 }),
  }
}
