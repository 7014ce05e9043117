import { type Factories, type Maker, of, some } from './maker.ts'

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
  return {
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
