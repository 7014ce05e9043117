import { openSession, register } from '../../domains/owner/server/api.ts'
import { askStart } from '../../domains/charging/server/api.ts'
import type { Yard } from '../../domains/charging/server/testing.ts'
import { aPeer, type Peer } from '../../gateways/tcec102/testing.ts'
import { run } from '../../platform/server/database.ts'
import { aFreeGun } from './gun.ts'
import { AS, type Factories, type Maker, now, of, some } from './maker.ts'

/** As much as a start sets aside and more. */
const PAY_FEN = 20_000
const CASH = 4
let phones = 0
let paying = 0
const DAY_MS = 86_400_000
const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const PERIOD = { startAt: later(0), endAt: later(7) }
const HOLD_FEN = 500
const theirs = () => ({ operatorSecret: some() + some(), dataSecret: some() + some(), dataSecretIv: some() + some(), sigSecret: some() + some() })

/** Partners, and charges at their stations and at ours, in the very state that a call asks for. */
export const ready = (maker: Maker): Factories => ({ ...partners(maker), ...roaming(maker) })
/** A partner with stations that answers, a gun of it, and charges of our drivers there. */
function roaming(maker: Maker): Factories {
  const { world, row, write, asked, admin, deputy } = maker
  const aGun = () => aFreeGun(maker)
  const sql: Yard['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  let made: Promise<Peer> | undefined
  const peer = () => (made ??= aPeer({ sql, server: { url: world.url } } as Yard, { role: 2 }).then(answering))
  const answering = (one: Peer): Peer => {
    one.answers['query_equip_business_policy'] = { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.6, SevicePrice: 0.4 }] }
    return one
  }
  const gun = async () => {
    const [{ platformId }, stationId] = [await peer(), `R${some()}`]
    await row(
      `insert into roaming.partner_station (enterprise_id, platform_id, station_id, station_name, operator_id, address, station_type, station_status, station_lng, station_lat, heard_at)
        values (1, $1, $2, $2, 'MA9999999', '', 1, 50, 112.1, 32, now())`,
      [platformId, stationId],
    )
    await row(
      `insert into roaming.partner_connector (enterprise_id, platform_id, station_id, equipment_id, connector_id, connector_type, power, heard_at) values (1, $1, $2, 'E', $3, 4, 60, now())`,
      [platformId, stationId, `${stationId}-1`],
    )
    return { platformId, stationId, connectorId: `${stationId}-1` }
  }
  const driver = async () => {
    const phone = `135${String(++phones).padStart(8, '0')}`
    const { id: ownerId } = await write((tx) => register(tx, { phone, nickname: '试', at: now() }))
    const token = await write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))
    return { ownerId, me: { [AS]: `Bearer ${token}` } }
  }
  /** With stored value, on their own page. */
  const withMoney = async () => {
    const { id: ownerId } = await write((tx) => register(tx, { phone: `131${String(++paying).padStart(8, '0')}`, nickname: '试', at: now() }))
    await asked(admin, 'owner.account.recharge', { ownerId, payFen: 20_000, payMethod: 4 })
    return { ownerId, me: { [AS]: `Bearer ${await write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))}` } }
  }
  const charge = async (status: number, ownerId?: string, agreed = false) => {
    const { platformId, stationId, connectorId } = await gun()
    return row(
      `insert into roaming.roaming (enterprise_id, order_no, start_charge_seq, platform_id, station_id, station_name, connector_id, power_kw, owner_id, payer, status, prices, hold_fen, held${agreed ? ', agreed_fen, agreed_id, agreed_name' : ''})
        values (1, $1, $1, $2, $3, $3, $4, 60, $5, '试', ${status}, '[]', 500, false${agreed ? `, 0, 'x', 'x'` : ''}) returning id, version`,
      [`KP${some()}`, platformId, stationId, connectorId, ownerId ?? (await driver()).ownerId],
    )
  }
  return {
    'charging.partner-station.fetch': async () => ({ platformId: (await peer()).platformId }),
    'charging.roaming.stop': async () => ({ id: (await charge(2)).id, reason: some() }),
    'charging.roaming.settle': async () => ({ ...of(await charge(7)), amountFen: 0, reason: some() }),
    'charging.roaming.settle-decide': async () => ({ ...of(await charge(7, undefined, true)), pass: true }),
    'charging.mine.begin': async () => {
      const [{ connectorId }, { me }] = [await aGun(), await withMoney()]
      return { ...me, connectorId, holdFen: HOLD_FEN }
    },
    'charging.mine.end': async () => {
      const [{ connectorId }, { ownerId, me }] = [await aGun(), await withMoney()]
      const { charge } = await write((tx) => askStart(tx, { connectorId, startMode: 1, pays: 'stored', prepayFen: HOLD_FEN, ownerId, at: now() }))
      return { ...me, orderNo: charge.orderNo }
    },
    'charging.mine.start': async () => {
      const [{ platformId, connectorId }, { ownerId, me }] = [await gun(), await driver()]
      await asked(deputy, 'owner.account.recharge', { ownerId, payFen: PAY_FEN, payMethod: CASH })
      return { ...me, platformId, connectorId }
    },
    'charging.mine.stop': async () => {
      const { ownerId, me } = await driver()
      return { ...me, id: (await charge(2, ownerId)).id }
    },
  }
}

/** Partners, what they are allowed and what is reckoned with them, in the very state that a call asks for. */
function partners({ row, asked, admin }: Maker): Factories {
  const operatorId = () => `M${some()}`
  const platform = () => asked(admin, 'charging.platform.add', { name: some(), operatorId: operatorId(), role: 1 })
  const reduce = async () => ({ platformId: (await platform()).id, reduceType: 1, name: some(), value: 900, ...PERIOD })
  const reduced = async () => asked(admin, 'charging.platform-reduce.add', await reduce())
  const connected = async () => {
    const reached = await asked(admin, 'charging.platform.update', { ...of(await platform()), baseUrl: 'https://partner.example/evcs/v1' })
    return asked(admin, 'charging.platform.save-secret', { ...of(reached), ...theirs() })
  }
  const dead = async () => {
    const { id } = await platform()
    return row(
      `insert into roaming.partner_message (enterprise_id, platform_id, way, interface, state, said, line) values (1, $1, 2, 'notification_stationStatus', 3, '{}', '') returning id`,
      [id],
    )
  }
  const MONTH = '2026-01'
  const statement = async (state = 0, more = '') => {
    const { id } = await platform()
    return row(
      `insert into roaming.statement (enterprise_id, statement_no, platform_id, month, state, orders, energy_wh, elec_fen, service_fen, adjust_fen, split_permille, split_fen${more && ', sent_at, sender_id, sender_name'})
        values (1, $1, $2, '${MONTH}', ${state}, 0, 0, 0, 0, 0, 0, 0${more && `, now(), 'x', 'x'`}) returning id, version`,
      [some(), id],
    )
  }
  const difference = async (state = 0) => {
    const { id } = await platform()
    return row(
      `insert into roaming.partner_difference (enterprise_id, platform_id, month, day, kind, start_charge_seq, state, submitter_id) values (1, $1, '${MONTH}', '${MONTH}-02', 2, $2, ${state}, 'x') returning id, version`,
      [id, some()],
    )
  }
  const stopped = async () => asked(admin, 'charging.platform.update', { ...of(await platform()), status: 2 })
  return {
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
  }
}
