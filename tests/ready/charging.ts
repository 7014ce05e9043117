import { began, ended } from '../../domains/charging/server/api.ts'
import { overdue, sweepOne } from '../../domains/charging/server/sweep.ts'
import { openSession, register } from '../../domains/owner/server/api.ts'
import { payCash } from '../../domains/settlement/server/api.ts'
import { askStart } from '../../domains/charging/server/api.ts'
import { aroundCharges } from './aroundCharges.ts'
import { atTheGun } from './gun.ts'
import { AS, aPlate, csv, type Factories, type Maker, now, some } from './maker.ts'
import { piles } from './pile.ts'
import { roaming } from './roaming.ts'

const SPAN_MS = 20 * 60_000
const HOLD_FEN = 500
let phones = 0
const later = (ms: number) => new Date(Date.now() + ms).toISOString() as ReturnType<typeof now>
const FLAT = [{ from: '00:00', to: '24:00', kind: 3, elecPriceE4: 6000, servicePriceE4: 4000 }]

/** Links of piles and their commands, stations, piles and charges in the very state that a call asks for. */
export const ready = (maker: Maker): Factories => ({ ...piles(maker), ...desk(maker), ...aroundCharges(maker), ...roaming(maker) })
function desk(maker: Maker): Factories {
  const { write, row, asked, admin, parkCode } = maker
  const code = () => some().slice(0, 8)
  const anOperator = () =>
    asked(admin, 'charging.operator.save-or-update', { operatorId: `M${code()}`, operatorName: '运营商', operatorTel1: '02788880000' })
  const aStation = async () => {
    const { operatorId } = await anOperator()
    return asked(admin, 'charging.station.save', {
      stationId: `S${code()}`,
      stationName: '站',
      operatorId,
      parkCode,
      regionCode: '420607',
      address: '路',
      serviceTel: '4000000000',
      stationLng: 112.1,
      stationLat: 32,
      stationStatus: 50,
    })
  }
  const aPile = async (station?: { stationId: string }) =>
    asked(admin, 'charging.pile.save-info', {
      equipmentId: `E${code()}`,
      equipmentName: '桩',
      stationId: (station ?? (await aStation())).stationId,
      equipmentType: 1,
      power: 60,
    })
  const gunOf = (equipmentId: string) => ({
    connectorId: `G${code()}`,
    equipmentId,
    connectorType: 4,
    power: 60,
    voltageUpper: 750,
    voltageLower: 200,
    current: 250,
    ocppConnectorNo: 1,
  })
  /** On line, and free. */
  const aGun = async () => {
    const station = await aStation()
    await asked(admin, 'charging.strategy.insert', { name: '价', periods: FLAT, stationIds: [station.stationId], publish: true })
    const pile = await aPile(station)
    await asked(admin, 'charging.pile.update-status', { id: pile.id, status: 1, reason: '试' })
    const gun = await asked(admin, 'charging.connector.save', gunOf(pile.equipmentId))
    await row(
      `insert into charging.connector_state (enterprise_id, connector_id, park_code, status, status_at) values (1, $1, $2, 1, now()) returning connector_id`,
      [gun.connectorId, parkCode],
    )
    await row(`insert into charging.pile_state (enterprise_id, equipment_id, park_code, online) values (1, $1, $2, true) returning equipment_id`, [
      gun.equipmentId,
      parkCode,
    ])
    return gun as { connectorId: string; equipmentId: string }
  }
  /** Paid in advance, charged, and billed where `billed`: else nobody told what its register was at the end. */
  const aCharge = async (billed: boolean) => {
    const { connectorId, equipmentId } = await aGun()
    const { charge, hold } = await write((tx) => askStart(tx, { connectorId, startMode: 1, pays: 'prepaid', plateNo: aPlate(), at: now() }))
    const { id } = await row(`select id from identity.person where username = 'admin' and enterprise_id = 1`)
    await write((tx) => payCash(tx, { orderId: hold!.settlementId!, amountFen: hold!.holdFen, actor: { userId: id, userName: 'admin' }, at: now() }))
    const { token } = await row('select token from charging.charge where order_no = $1', [charge.orderNo])
    const { transactionId } = await write((tx) =>
      began(tx, { connectorId, transactionId: null, idTag: token, meterWh: 1_000, at: now(), receivedAt: now(), offline: false }),
    )
    const meterWh = billed ? 16_000 : null
    await write((tx) => ended(tx, { equipmentId, transactionId, meterWh, reason: 0, at: later(SPAN_MS), receivedAt: later(SPAN_MS), offline: false }))
    const at = later(2 * SPAN_MS)
    for (const one of await write((tx) => overdue(tx, at))) if (one.orderNo === charge.orderNo) await write((tx) => sweepOne(tx, one, at))
    return { orderNo: charge.orderNo }
  }
  const aStrategy = () => asked(admin, 'charging.strategy.insert', { name: '价', periods: FLAT })
  const users = () => ({
    name: '折',
    users: [{ plateNo: aPlate() }],
    servicePermille: 900,
    validFrom: '2026-01-01T00:00:00Z',
    validTo: '2030-01-01T00:00:00Z',
  })
  /** With stored value, on their own page. */
  const driver = async () => {
    const { id: ownerId } = await write((tx) => register(tx, { phone: `131${String(++phones).padStart(8, '0')}`, nickname: '试', at: now() }))
    await asked(admin, 'owner.account.recharge', { ownerId, payFen: 20_000, payMethod: 4 })
    return { ownerId, me: { [AS]: `Bearer ${await write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))}` } }
  }
  const aCard = () => ({ cardNo: `T${code()}`, kind: 3 })
  return {
    ...atTheGun(maker, aGun),
    'charging.mine.begin': async () => {
      const [{ connectorId }, { me }] = [await aGun(), await driver()]
      return { ...me, connectorId, holdFen: HOLD_FEN }
    },
    'charging.mine.end': async () => {
      const [{ connectorId }, { ownerId, me }] = [await aGun(), await driver()]
      const { charge } = await write((tx) => askStart(tx, { connectorId, startMode: 1, pays: 'stored', prepayFen: HOLD_FEN, ownerId, at: now() }))
      return { ...me, orderNo: charge.orderNo }
    },
    'charging.operator.save-or-update': async () => ({ operatorId: `M${code()}`, operatorName: '运营商', operatorTel1: '02788880000' }),
    'charging.operator.delete': async () => ((one) => ({ id: one.id, version: one.version }))(await anOperator()),
    'charging.station.save': async () => ({
      stationId: `S${code()}`,
      stationName: '站',
      operatorId: (await anOperator()).operatorId,
      parkCode,
      regionCode: '420607',
      address: '路',
      serviceTel: '4000000000',
      stationLng: 112.1,
      stationLat: 32,
    }),
    'charging.equipment.save': async () => ({
      equipmentId: `E${code()}`,
      equipmentName: '桩',
      stationId: (await aStation()).stationId,
      equipmentType: 1,
      power: 60,
    }),
    'charging.pile.save-info': async () => ({
      equipmentId: `E${code()}`,
      equipmentName: '桩',
      stationId: (await aStation()).stationId,
      equipmentType: 1,
      power: 60,
    }),
    'charging.pile.import': async () =>
      csv({ '充电桩 ID': `E${code()}`, 充电桩名称: '桩', '充电站 ID': (await aStation()).stationId, 桩类型: '直流设备', '额定功率（kW）': '60' }),
    'charging.pile.del': async () => ((one) => ({ id: one.id, version: one.version }))(await aPile()),
    'charging.pile.update-status': async () => ({ id: (await aPile()).id, status: 1, reason: '试' }),
    'charging.connector.save': async () => gunOf((await aPile()).equipmentId),
    'charging.connector.del': async () =>
      ((one) => ({ id: one.id, version: one.version }))(await asked(admin, 'charging.connector.save', gunOf((await aPile()).equipmentId))),
    'charging.strategy.insert': async () => ({ name: '价', periods: FLAT }),
    'charging.strategy.del': async () => ({ id: (await aStrategy()).id }),
    'charging.strategy.insert-user': async () => users(),
    'charging.strategy.del-user': async () => ({ id: (await asked(admin, 'charging.strategy.insert-user', users()))[0].id }),
    'charging.card.save': async () => aCard(),
    'charging.card.update-status': async () =>
      ((one) => ({ id: one.id, version: one.version, status: 2 }))(await asked(admin, 'charging.card.save', aCard())),
    'charging.order.close': async () => ({ ...(await aCharge(false)), reason: '试' }),
    'charging.order.bind-plate': async () => ({ ...(await aCharge(true)), plateNo: aPlate(), plateColor: 4 }),
    'charging.order.adjust': async () => ({ ...(await aCharge(true)), adjustFen: -100, reason: '试' }),
    'charging.order.refund': async () => ({ ...(await aCharge(true)), refundFen: 100, reason: '试' }),
  }
}
