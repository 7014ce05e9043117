import { digestOf } from '../support/server.ts'
import { aPlate, AS, bearer, type Factories, type Fields, type Maker, of, some } from './maker.ts'

/** Merchants and advertisements in the very state that a call asks for. */
export function ready({ row, asked, made, admin, deputy, parkCode }: Maker): Factories {
  const facts = () => ({ name: `商户 ${some()}`, type: 1, contact: '王店长', phone: '13900001333', parkCodes: [parkCode], settleMode: 1 })
  const merchant = async (): Promise<{ id: string; version: number }> => {
    const { id } = await asked(admin, 'merchant.merchant.add', facts())
    return row('select id, version from merchant.merchant where id = $1', [id])
  }
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString()
  const advertisement = () =>
    asked(deputy, 'merchant.advertisement.add', { name: '广告', slot: 1, media: '/a.png', startAt: hours(-1), endAt: hours(1) })
  const sent = async () => asked(deputy, 'merchant.advertisement.update', { ...of(await advertisement()), act: 1 })
  const yesterday = async () => {
    const { id } = await merchant()
    const [{ day }] = [
      await row(
        `insert into merchant.movement (enterprise_id, mch_id, kind, amount_fen, balance_fen, balance_after_fen, used_after_fen, held_after_fen, quota_after_fen, biz_no, at)
          values (1, $1, 1, 100, 100, 100, 0, 0, 0, 'SH1', now() - interval '1 day') returning day::text`,
        [id],
      ),
    ]
    return { mchId: id, day, closingFen: 100 }
  }
  const withCredit = async () => {
    const { id } = await merchant()
    await made('merchant.credit.add', { mchId: id, amountFen: 1000, reason: '试' })
    return { mchId: id, amountFen: 100 }
  }
  /** A merchant at its own page, with coupons to give. */
  const seller = async () => {
    const told = await asked(admin, 'merchant.merchant.add', facts())
    await row('update merchant.merchant set must_change = false where id = $1 returning id', [told.id])
    await made('merchant.credit.add', { mchId: told.id, amountFen: 1000, reason: '试' })
    const password = digestOf(told.login, told.password)
    const { access_token: token } = await asked('', 'merchant.desk.sign-in', { mchNo: told.login, password })
    return { id: told.id, login: told.login, password, token: token as string }
  }
  const sold = async () => {
    const desk = await seller()
    const template = await asked(admin, 'coupon.template.insert', {
      name: `券 ${some()}`,
      type: 1,
      value: 300,
      validType: 2,
      validDays: 30,
      totalQty: 10,
      status: 1,
    })
    const { id: goodId } = await asked(admin, 'coupon.goods.insert', { templateId: template.id, name: '券', priceFen: 100, qty: 2 })
    const { id: soldId } = await asked(admin, 'coupon.sold-record.buy', { mchId: desk.id, goodId, qty: 2, payableFen: 200 })
    return { ...desk, soldId }
  }
  const given = async () => {
    const { token, soldId } = await sold()
    return { token, ...of(await asked(token, 'merchant.desk.validate', { soldId, plateNo: aPlate() })) }
  }
  const by = (token: string, fields: Fields = {}): Fields => ({ ...fields, [AS]: bearer(token) })
  return {
    'merchant.desk.sign-in': async () => {
      const { login, password } = await seller()
      return { mchNo: login, password }
    },
    'merchant.desk.sign-out': async () => by((await seller()).token),
    'merchant.desk.change-password': async () => {
      const { login, password, token } = await seller()
      return by(token, { oldPassword: password, newPassword: digestOf(login, 'another-1') })
    },
    'merchant.desk.home': async () => by((await seller()).token),
    'merchant.desk.validate': async () => {
      const { token, soldId } = await sold()
      return by(token, { soldId, plateNo: aPlate() })
    },
    'merchant.desk.inside': async () => ({ ...by((await seller()).token), ending: '12345' }),
    'merchant.desk.recharge': async () => ({ ...by((await seller()).token), amountFen: 10_000, payMethod: 1 }),
    'merchant.desk.qr': async () => {
      const { token, soldId } = await sold()
      return by(token, { soldId })
    },
    'merchant.desk.issued': async () => by((await seller()).token),
    'merchant.desk.withdraw': async () => {
      const { token, ...which } = await given()
      return by(token, which)
    },
    'merchant.desk.statements': async () => by((await sold()).token),
    'merchant.desk.day': async () => {
      const { id, token } = await sold()
      const { day } = await row('select max(day)::text as day from merchant.movement where mch_id = $1', [id])
      return by(token, { day })
    },
    'merchant.merchant.add': async () => facts(),
    'merchant.merchant.update': async () => ({ ...(await merchant()), contact: '李经理' }),
    'merchant.merchant.delete': merchant,
    'merchant.merchant.update-status': async () => ({ ...(await merchant()), status: 2 }),
    'merchant.merchant.reset-password': async () => ({ custId: (await merchant()).id }),
    'merchant.merchant.import': async () => ({
      file: { name: 'm.csv', text: `名称,类型,联系人,手机,车场,结算方式\n商户 ${some()},店铺,王,13900001333,${parkCode},面值` },
    }),
    'merchant.account.recharge': async () => ({ mchId: (await merchant()).id, amountFen: 100, payMethod: 4 }),
    'merchant.credit.add': async () => ({ mchId: (await merchant()).id, amountFen: 100, reason: '试' }),
    'merchant.credit.delete': withCredit,
    'merchant.statement.confirm': yesterday,
    'merchant.statement.day': yesterday,
    'merchant.advertisement.add': async () => ({ name: '广告', slot: 1, media: '/a.png', startAt: hours(-1), endAt: hours(1) }),
    'merchant.advertisement.update': async () => ({ ...of(await advertisement()), name: '新名' }),
    'merchant.advertisement.audit': async () => ({ ...of(await sent()), act: 2 }),
    'merchant.advertisement.del': async () => ({ id: (await advertisement()).id }),
    'merchant.advertisement.serve': async () => ({
      code: (await row('select code from parking.qrcode_shown where park_code = $1 and target = 1', [parkCode])).code,
      slot: 1,
    }),
  }
}
