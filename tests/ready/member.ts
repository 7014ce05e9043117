import { bindCar, openSession, register } from '../../domains/owner/server/api.ts'
import { AS, aPlate, csv, type Factories, type Maker, now, of, some } from './maker.ts'

const PRICE_FEN = 30_000
const CASH = 4

/** Customers, kinds of pass and passes in the very state that a call asks for; cars on lists. */
export function ready({ asked, row, write, admin, parkCode }: Maker): Factories {
  const aPhone = () => `139${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  const list = (fields: object = {}) =>
    asked(admin, 'member.white-black.insert', {
      plateNo: aPlate(),
      listType: 1,
      startAt: now(),
      endAt: later(1),
      reasonType: 1,
      parkCodes: [parkCode],
      ...fields,
    })
  const listed = async () => of((await list()).entries[0])
  const proposed = async () => {
    const made = (await list({ listType: 2 })).entries[0]
    return of(await row('update member.list set decided = 0 where id = $1 returning id, version', [made.id]))
  }
  const plan = () =>
    asked(admin, 'member.car-fees.insert', { name: `套餐${some()}`, priceFen: PRICE_FEN, periodUnit: 2, periodCount: 1, validType: 2, timeWindow: 1 })
  const group = async (fields: object = {}) => {
    const [sold, made] = [
      await plan(),
      await asked(admin, 'member.group.insert', { name: `分组${some()}`, type: 1, parkCodes: [parkCode], ...fields }),
    ]
    return { plan: sold, group: await asked(admin, 'member.group.config-car-fees-rule', { groupId: made.id, carFeesIds: [sold.id] }) }
  }
  const customer = async (fields: object = {}) => {
    const { id } = await asked(admin, 'member.customer.insert', { name: '李四', phone: aPhone(), ...fields })
    return row('select id, version from member.customer where id = $1', [id])
  }
  const sale = async (fields: object = {}) => {
    const made = await group(fields)
    return {
      groupId: made.group.id,
      carFeesId: made.plan.id,
      periods: 1,
      plates: [{ plateNo: aPlate() }, { plateNo: aPlate() }],
      payableFen: PRICE_FEN,
      payMethod: CASH,
    }
  }
  const pass = async (fields: object = {}) => {
    const { passId } = await asked(admin, 'member.pass.sell', { memberId: (await customer()).id, ...(await sale(fields)) })
    return row('select id, version, member_id from member.pass where id = $1', [passId])
  }
  const stopped = async () => of(await asked(admin, 'member.seat.stop', { ...of(await pass()), reason: '试' }))
  const reviewed = async () => of(await pass({ review: true }))
  /** Approved, with an order that nobody has paid. */
  const unpaid = async () => {
    const held = await reviewed()
    await asked(admin, 'member.pass.audit', { ...held, pass: true })
    return row('select id, version from member.pass where id = $1', [held.id])
  }
  const car = async () => of(await row('select id, version from member.car where member_id = $1 limit 1', [(await pass()).member_id]))
  const rule = () => asked(admin, 'member.access-rule.insert', { parkCode, name: `规则${some()}`, effect: 2, timeFrom: '01:00', timeTo: '01:01' })
  /** A driver who is signed in, with plates that are verified as theirs. */
  const driver = async (cars = 1) => {
    const [phone, at] = [aPhone(), now()]
    const plates = Array.from({ length: cars }, aPlate)
    const token = await write(async (tx) => {
      const { id } = await register(tx, { phone, nickname: '试', at })
      for (const plateNo of plates) await bindCar(tx, { ownerId: id, plateNo, at })
      return openSession(tx, id, '127.0.0.1', at)
    })
    for (const plateNo of plates) await row('update owner.car set verify_state = 1 where plate_no = $1 returning id', [plateNo])
    return { phone, plates, me: { [AS]: `Bearer ${token}` } }
  }
  const driversPass = async (cars = 1) => {
    const { phone, plates, me } = await driver(cars)
    const sold = { ...(await sale({ online: true })), plates: [{ plateNo: plates[0] }] }
    const { passId } = await asked(admin, 'member.pass.sell', { memberId: (await customer({ phone })).id, ...sold })
    return { me, plates, pass: of(await row('select id, version from member.pass where id = $1', [passId])) }
  }
  const quoted = async () => {
    const { me, pass: held } = await driversPass()
    const { quote } = await asked(admin, 'member.seat.defer-confirm', { ...held, kind: 1, periods: 1, confirm: 0, payMethod: CASH })
    return { me, held, quoteNo: quote.quoteNo }
  }
  return {
    'member.mine.buy': async () => {
      const { me, plates } = await driver()
      const { groupId, carFeesId } = await sale({ online: true })
      return { ...me, groupId, carFeesId, plates, periods: 1, startAt: now(), payableFen: PRICE_FEN, payMethod: 1 }
    },
    'member.mine.renew': async () => {
      const { me, held, quoteNo } = await quoted()
      return { ...me, id: held.id, periods: 1, quoteNo, payMethod: 1 }
    },
    'member.mine.pay': async () => {
      const { me, held, quoteNo } = await quoted()
      await asked(admin, 'member.seat.defer-confirm', { ...held, kind: 1, periods: 1, confirm: 1, quoteNo, payMethod: 1 })
      return { ...me, id: held.id, payMethod: 1 }
    },
    'member.mine.change-plate': async () => {
      const { me, pass: held, plates } = await driversPass(2)
      return { ...me, ...held, plateNo: plates[0], newPlateNo: plates[1] }
    },
    'member.mine.refund': async () => {
      const { me, pass: held } = await driversPass()
      return { ...me, ...held, dryRun: false }
    },
    'member.white-black.insert': async () => ({ plateNo: aPlate() }),
    'member.white-black.update': listed,
    'member.white-black.delete': listed,
    'member.white-black.defer': async () => ({ ...(await listed()), endAt: later(2) }),
    'member.white-black.decide': async () => ({ ...(await proposed()), accept: false }),
    'member.white-black.unit-quota': async () => ({ unit: some(), parkCode, bays: 1 }),
    'member.car-fees.insert': async () => ({ name: `套餐${some()}`, periodUnit: 2, validType: 2 }),
    'member.car-fees.update': async () => ({ ...of(await plan()), name: `套餐${some()}`, periodUnit: 2, validType: 2 }),
    'member.car-fees.delete': async () => of(await plan()),
    'member.group.insert': async () => ({ name: `分组${some()}`, parkCodes: [parkCode], homePark: parkCode, parentId: null }),
    'member.group.update': async () => ({ ...of((await group()).group), name: `分组${some()}`, homePark: parkCode, parentId: null }),
    'member.group.delete': async () => of((await group()).group),
    'member.group.config-fee-index': async () => ({ groupId: (await group()).group.id, feeIndex: null, parkCode }),
    'member.group.config-car-fees-rule': async () => {
      const made = await group()
      return { groupId: made.group.id, carFeesIds: [made.plan.id], defaultId: made.plan.id }
    },
    'member.group.disable': async () => of((await group()).group),
    'member.group.config-park-access': async () => ({
      groupId: (await group()).group.id,
      parkCodes: [parkCode],
      accessRuleIds: [],
      homePark: parkCode,
    }),
    'member.access-rule.insert': async () => ({
      parkCode,
      gates: [],
      memberGroups: [],
      dateFrom: null,
      dateTo: null,
      effect: 2,
      timeFrom: '01:00',
      timeTo: '01:01',
    }),
    'member.access-rule.update-yes': async () => ({ ...of(await rule()), yes: 0 }),
    'member.access-rule.update': async () => ({ ...of(await rule()), gates: [], memberGroups: [], dateFrom: null, dateTo: null }),
    'member.access-rule.delete': async () => of(await rule()),
    'member.customer.insert': async () => ({ phone: aPhone(), cars: [{ plateNo: aPlate() }], pass: await sale() }),
    'member.customer.update': async () => ({ ...of(await customer()), phone: aPhone() }),
    'member.car.insert': async () => ({ memberId: (await customer()).id, plateNo: aPlate(), passIds: [] }),
    'member.car.update': async () => ({ ...(await car()), plateNo: aPlate() }),
    'member.car.delete': async () => {
      const held = await pass()
      const one = await row('select id, version from member.car where member_id = $1 limit 1', [held.member_id])
      return { ...of(one), passId: held.id }
    },
    'member.seat.stop': async () => ({ ...of(await pass()), until: later(5) }),
    'member.seat.start': stopped,
    'member.seat.defer-confirm': async () => ({ ...of(await pass()), kind: 1, periods: 1, confirm: 0, payMethod: CASH }),
    'member.seat.delete': reviewed,
    'member.pass.sell': async () => ({ memberId: (await customer()).id, ...(await sale()), startAt: later(1), seatCode: some(), seats: 1 }),
    'member.pass.pay': async () => ({ id: (await unpaid()).id, payMethod: CASH }),
    'member.pass.cancel-order': async () => of(await unpaid()),
    'member.pass.audit': async () => ({ ...(await reviewed()), pass: false, verdict: '资料不全' }),
    'member.pass.refund': async () => of(await pass()),
    'member.pass.withdraw-refund': async () => of(await asked(admin, 'member.pass.refund', { ...of(await pass()), reason: '试' })),
    'member.pass.renew-many': async () => ({ ids: [(await pass()).id], periods: 1, dryRun: false }),
    'member.excel.import-member': async () => {
      const made = await group()
      return {
        ...csv({ 姓名: '王五', 手机: aPhone(), 车牌: aPlate(), 月卡类型: made.group.name, 开始: '2026-11-01', 结束: '2027-10-31' }),
        groupId: made.group.id,
        parkCode,
      }
    },
    'member.excel.import-white': async () => csv({ 车牌: aPlate(), 开始: '2026-11-01 00:00:00', 原因: '访客' }),
    'member.excel.import-black': async () => csv({ 车牌: aPlate(), 开始: '2026-11-01 00:00:00', 原因: '逃费' }),
  }
}
/** So many days from now. */
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
