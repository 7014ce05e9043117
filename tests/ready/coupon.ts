import { openOrder } from '../../domains/settlement/server/api.ts'
import { exchange } from '../../domains/coupon/server/pointsExchange.ts'
import { makeCode } from '../../domains/merchant/server/code.ts'
import { bindCar, openSession, register } from '../../domains/owner/server/api.ts'
import { AS, aPlate, bearer, type Factories, type Maker, now, of, some } from './maker.ts'

/** Coupons and what they are sold by, in the very state that a call asks for. */
export function ready({ row, asked, write, admin, deputy, parkCode }: Maker): Factories {
  const terms = () => ({ name: `券 ${some()}`, type: 1, value: 300, validType: 2, validDays: 30, totalQty: 1000 })
  const template = (more: object = {}) => asked(admin, 'coupon.template.insert', { ...terms(), status: 1, ...more })
  const article = async () => asked(admin, 'coupon.goods.insert', { templateId: (await template()).id, name: '券', priceFen: 100, qty: 10 })
  const merchant = async (): Promise<string> => {
    const facts = { name: `商户 ${some()}`, type: 1, contact: '王店长', phone: '13900001333', parkCodes: [parkCode], settleMode: 1 }
    const { id } = await asked(admin, 'merchant.merchant.add', facts)
    await asked(admin, 'merchant.credit.add', { mchId: id, amountFen: 100_000, reason: '试' })
    return id
  }
  const purchase = async () => ({ mchId: await merchant(), goodId: (await article()).id, qty: 2, payableFen: 200 })
  const sale = async () => asked(admin, 'coupon.sold-record.buy', await purchase())
  const coupon = async () => {
    const plate = aPlate()
    await asked(admin, 'coupon.coupon.send-to-car', { soldId: (await sale()).id, plates: [plate], reason: '试' })
    return row('select id, version from coupon.coupon where plate_no = $1', [plate])
  }
  const inDays = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
  const pointsRule = () => ({ name: `规则 ${some()}`, event: 1, ratio: 10, startAt: inDays(-1), endAt: inDays(30) })
  const holder = () => ({ phone: `139${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`, name: '王女士', plates: [aPlate()] })
  const account = async (): Promise<string> => {
    const { id } = await asked(admin, 'coupon.points-account.open', holder())
    await asked(admin, 'coupon.points-account.grant', { accountId: id, points: 1000, reason: '试' })
    return id
  }
  const grantAsked = async (who: string) => {
    const accountId = await account()
    await asked(who, 'coupon.points-account.grant', { accountId, points: 50_000, reason: '试' })
    return row('select id, version from coupon.points_grant where account_id = $1', [accountId])
  }
  const prize = () => asked(admin, 'coupon.points-goods.add', { name: '雨伞', pointsPrice: 100, stock: 5 })
  const toExchange = async () => ({ accountId: await account(), goodId: (await prize()).id, qty: 1 })
  const exchanged = async () => of(await asked(admin, 'coupon.points-order.exchange', await toExchange()))
  const toOffset = async () => {
    await asked(admin, 'coupon.points-account.set-parks', { parks: [{ parkCode, earn: true, spend: true, capPermille: 1000 }] })
    const { id } = await write((tx) => openOrder(tx, { type: 1, plateNo: aPlate(), plateColor: 0, parkCode, receivableFen: 100, at: now() }))
    return { accountId: await account(), orderId: id }
  }
  /** A driver with a car that is verified as theirs. */
  const driver = async (phone = holder().phone) => {
    const [plateNo, at] = [aPlate(), now()]
    const token = await write(async (tx) => {
      const { id } = await register(tx, { phone, nickname: '试', at })
      await bindCar(tx, { ownerId: id, plateNo, at })
      return openSession(tx, id, '127.0.0.1', at)
    })
    await row('update owner.car set verify_state = 1 where plate_no = $1 returning id', [plateNo])
    return { [AS]: bearer(token), plateNo }
  }
  /** A parking fee of theirs, and as many points as it is. */
  const toPay = async () => {
    await asked(admin, 'coupon.points-account.set-parks', { parks: [{ parkCode, earn: true, spend: true, capPermille: 1000 }] })
    const { phone } = await row('select phone from coupon.points_account where id = $1', [await account()])
    const { plateNo, ...as } = await driver(phone)
    const { orderNo } = await write((tx) => openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode, receivableFen: 100, at: now() }))
    return { ...as, orderNo, points: 100, payMethod: 11 }
  }
  /** The code of a merchant that has sold coupons left. */
  const toScan = async () => {
    const { mchId, id: soldId } = await sale()
    const { path } = await write((tx) => makeCode(tx, { mchId, soldId, enterprise: 1, at: now() }))
    return { ...(await driver()), code: new URL(path, 'http://localhost').searchParams.get('coupon')! }
  }
  /** A free coupon for drivers. */
  const toClaim = async () => {
    const { id: goodId } = await asked(admin, 'coupon.goods.insert', {
      templateId: (await template()).id,
      name: '券',
      priceFen: 0,
      audience: 2,
      qty: 5,
    })
    return { ...(await driver()), goodId }
  }
  const toCheckIn = async () => {
    await asked(admin, 'coupon.points-rule.add', { ...pointsRule(), event: 4 })
    const { [AS]: as } = await driver()
    return { [AS]: as }
  }
  /** A driver with points, and an article that they buy, with cash beside them. */
  const toTake = async (cashFen = 0) => {
    const { phone } = await row('select phone from coupon.points_account where id = $1', [await account()])
    const { [AS]: as } = await driver(phone)
    const { id: goodId } = await asked(admin, 'coupon.points-goods.add', { name: '雨伞', pointsPrice: 100, stock: 5, cashFen })
    return { [AS]: as, goodId, qty: 1, points: 100, cashFen, payMethod: 1, phone }
  }
  /** An exchange of theirs whose cash is not paid. */
  const waiting = async () => {
    const { [AS]: as, goodId, phone } = await toTake(300)
    const { id: accountId } = await row('select id from coupon.points_account where phone = $1', [phone])
    return { as, ...of(await write((tx) => exchange(tx, { accountId, goodId, qty: 1, by: '试', at: now() }))) }
  }
  return {
    'coupon.mine.check-in': toCheckIn,
    'coupon.mine.exchange': async () => {
      const { phone: _, ...wanted } = await toTake()
      return wanted
    },
    'coupon.mine.pay-exchange': async () => {
      const { as, id } = await waiting()
      return { [AS]: as, id, payMethod: 1 }
    },
    'coupon.mine.cancel-exchange': async () => {
      const { as, id, version } = await waiting()
      return { [AS]: as, id, version }
    },
    'coupon.mine.claim': toClaim,
    'coupon.mine.scan': toScan,
    'coupon.mine.pay': toPay,
    'coupon.points-rule.add': async () => pointsRule(),
    'coupon.points-rule.update': async () => ({ ...of(await asked(admin, 'coupon.points-rule.add', pointsRule())), ratio: 20 }),
    'coupon.points-rule.delete': async () => ({ id: (await asked(admin, 'coupon.points-rule.add', pointsRule())).id }),
    'coupon.points-rule.import-date': async () => ({
      file: { name: 'r.csv', text: `名称,事件,每元积分,开始,结束\n规则 ${some()},停车缴费,5,2027-01-01 00:00:00,2027-12-31 00:00:00` },
    }),
    'coupon.points-account.set-parks': async () => ({ parks: [{ parkCode, earn: true, spend: true, capPermille: 1000 }] }),
    'coupon.points-account.open': async () => holder(),
    'coupon.points-account.grant': async () => ({ accountId: await account(), points: 10, reason: '试' }),
    'coupon.points-account.offset': toOffset,
    'coupon.points-grant.approve': async () => of(await grantAsked(deputy)),
    'coupon.points-grant.reject': async () => ({ ...of(await grantAsked(deputy)), verdict: '不符' }),
    'coupon.points-grant.withdraw': async () => of(await grantAsked(admin)),
    'coupon.points-grant.set-limit': async () => ({ alone: 10_000 }),
    'coupon.points-goods.add': async () => ({ name: '雨伞', pointsPrice: 100, stock: 5 }),
    'coupon.points-goods.update': async () => ({ ...of(await prize()), name: '新名' }),
    'coupon.points-goods.number-addition': async () => ({ id: (await prize()).id, num: 2 }),
    'coupon.points-order.exchange': toExchange,
    'coupon.points-order.deliver': exchanged,
    'coupon.points-order.cancel': async () => ({ ...(await exchanged()), reason: '试' }),
    'coupon.template.insert': async () => terms(),
    'coupon.template.update': async () => ({ ...of(await template({ status: 0 })), name: '新名' }),
    'coupon.template.delete': async () => of(await template({ status: 0 })),
    'coupon.goods.insert': async () => ({ templateId: (await template()).id, name: '券', priceFen: 100 }),
    'coupon.goods.update': async () => ({ ...of(await article()), name: '新名' }),
    'coupon.goods-record.replenish': async () => ({ goodId: (await article()).id, qty: 5 }),
    'coupon.sold-record.buy': purchase,
    'coupon.sold-record.give-back': async () => ({ ...of(await sale()), qty: 1 }),
    'coupon.coupon.send-to-car': async () => ({ soldId: (await sale()).id, plates: [aPlate()], reason: '试' }),
    'coupon.coupon.withdraw': async () => ({ ...of(await coupon()), reason: '试' }),
  }
}
