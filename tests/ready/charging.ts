import { began, ended } from '../../domains/charging/server/api.ts'
import { LoadMode } from '../../domains/charging/contract/load.ts'
import { overdue, sweepOne } from '../../domains/charging/server/sweep.ts'
import { payCash } from '../../domains/settlement/server/api.ts'
import { askStart } from '../../domains/charging/server/api.ts'
import { aroundCharges } from './aroundCharges.ts'
import { aFreeGun, atTheGun, FLAT } from './gun.ts'
import { aPlate, type Factories, type Maker, now, some } from './maker.ts'
import { aLinkedPile, piles } from './pile.ts'

const SPAN_MS = 20 * 60_000
const later = (ms: number) => new Date(Date.now() + ms).toISOString() as ReturnType<typeof now>

/** Prices, cards and charges in the very state that a call asks for, and what is made of piles. */
export const ready = (maker: Maker): Factories => ({
  ...piles(maker),
  ...desk(maker),
  ...aroundCharges(maker),
})
function desk(maker: Maker): Factories {
  const { write, row, asked, admin } = maker
  const aGun = () => aFreeGun(maker)
  const code = () => some().slice(0, 8)
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
  const aCard = () => ({ cardNo: `T${code()}`, kind: 3 })
  return {
    ...atTheGun(maker),
    'charging.load.save': async () => ({ stationId: (await aLinkedPile(maker)).stationId, limitW: 100_000, mode: LoadMode.equal, fallbackW: 7_000 }),
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
