import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../../../platform/contract/field.ts'
import type { Day } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import { PassStatus, PassWindow } from '../../contract/pass.ts'
import { RefundRule } from '../../contract/plan.ts'
import { daysOn, endOf, monthsOn, priceOf } from './calendar.ts'
import { earnDay } from './income.ts'
import { refuseMuch } from './refund.ts'
import { anOffice, aPlate, type Office } from '../testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

const today = () => startOf(dayOf(instantAt(Date.now())))
const earnUntil = async (at: Instant) => office.server.house.writing(1, 'test', (tx) => earnDay(tx, at))
/** As if it had been sold so many days ago. */
const sinceDays = async (id: string, days: number) => {
  const back = `- make_interval(days => ${days})`
  await office.sql(`update member.pass_car set start_at = start_at ${back}, end_at = end_at ${back} where pass_id = $1`, [id])
  await office.sql(`update member.pass set start_at = start_at ${back}, end_at = end_at ${back} where id = $1`, [id])
  await office.sql(`update member.period set start_at = start_at ${back}, end_at = end_at ${back} where pass_id = $1`, [id])
}
const ledgerOf = async (id: string) =>
  (
    await office.sql(
      "select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.line where account = 'liability.pass' and sub = $1",
      [id],
    )
  )[0].fen as number
const earnedOf = async (id: string) =>
  (await office.sql('select coalesce(sum(amount_fen), 0)::bigint as fen, count(*)::int as days from member.earning where pass_id = $1', [id]))[0]
const days = { plan: { periodUnit: 1, periodCount: 30, priceFen: 30_000 } }
const renewal = async (id: string, more: object = {}) => {
  const { version } = await office.pass(id)
  return office.call('/custom/deferConfirmMemberSeat', { id, version, kind: 1, periods: 1, confirm: 0, ...more })
}
const outcomes = async ({ call, target }: { call: string; target: string }) => {
  const { data } = await office.ask(office.admin, '/business/system/selectSystemOperationLogPage', { call })
  return data.records
    .filter((line: any) => line.target.includes(target))
    .map((line: any) => line.outcome)
    .sort()
}
const renewed = async (id: string) => {
  const { data } = await renewal(id)
  return renewal(id, { confirm: 1, quoteNo: data.quote.quoteNo })
}

describe('selling', () => {
  test('paid in cash it is valid at once; a plate that is covered already is refused with the pass in its way, whatever the colour where one is unknown', async () => {
    const made = await office.aGroup()
    const plateNo = aPlate()
    const memberId = await office.aCustomer()
    const sell = (plateColor?: number) =>
      office.call('/pass/sell', {
        memberId,
        groupId: made.group.id,
        carFeesId: made.plan.id,
        periods: 1,
        plates: [{ plateNo, ...(plateColor !== undefined && { plateColor }) }],
        payableFen: 30_000,
        payMethod: 4,
      })
    const { passId } = (await sell(1)).data
    const pass = await office.pass(passId)
    expect(pass).toMatchObject({ status: PassStatus.valid, paidFen: 30_000, plates: [plateNo], groupName: made.group.name })
    expect(await ledgerOf(passId)).toBe(30_000)
    expect((await sell(2)).code).toBe(200)
    expect(await sell(1)).toMatchObject({ code: 40030, data: { passNo: pass.passNo } })
    await expect(office.sql('update member.pass_car set plate_color = null where pass_id = $1', [passId])).rejects.toMatchObject({
      constraint: 'pass_once',
    })
  })
  test('a stale price, a full kind, a customer who is stopped, a method that is no counter’s, no car at all and a year that was mistyped are refused', async () => {
    const made = await office.aGroup({ group: { maxMembers: 1 } })
    const memberId = await office.aCustomer()
    const sale = {
      memberId,
      groupId: made.group.id,
      carFeesId: made.plan.id,
      periods: 1,
      plates: [{ plateNo: aPlate() }],
      payableFen: 30_000,
      payMethod: 4,
    }
    expect(await office.call('/pass/sell', { ...sale, payableFen: 1 })).toMatchObject({ code: 41432 })
    expect(await office.call('/pass/sell', { ...sale, payMethod: 3 })).toMatchObject({ code: 41436 })
    expect(await office.call('/pass/sell', { ...sale, plates: [] })).toMatchObject({ code: 41486, message: '请至少填写一个车牌' })
    expect(await office.call('/pass/sell', { ...sale, startAt: '9999-12-31T00:00:00+08:00' })).toMatchObject({ code: 41485 })
    await office.sql('update member.customer set status = 2 where id = $1', [memberId])
    expect(await office.call('/pass/sell', sale)).toMatchObject({ code: 41433 })
    await office.sql('update member.customer set status = 1 where id = $1', [memberId])
    const two = await Promise.all([office.call('/pass/sell', sale), office.call('/pass/sell', { ...sale, plates: [{ plateNo: aPlate() }] })])
    expect(two.map(({ code }) => code).sort()).toEqual([200, 41431])
  })
  test('two clerks sell the same car at once: one does', async () => {
    const made = await office.aGroup()
    const plates = [{ plateNo: aPlate() }]
    const sell = async () =>
      office.call('/pass/sell', {
        memberId: await office.aCustomer(),
        groupId: made.group.id,
        carFeesId: made.plan.id,
        periods: 1,
        plates,
        payableFen: 30_000,
        payMethod: 4,
      })
    const codes = (await Promise.all([sell(), sell(), sell()])).map(({ code }) => code).sort()
    expect(codes).toEqual([200, 40030, 40030])
  })
  test('day and night of one car are two passes; workdays beside the day are refused', async () => {
    const { parkCode } = await office.field()
    const [day, night, workdays] = [PassWindow.day, PassWindow.night, PassWindow.workdays].map((timeWindow) =>
      office.aGroup({ parks: [parkCode], plan: { timeWindow } }),
    )
    const plate = aPlate()
    await office.aPass(await day!, { plates: [plate] })
    await office.aPass(await night!, { plates: [plate] })
    await expect(office.aPass(await workdays!, { plates: [plate] })).rejects.toThrow(/40030/)
  })
  test('reviewed first: it covers nothing until it is granted and paid; refused it is gone', async () => {
    const field = await office.field()
    const made = await office.aGroup({ parks: [field.parkCode], group: { review: true } })
    const plate = aPlate()
    const pass = await office.aPass(made, { plates: [plate] })
    expect(pass.status).toBe(PassStatus.underReview)
    const granted = await office.call('/pass/audit', { id: pass.id, version: pass.version, pass: true })
    expect(granted.data.orderNo).toMatch(/^YK/)
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.toPay })
    await field.enters(plate, 1_000)
    expect(await field.stay(plate)).toMatchObject({ carKindIn: 9 })
    const [order] = await office.sql('select id, payable_fen from settlement.order where order_no = $1', [granted.data.orderNo])
    expect((await office.ask(office.admin, '/business/order/cash', { id: order.id, amountFen: order.payableFen })).code).toBe(200)
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.valid })
    const other = await office.aPass(made)
    const refuses = (verdict?: string) =>
      office.call('/pass/audit', { id: other.id, version: other.version, pass: false, ...(verdict && { verdict }) })
    expect(await refuses()).toMatchObject({ code: 41490, message: '驳回须填写原因' })
    expect((await refuses('行驶证不清晰')).code).toBe(200)
    expect(await office.pass(other.id)).toMatchObject({ status: PassStatus.deleted, plates: [] })
    const heldBy = async () => (await office.get('/custom/detail', { id: other.memberId })).data.held
    expect(await heldBy()).toMatchObject([{ id: other.id, rejectedFor: '行驶证不清晰' }])
    await office.sql("update member.pass set updated_at = now() - interval '91 days' where id = $1", [other.id])
    expect(await heldBy()).toEqual([])
  })
  test('reviewed after its wanted start: it begins on the day of the review, is charged from there and has all of its days', async () => {
    const review = { group: { review: true } }
    const byDay = await office.aPass(await office.aGroup({ ...days, ...review }))
    const calendar = { plan: { periodUnit: 2, periodCount: 1, validType: 1, priceFen: 31_000 } }
    const byMonth = await office.aPass(await office.aGroup({ ...calendar, ...review }))
    const ahead = await office.aPass(await office.aGroup({ ...days, ...review }), { startAt: daysOn(today(), 3) })
    const grant = async ({ id }: { id: string }) => office.call('/pass/audit', { id, version: (await office.pass(id)).version, pass: true })
    for (const { id } of [byDay, byMonth]) await sinceDays(id, 40)
    const twice = await Promise.all([grant(byDay), grant(byDay)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    const { data } = twice.find(({ status }) => status === 200)!
    expect(data).toMatchObject({ payableFen: 30_000 })
    const [order] = await office.sql('select id from settlement.order where order_no = $1', [data.orderNo])
    expect((await office.ask(office.admin, '/business/order/cash', { id: order.id, amountFen: 30_000 })).code).toBe(200)
    const whole = { startAt: today(), endAt: daysOn(today(), 30) }
    expect(await office.pass(byDay.id)).toMatchObject({
      ...whole,
      status: PassStatus.valid,
      anchorDay: Number(dayOf(today()).slice(8)),
      plates: byDay.plates,
    })
    for (const table of ['pass_car', 'period'])
      expect(await office.sql(`select start_at, end_at from member.${table} where pass_id = $1`, [byDay.id])).toEqual([whole])
    const terms = { ...calendar.plan, periodUnit: 2, validType: 1 } as const
    expect((await grant(byMonth)).data).toMatchObject({ payableFen: priceOf(today(), terms, 1, 1) })
    expect(await office.pass(byMonth.id)).toMatchObject({ startAt: today(), endAt: endOf(today(), terms, 1, 1) })
    expect((await grant(ahead)).data).toMatchObject({ payableFen: 30_000 })
    expect(await office.pass(ahead.id)).toMatchObject({ startAt: ahead.startAt, endAt: ahead.endAt })
  })
  test('reviewed after its wanted start, and what was sold meanwhile is in its way: the reviewer is told and nothing is written', async () => {
    const made = await office.aGroup({ ...days, group: { review: true } })
    const plates = [aPlate()]
    const pass = await office.aPass(made, { plates })
    await sinceDays(pass.id, 5)
    const after = await office.aPass(made, { plates, startAt: daysOn(today(), 25) })
    const audit = (granted: boolean) =>
      office.call('/pass/audit', { id: pass.id, version: pass.version, pass: granted, ...(!granted && { verdict: '时间冲突' }) })
    expect(await audit(true)).toMatchObject({ code: 40030, data: { passNo: after.passNo } })
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.underReview, version: pass.version, endAt: daysOn(pass.endAt, -5) })
    expect(await office.sql('select end_at from member.pass_car where pass_id = $1', [pass.id])).toEqual([{ endAt: after.startAt }])
    expect((await audit(false)).code).toBe(200)
  })
})

describe('extending', () => {
  test('a month from the 31st, renewed twice, keeps its anchor', async () => {
    const made = await office.aGroup()
    const pass = await office.aPass(made)
    const start = startOf('2027-01-31' as never)
    const first = monthsOn(start, 1, 31)
    await office.sql('update member.pass set start_at = $2, end_at = $3, anchor_day = 31 where id = $1', [pass.id, start, first])
    await office.sql('update member.pass_car set start_at = $2, end_at = $3 where pass_id = $1', [pass.id, start, first])
    const ends = [dayOf((await office.pass(pass.id)).endAt)]
    for (let n = 0; n < 2; n++) {
      expect((await renewed(pass.id)).code).toBe(200)
      ends.push(dayOf((await office.pass(pass.id)).endAt))
    }
    expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30'])
  })
  test('state.member-seat: one quote confirmed by two at once: one order, one later end, one is told with a new quote', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    const { quote } = (await renewal(pass.id)).data
    expect(quote).toMatchObject({ oldEnd: pass.endAt, newStart: pass.endAt, newEnd: daysOn(pass.endAt, 30), payableFen: 30_000, conflicts: [] })
    const confirm = { id: pass.id, version: pass.version, kind: 1, periods: 1, confirm: 1, quoteNo: quote.quoteNo, payMethod: 4 }
    const two = await Promise.all([office.call('/custom/deferConfirmMemberSeat', confirm), office.call('/custom/deferConfirmMemberSeat', confirm)])
    expect(two.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(two.find(({ status }) => status === 409)).toMatchObject({ code: 41440, data: { payableFen: 30_000 } })
    expect(await office.pass(pass.id)).toMatchObject({ endAt: daysOn(pass.endAt, 30) })
    expect(await office.sql('select 1 from member.period where pass_id = $1 and kind = 2', [pass.id])).toHaveLength(1)
    // The log has what was confirmed, not what was only quoted.
    const logged = { call: 'member.seat.defer-confirm', target: pass.id }
    await expect.poll(() => outcomes(logged)).toEqual([1, 2])
  })
  test('free days are at most 31 a year, earn nothing, and need their reason', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    const free = async (more: object) =>
      office.call('/custom/deferConfirmMemberSeat', { id: pass.id, version: (await office.pass(pass.id)).version, kind: 2, confirm: 0, ...more })
    expect(await free({ days: 5 })).toMatchObject({ code: 41444 })
    const { quote } = (await free({ days: 20, reason: '施工补偿' })).data
    expect(await free({ days: 20, reason: '施工补偿', confirm: 1, quoteNo: quote.quoteNo })).toMatchObject({ code: 200 })
    expect(await office.pass(pass.id)).toMatchObject({ endAt: daysOn(pass.endAt, 20), paidFen: 30_000 })
    expect(await free({ days: 12, reason: '施工补偿' })).toMatchObject({ code: 41442 })
  })
  test('many at once: those that cannot be renewed say why', async () => {
    const made = await office.aGroup(days)
    const [one, two, three] = [await office.aPass(made), await office.aPass(made), await office.aPass(made)]
    await office.call('/custom/stopMemberSeat', { id: two.id, version: two.version, reason: '试', bank: false })
    await office.call('/pass/refund', { id: three.id, version: three.version, reason: '搬家' })
    const rows = (await office.call('/pass/renewMany', { ids: [one.id, two.id, three.id], periods: 2 })).data
    expect(rows).toMatchObject([
      { payableFen: 60_000, newEnd: daysOn(one.endAt, 60), refused: null },
      { refused: { zh: '月卡冻结中，恢复后再办理', en: 'The pass is frozen: restart it first' } },
      { refused: { zh: '月卡正在退卡，不能办理；如需恢复请先驳回退卡', en: 'This pass is being cancelled. Reject the cancellation first' } },
    ])
    expect(await office.pass(one.id)).toMatchObject({ endAt: one.endAt })
  })
  test('many of some customers: tried first, then for that sum or not at all; cash moves their ends at once', async () => {
    const made = await office.aGroup(days)
    const memberId = await office.aCustomer()
    const [one, two] = [await office.aPass(made, { memberId }), await office.aPass(made, { memberId })]
    const many = (more: object) => office.call('/pass/renewMany', { periods: 1, ...more })
    const tried = await many({ memberIds: [memberId], dryRun: true })
    expect(tried.data).toMatchObject(
      [one, two].map(({ id, endAt }) => ({ id, oldEnd: endAt, newEnd: daysOn(endAt, 30), payableFen: 30_000, orderNo: null })),
    )
    expect(await office.sql('select 1 from member.period where pass_id = any ($1) and kind = 2', [[one.id, two.id]])).toEqual([])
    const act = { ids: [two.id, one.id], payableFen: 60_000, cash: true }
    expect(await many({ ...act, payableFen: 59_999 })).toMatchObject({ status: 409, code: 41481 })
    // Two clerks with the same passes: the second is told that the sum moved, and nothing of theirs is written.
    const clerks = await Promise.all([many({ ...act, cash: false }), many({ ...act, cash: false, ids: [one.id, two.id] })])
    expect(clerks.map(({ code }) => code).sort()).toEqual([200, 41481])
    expect(await office.sql('select 1 from member.period where pass_id = any ($1) and kind = 2', [[one.id, two.id]])).toHaveLength(2)
    const other = await office.aPass(made)
    expect((await many({ ids: [other.id], payableFen: 30_000, cash: true })).data).toMatchObject([{ newEnd: daysOn(other.endAt, 30) }])
    expect(await office.pass(other.id)).toMatchObject({ endAt: daysOn(other.endAt, 30), paidFen: 60_000 })
  })
  test('many at once: passes or customers, one of the two, and customers that are known', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    const many = (more: object) => office.call('/pass/renewMany', { periods: 1, dryRun: true, ...more })
    expect(await many({})).toMatchObject({ status: 400 })
    expect(await many({ ids: [pass.id], memberIds: [pass.memberId] })).toMatchObject({ status: 400 })
    expect(await many({ memberIds: [pass.id] })).toMatchObject({ status: 404 })
  })
})

describe('income', () => {
  test('ten days frozen and banked earn nothing; the day amounts sum to the price', async () => {
    const pass = await office.aPass(await office.aGroup({ plan: { periodUnit: 1, periodCount: 30, priceFen: 10_001 } }))
    const begin = pass.startAt as Instant
    await earnUntil(daysOn(begin, 5))
    expect(await earnedOf(pass.id)).toEqual({ fen: 5 * 333, days: 5 })
    await office.call('/custom/stopMemberSeat', { id: pass.id, version: pass.version, reason: '出国', bank: true })
    await office.sql('update member.freeze set from_at = $2 where pass_id = $1', [pass.id, daysOn(begin, 5)])
    await earnUntil(daysOn(begin, 15))
    expect((await earnedOf(pass.id)).days).toBe(5)
    await office.sql('update member.freeze set ended_at = $2, days = 10 where pass_id = $1', [pass.id, daysOn(begin, 15)])
    await office.sql('update member.pass set state = 2, frozen_at = null, end_at = $2 where id = $1', [pass.id, daysOn(pass.endAt, 10)])
    await earnUntil(daysOn(begin, 45))
    await earnUntil(daysOn(begin, 45))
    expect(await earnedOf(pass.id)).toEqual({ fen: 10_001, days: 30 })
    expect(await ledgerOf(pass.id)).toBe(0)
  })
  test('a pass that has not begun loses no day by resting, so none is given back; one that begins meanwhile is given those since', async () => {
    const made = await office.aGroup(days)
    const ahead = daysOn(today(), 10)
    const [before, meanwhile] = [await office.aPass(made, { startAt: ahead }), await office.aPass(made, { startAt: ahead })]
    for (const { id } of [before, meanwhile]) {
      const { version } = await office.pass(id)
      expect((await office.call('/custom/stopMemberSeat', { id, version, reason: '出差', bank: true })).code).toBe(200)
      await office.sql(`update member.freeze set from_at = $2 where pass_id = $1`, [id, daysOn(today(), -20)])
    }
    await sinceDays(meanwhile.id, 14)
    const restart = async (id: string) => (await office.call('/custom/startMemberSeat', { id, version: (await office.pass(id)).version })).data
    expect(await restart(before.id)).toMatchObject({ startAt: ahead, endAt: before.endAt })
    expect(await restart(meanwhile.id)).toMatchObject({ startAt: daysOn(today(), -4), endAt: daysOn(today(), -4 + 30 + 4) })
  })
  test('two banked freezes a year are all, whatever is typed as their reason; what its group froze does not count, and goes on with the group alone', async () => {
    const made = await office.aGroup(days)
    const pass = await office.aPass(made)
    const group = async (status: number) => {
      const [{ version }] = await office.sql('select version from member.card_group where id = $1', [made.group.id])
      const done = await office.call('/config/memberGroup/disableMemberGroup', {
        id: made.group.id,
        version,
        status,
        suspendAccess: status === 2,
        reason: '整改',
      })
      expect(done.code).toBe(200)
    }
    const seat = async (act: 'stop' | 'start', more = {}) => {
      const { version } = await office.pass(pass.id)
      return office.call(`/custom/${act}MemberSeat`, { id: pass.id, version, ...more })
    }
    for (const status of [2, 1, 2, 1]) await group(status)
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.valid })
    for (const reason of ['退卡前先停用', '月卡类型停用：外出']) {
      expect((await seat('stop', { reason, bank: true })).code).toBe(200)
      for (const status of [2, 1]) await group(status)
      expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.frozen })
      expect((await seat('start')).code).toBe(200)
    }
    expect(await seat('stop', { reason: '退卡前先停用', bank: true })).toMatchObject({ code: 41424 })
  })
  test('state.member-seat: freezing ends its cover at once, restarting gives it back', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    const stopped = await office.call('/custom/stopMemberSeat', { id: pass.id, version: pass.version, reason: '试', bank: true })
    expect(stopped.data).toMatchObject({ status: PassStatus.frozen })
    expect(await office.sql('select 1 from member.pass_car where pass_id = $1 and end_at > now()', [pass.id])).toEqual([])
    expect((await office.call('/custom/startMemberSeat', { id: pass.id, version: stopped.data.version })).data).toMatchObject({
      status: PassStatus.valid,
      plates: pass.plates,
    })
  })
})

describe('giving back', () => {
  const approve = async (id: string, how: 'approve' | 'reject') => {
    for (const refund of await office.sql(
      'select r.id, r.version from settlement.refund r join member.period p on p.refund_id = r.id where p.pass_id = $1',
      [id],
    )) {
      const answer = await office.ask(office.checker, `/business/orderRefund/${how}`, { id: refund.id, version: refund.version, verdict: '同意' })
      expect(answer.code, answer.message).toBe(200)
      if (how === 'approve')
        expect((await office.ask(office.admin, '/business/orderRefund/payOut', { id: refund.id, version: answer.data.version })).code).toBe(200)
    }
  }
  const used = async () => {
    const pass = await office.aPass(await office.aGroup(days))
    await sinceDays(pass.id, 11)
    expect((await renewed(pass.id)).code).toBe(200)
    return office.pass(pass.id)
  }
  test('12 of 30 days used and a renewal: 18/30 and all of the renewal; the rest is income', async () => {
    const pass = await used()
    const quote = (await office.call('/pass/quote', { act: 2, id: pass.id })).data
    expect(quote.parts.map(({ usedDays, refundFen }: any) => [usedDays, refundFen])).toEqual([
      [12, 18_000],
      [0, 30_000],
    ])
    expect((await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })).data).toMatchObject({
      status: PassStatus.frozen,
      refunding: true,
    })
    await approve(pass.id, 'approve')
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.returned })
    expect(await ledgerOf(pass.id)).toBe(0)
    const [{ fen }] = await office.sql(
      "select sum(l.credit_fen)::bigint as fen from ledger.line l join ledger.entry e on e.id = l.entry_id where l.account = 'income.pass' and e.about in (select order_no from member.period where pass_id = $1)",
      [pass.id],
    )
    expect(fen).toBe(12_000)
  })
  test.each([
    ['by the day, to the fen', { periodUnit: 1, periodCount: 30, priceFen: 10_001 }, 7_667],
    ['by whole months: none is left of one', { periodUnit: 2, periodCount: 1, priceFen: 10_001, refundRule: RefundRule.byMonth }, 0],
    ['by whole months: eleven of twelve', { periodUnit: 5, periodCount: 1, priceFen: 12_001, refundRule: RefundRule.byMonth }, 11_000],
  ])('seven days used, %s: refund and income are the price', async (_, plan, refundFen) => {
    const pass = await office.aPass(await office.aGroup({ plan }))
    await sinceDays(pass.id, 6)
    await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })
    await approve(pass.id, 'approve')
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.returned })
    expect(await ledgerOf(pass.id)).toBe(0)
    const [period] = await office.sql('select earned_fen, refund_fen from member.period where pass_id = $1', [pass.id])
    expect(period).toEqual({ earnedFen: plan.priceFen - refundFen, refundFen })
  })
  test('its months are those that were sold, whatever rested since: July and August are two, also from another day on', async () => {
    const plan = { periodUnit: 2, periodCount: 2, priceFen: 10_001, refundRule: RefundRule.byMonth }
    const pass = await office.aPass(await office.aGroup({ plan }))
    const moved = `update member.period set sold_from = $2::timestamptz, days = 62, start_at = $3::timestamptz, end_at = $3::timestamptz + interval '62 days' where pass_id = $1`
    await office.sql(moved, [pass.id, startOf('2026-07-01' as Day), daysOn(today(), -6)])
    await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })
    await approve(pass.id, 'approve')
    expect(await office.sql('select earned_fen, refund_fen from member.period where pass_id = $1', [pass.id])).toEqual([
      { earnedFen: 5_001, refundFen: 5_000 },
    ])
  })
  test('the running order is paid back and the renewal is not: it goes on with the days of the renewal alone, in whichever order they are decided', async () => {
    for (const first of ['approve', 'reject'] as const) {
      const pass = await used()
      await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })
      const refunds = await office.sql(
        'select r.id, r.version from settlement.refund r join member.period p on p.refund_id = r.id where p.pass_id = $1 order by p.start_at',
        [pass.id],
      )
      const decide = async (how: 'approve' | 'reject') => {
        const refund = refunds[how === 'approve' ? 0 : 1]
        const answer = await office.ask(office.checker, `/business/orderRefund/${how}`, { id: refund.id, version: refund.version, verdict: '同意' })
        if (how === 'approve') await office.ask(office.admin, '/business/orderRefund/payOut', { id: refund.id, version: answer.data.version })
      }
      await decide(first)
      expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.frozen, refunding: true })
      await decide(first === 'approve' ? 'reject' : 'approve')
      expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.valid, endAt: daysOn(today(), 31), plates: pass.plates })
      await earnUntil(daysOn(today(), 40))
      expect(await ledgerOf(pass.id)).toBe(0)
      expect(await earnedOf(pass.id)).toEqual({ fen: 12_000 + 30_000, days: 12 + 30 })
    }
  })
  const orderOf = async (id: string) =>
    (await office.sql('select order_id from member.period where pass_id = $1 order by start_at', [id])).at(-1).orderId
  const askOf = (orderId: string, amountFen: number) =>
    office.ask(office.admin, '/business/orderRefund/apply', { orderId, amountFen, reason: '施工补偿' })
  test('a refund of the order alone: the pass goes on and earns what is left of its price', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    // Asked for while most of its days are ahead, paid out when most of them are used.
    const asked = (await askOf(await orderOf(pass.id), 14_000)).data
    await sinceDays(pass.id, 20)
    await earnUntil(today())
    expect(await earnedOf(pass.id)).toEqual({ fen: 20_000, days: 20 })
    const answer = await office.ask(office.checker, '/business/orderRefund/approve', { id: asked.id, version: asked.version, verdict: '同意' })
    expect((await office.ask(office.admin, '/business/orderRefund/payOut', { id: asked.id, version: answer.data.version })).code).toBe(200)
    expect(await ledgerOf(pass.id)).toBe(0)
    await earnUntil(daysOn(today(), 15))
    expect(await ledgerOf(pass.id)).toBe(0)
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.valid, paidFen: 16_000 })
  })
  test('while it is good its order alone gives back half of what its days to come are worth, in however many parts: for more it is given back, and its access stops', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    await sinceDays(pass.id, 19)
    const ask = async (amountFen: number) => askOf(await orderOf(pass.id), amountFen)
    for (const [amountFen, code] of [
      [30_000, 41484],
      [29_999, 41438],
      [5_001, 41438],
      [4_000, 200],
      [1_001, 41438],
    ] as const)
      expect(await ask(amountFen), `${amountFen}`).toMatchObject({ code, ...(code !== 200 && { status: 422 }) })
    expect((await ask(1_001)).message).toMatch(/¥10\.00.*退卡/)
    const both = await Promise.all([ask(600), ask(700)])
    expect(both.map(({ code }) => code).sort()).toEqual([200, 41438])
    const taken = both.find(({ code }) => code === 200)!.data.amountFen
    expect(await ask(1_000 - taken + 1)).toMatchObject({ code: 41438 })
    expect((await ask(1_000 - taken)).code).toBe(200)
  })
  test('a refund that failed at the channel goes once more as far as the goodwill of its first day', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    const orderId = await orderOf(pass.id)
    const again = (amountFen: number) =>
      office.server.house.writing(1, 'test', (tx) => refuseMuch(tx, { orderId, amountFen, refundId: randomUUID(), at: instantAt(Date.now()) }))
    await sinceDays(pass.id, 24)
    await again(14_000)
    expect((await askOf(orderId, 2_000)).code).toBe(200)
    await again(13_000)
    await expect(again(13_001)).rejects.toMatchObject({ code: 41438 })
  })
  test('of a renewal that has not begun half is a goodwill and all but a fen is not; nor is it where the plan gives nothing back', async () => {
    const renewing = await used()
    expect(await askOf(await orderOf(renewing.id), 29_999)).toMatchObject({ status: 422, code: 41438, message: expect.stringContaining('¥150.00') })
    expect((await askOf(await orderOf(renewing.id), 15_000)).code).toBe(200)
    const none = await office.aPass(await office.aGroup({ plan: { ...days.plan, refundRule: RefundRule.none } }))
    expect(await askOf(await orderOf(none.id), 29_000)).toMatchObject({ code: 41438 })
    expect((await askOf(await orderOf(none.id), 3_000)).code).toBe(200)
  })
  test('all of its order is not refunded while it is good: it is given back, and its access stops', async () => {
    const pass = await office.aPass(await office.aGroup(days))
    const orderId = await orderOf(pass.id)
    expect(await askOf(orderId, 30_000)).toMatchObject({ status: 422, code: 41484 })
    expect((await askOf(orderId, 10_000)).code).toBe(200)
    expect(await askOf(orderId, 20_000)).toMatchObject({ status: 422, code: 41484 })
  })
  test('it is asked back, given back and paid out at once: nobody waits in a ring, and never more goes back than was paid', async () => {
    const group = await office.aGroup(days)
    for (let round = 0; round < 12; round++) {
      const pass = await office.aPass(group)
      const [{ orderId }] = await office.sql('select order_id from member.period where pass_id = $1', [pass.id])
      const ask = (amountFen: number) => office.ask(office.admin, '/business/orderRefund/apply', { orderId, amountFen, reason: '退' })
      const refunds = [(await ask(1_000)).data, (await ask(2_000)).data]
      const approved = []
      for (const { id, version } of refunds)
        approved.push((await office.ask(office.checker, '/business/orderRefund/approve', { id, version, verdict: '同意' })).data)
      const { version } = await office.pass(pass.id)
      const answers = await Promise.all([
        ...approved.map(({ id, version }) => office.ask(office.admin, '/business/orderRefund/payOut', { id, version })),
        ask(3_000),
        office.call('/pass/refund', { id: pass.id, version, reason: '搬家' }),
        ask(4_000),
      ])
      expect(answers.filter(({ message }) => /数据正被他人修改，请重试|changing the same data/.test(`${message}`))).toEqual([])
      const [money] = await office.sql('select paid_fen, refund_fen + refunding_fen as back from settlement.order where id = $1', [orderId])
      expect(money.back).toBeLessThanOrEqual(money.paidFen)
      expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200])
    }
  })
  test('once it was given back, all that is left of its order may still be refunded', async () => {
    const pass = await office.aPass(await office.aGroup({ plan: { ...days.plan, refundRule: RefundRule.none } }))
    expect((await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })).data).toMatchObject({
      status: PassStatus.returned,
    })
    const [{ orderId }] = await office.sql('select order_id from member.period where pass_id = $1', [pass.id])
    const asked = (await office.ask(office.admin, '/business/orderRefund/apply', { orderId, amountFen: 30_000, reason: '优待' })).data
    const { version } = (await office.ask(office.checker, '/business/orderRefund/approve', { id: asked.id, version: asked.version, verdict: '同意' }))
      .data
    expect((await office.ask(office.admin, '/business/orderRefund/payOut', { id: asked.id, version })).code).toBe(200)
    expect(await ledgerOf(pass.id)).toBe(0)
    expect(await office.sql('select earned_fen, refund_fen from member.period where pass_id = $1', [pass.id])).toEqual([
      { earnedFen: 0, refundFen: 30_000 },
    ])
  })
  test('rejected, every day is back', async () => {
    const pass = await used()
    await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })
    await office.sql("update member.freeze set from_at = from_at - interval '3 days' where pass_id = $1 and ended_at is null", [pass.id])
    await approve(pass.id, 'reject')
    const after = await office.pass(pass.id)
    expect(after).toMatchObject({ status: PassStatus.valid, refunding: false, plates: pass.plates })
    expect(Math.round((msOf(after.endAt) - msOf(pass.endAt)) / DAY_MS)).toBe(2)
  })
  test('a plan that gives nothing back ends at once', async () => {
    const pass = await office.aPass(await office.aGroup({ plan: { refundRule: RefundRule.none } }))
    const fresh = await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })
    expect(fresh.data).toMatchObject({ status: PassStatus.returned })
    expect(await ledgerOf(pass.id)).toBe(0)
  })
})
