import { aPlate, type Factories, type Maker, of, some } from './maker.ts'

/** Coupons and what they are sold by, in the very state that a call asks for. */
export function ready({ row, asked, admin, parkCode }: Maker): Factories {
  const terms = () => ({ name: `券 ${some()}`, type: 1, value: 300, validType: 2, validDays: 30, totalQty: 1000 })
  const template = (more: object = {}) => asked(admin, 'coupon.template.insert', { ...terms(), status: 1, ...more })
  const article = async () => asked(admin, 'coupon.goods.insert', { templateId: (await template()).id, name: '券', priceFen: 100, qty: 10 })
  const merchant = async (): Promise<string> => {
    const facts = { name: `商户 ${some()}`, type: 1, contact: '王店长', phone: '13900001111', parkCodes: [parkCode], settleMode: 1 }
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
  return {
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
