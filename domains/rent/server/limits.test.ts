import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Day } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { EarnestBack } from '../contract/enrollment.ts'
import { workdaysAfter } from './days.ts'
import { dropLater } from './earnest.ts'
import { anAuction, type Auction, EVIDENCE } from './testing.ts'
import { spoken } from '../../../platform/contract/said.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())
const at = (ms: number) => instantAt(Date.now() + ms)
const noonOf = (day: Day) => instantAt(msOf(startOf(day)) + DAY_MS / 2)
const messages = async (part: string) =>
  (await house.sql(`select title from message.record where channel_type = 1 and title like '%' || $1 || '%'`, [part])).length
const changesOf = (projectId: string) =>
  house.sql('select id, version, from_id, to_id, reason, state, maker_id from rent.award_change where project_id = $1', [projectId])

/** Shown, won by the third of three; the first has the earnest money back. */
async function shown() {
  const { id } = await house.enrolling()
  const [first, second, third] = [await house.qualified(id), await house.qualified(id), await house.qualified(id)] as const
  await house.open(id, 1_000)
  for (const [n, { token }] of [first, second, third].entries())
    await house.call(token, '/rentBid/place', { projectId: id, bidFen: 1_000_000 + n * 10_000 })
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [id])
  await house.tick(at(0))
  expect(await house.post('/rentProject/bidding', { projectId: id, enrollId: third.id }, house.deputy)).toMatchObject({ status: 200 })
  return { id, first, second, third }
}

test('a stop of days is made up for in one turn of the clock, and a second turn changes nothing', async () => {
  const { id } = await house.enrolling()
  const [one, two] = [await house.qualified(id), await house.qualified(id)]
  const unpaid = (await house.post('/rentEnroll/apply', { projectId: id, bidderId: (await house.aBidder()).id })).data
  await house.sql(
    `update rent.project set enroll_from = now() - interval '9 days', enroll_to = now() - interval '5 days', bid_from = now() - interval '4 days', bid_to = now() + interval '1 hour', ends_at = now() + interval '1 hour' where id = $1`,
    [id],
  )
  await house.tick(at(0))
  expect((await house.project(id)).state).toBe(4)
  expect((await house.enrolment(unpaid.id)).state).toBe(4)
  const before = [await house.project(id), await house.enrolment(one.id), await house.enrolment(two.id)]
  await house.tick(at(0))
  expect([await house.project(id), await house.enrolment(one.id), await house.enrolment(two.id)]).toEqual(before)
})

test('the losers’ refunds are warned of on the fourth of their five working days, also where a weekend follows, once', async () => {
  const { first } = await shown()
  const { refundDue } = await house.enrolment(first.id)
  expect(refundDue).toBe(await house.write((tx) => workdaysAfter(tx, at(0), 5)))
  const [fourth, third] = await house.write(async (tx) => [await workdaysAfter(tx, at(0), 4), await workdaysAfter(tx, at(0), 3)] as const)
  const warned = async () => (await house.enrolment(first.id)).warnedAt
  await house.tick(noonOf(third))
  expect(await warned()).toBeNull()
  await house.tick(noonOf(fourth))
  const then = await warned()
  expect(then).not.toBeNull()
  await house.tick(noonOf(refundDue))
  expect(await warned()).toEqual(then)
})

test('refunds that are due on a Monday are warned of on the Friday before', async () => {
  const { first } = await shown()
  await house.sql(`update rent.enrollment set refund_due = '2027-03-15' where id = $1`, [first.id])
  await house.tick(noonOf('2027-03-11' as Day))
  expect((await house.enrolment(first.id)).warnedAt).toBeNull()
  await house.tick(noonOf('2027-03-12' as Day))
  expect((await house.enrolment(first.id)).warnedAt).not.toBeNull()
})

test('working days are counted past the National Day holiday, with the Saturday that is worked for it', async () => {
  const after = (day: string, count: number) => house.write((tx) => workdaysAfter(tx, noonOf(day as Day), count))
  expect(await after('2026-09-29', 1)).toBe('2026-09-30')
  expect(await after('2026-09-29', 3)).toBe('2026-10-09')
  expect(await after('2026-09-29', 5)).toBe('2026-10-12')
  expect(await after('2026-10-03', 1)).toBe('2026-10-08')
  const { first } = await shown()
  await house.sql(`update rent.enrollment set refund_due = '2026-10-08' where id = $1`, [first.id])
  await house.tick(noonOf('2026-09-29' as Day))
  expect((await house.enrolment(first.id)).warnedAt).toBeNull()
  await house.tick(noonOf('2026-09-30' as Day))
  expect((await house.enrolment(first.id)).warnedAt).not.toBeNull()
})

test('the lease is signed within ten working days after the last day on which the award was shown', async () => {
  const { id } = await shown()
  await house.sql(`update rent.enrollment set warned_at = now() where project_id = $1`, [id])
  const { publicUntil, signBy } = await house.project(id)
  expect(signBy).toBe(await house.write((tx) => workdaysAfter(tx, noonOf(publicUntil), 10)))
})

test('whoever comes next and does not leave the earnest money again in time is proposed to lose the award, once, and a person decides', async () => {
  const { id, first, second, third } = await shown()
  await house.payOut((await house.enrolment(first.id)).refundId)
  const change = async (enrollId?: string) => {
    const { data } = await house.post('/rentProject/updateBidding', { projectId: id, reason: 1, ...(enrollId && { enrollId }) })
    return house.post('/rentProject/confirmBidding', { id: data.id, version: data.version, pass: true }, house.deputy)
  }
  await change(second.id)
  expect(await change(first.id)).toMatchObject({ status: 200 })
  const { payAgainUntil } = await house.enrolment(first.id)
  await house.tick(instantAt(msOf(payAgainUntil) - 1))
  expect(await changesOf(id)).toHaveLength(2)
  const late = instantAt(msOf(payAgainUntil) + 9 * DAY_MS)
  // The clock proposes nothing beside a person's request; a rejected request does not count as the clock's own.
  const { data: asked } = await house.post('/rentProject/updateBidding', { projectId: id, reason: 1 })
  await house.tick(late)
  expect(await changesOf(id)).toHaveLength(3)
  await house.post('/rentProject/confirmBidding', { id: asked.id, version: asked.version, pass: false }, house.deputy)
  await Promise.all([house.tick(late), house.tick(late)])
  await house.tick(late)
  const proposed = (await changesOf(id)).filter(({ makerId }) => makerId === null)
  expect(proposed).toMatchObject([{ fromId: first.id, toId: null, reason: 1, state: 0 }])
  const decide = (pass: boolean) =>
    house.post('/rentProject/confirmBidding', { id: proposed[0].id, version: proposed[0].version, pass }, house.deputy)
  const penalties = await house.account('income.penalty')
  expect(await decide(true)).toMatchObject({ status: 200 })
  expect(await house.project(id)).toMatchObject({ state: 10, winnerId: null })
  expect(await house.account('income.penalty')).toBe(penalties)
  expect((await house.enrolment(third.id)).award).toBe(2)
})

/** Shown, and won by the first, who has the earnest money back and is asked for it again. */
async function askedAgain() {
  const { id, first, second } = await shown()
  await house.payOut((await house.enrolment(first.id)).refundId)
  const change = async (reason: number, enrollId?: string) => {
    const { data } = await house.post('/rentProject/updateBidding', { projectId: id, reason, evidence: EVIDENCE, ...(enrollId && { enrollId }) })
    return house.post('/rentProject/confirmBidding', { id: data.id, version: data.version, pass: true }, house.deputy)
  }
  await change(1, second.id)
  expect(await change(1, first.id)).toMatchObject({ status: 200 })
  const { orderId } = await house.enrolment(first.id)
  const statusOf = async () => (await house.sql('select status from settlement.order where id = $1', [orderId]))[0].status
  const terminate = async () =>
    house.post('/rentProject/terminate', { id, version: (await house.project(id)).version, reason: '另作他用' }, house.deputy)
  return { id, enrolment: () => house.enrolment(first.id), orderId, statusOf, change, terminate }
}
const GAVE_UP = 1
const OBJECTION = 3

test('whoever was asked to leave the earnest money again and has lost the award, or whose project is over, is asked for it no more', async () => {
  for (const how of [GAVE_UP, OBJECTION, 'terminate'] as const) {
    const { change, terminate, statusOf, enrolment } = await askedAgain()
    await house.dropped()
    expect(await statusOf()).toBe(0)
    expect(await (how === 'terminate' ? terminate() : change(how))).toMatchObject({ status: 200 })
    await house.dropped()
    expect(await statusOf(), `${how}`).toBe(5)
    expect(await enrolment()).toMatchObject({ state: 2, earnestState: 0, refundId: null })
  }
})

test('what is paid too late goes back for the true reason: enrolment had closed, the project was terminated, the award was changed, or the time to pay again was over', async () => {
  const enrolled = async () => {
    const { id: projectId, version, enrollTo } = await house.enrolling()
    const { id, orderId } = (await house.post('/rentEnroll/apply', { projectId, bidderId: (await house.aBidder()).id })).data
    return { projectId, version, orderId, enrolment: () => house.enrolment(id), close: () => house.tick(instantAt(msOf(enrollTo) + 1)) }
  }
  const goesBack = async ({ orderId, enrolment }: Pick<Awaited<ReturnType<typeof enrolled>>, 'orderId' | 'enrolment'>) => {
    expect(await house.post('/order/cash', { id: orderId, amountFen: 200_000 })).toMatchObject({ status: 200 })
    const [{ reason }] = await house.sql('select reason from settlement.refund where order_id = $1', [orderId])
    return [(await enrolment()).backFor, spoken(reason, 0)]
  }
  const closed = await enrolled()
  await closed.close()
  expect(await goesBack(closed)).toEqual([EarnestBack.afterClosing, '报名截止后缴纳，退还保证金'])

  const terminated = await enrolled()
  await house.post('/rentProject/terminate', { id: terminated.projectId, version: terminated.version, reason: '另作他用' }, house.deputy)
  expect(await goesBack(terminated)).toEqual([EarnestBack.afterTermination, '项目终止后缴纳，退还保证金'])

  const again = await askedAgain()
  await again.terminate()
  expect(await goesBack(again)).toEqual([EarnestBack.afterTermination, '项目终止后缴纳，退还保证金'])

  const changed = await askedAgain()
  await changed.change(OBJECTION)
  expect(await goesBack(changed)).toEqual([EarnestBack.afterChange, '中标变更后缴纳，退还保证金'])

  const late = await askedAgain()
  await house.sql(`update rent.enrollment set pay_again_until = now() - interval '1 second' where order_id = $1`, [late.orderId])
  expect(await goesBack(late)).toEqual([EarnestBack.afterPayAgain, '重缴期限后缴纳，退还保证金'])
})

test('earnest money that is left again while the award is taken away is forfeited or goes back, or its order is dropped, and nobody waits in a ring', async () => {
  for (let round = 0; round < 6; round++) {
    const { id, orderId, enrolment, statusOf } = await askedAgain()
    const { data } = await house.post('/rentProject/updateBidding', { projectId: id, reason: GAVE_UP })
    const takeAway = () => house.post('/rentProject/confirmBidding', { id: data.id, version: data.version, pass: true }, house.deputy)
    const pay = () => house.post('/order/cash', { id: orderId, amountFen: 200_000 })
    const [taken, paid] = await Promise.all(round % 2 === 0 ? [takeAway(), pay()] : [pay(), takeAway()].toReversed())
    expect(taken).toMatchObject({ status: 200 })
    await house.dropped()
    const { award, earnestState, backFor } = await enrolment()
    expect(award).toBe(2)
    // Left in time it is forfeited, a moment later it goes back; or nothing was taken and nothing is asked for.
    if (paid.status === 200)
      expect([
        [5, null],
        [1, EarnestBack.afterChange],
      ]).toContainEqual([earnestState, backFor])
    else expect([earnestState, await statusOf()]).toEqual([0, 5])
  }
})

test('a change of the award that another refuses leaves whoever won with their order', async () => {
  const { id, statusOf } = await askedAgain()
  const { data } = await house.post('/rentProject/updateBidding', { projectId: id, reason: GAVE_UP })
  await house.post('/rentProject/confirmBidding', { id: data.id, version: data.version, pass: false }, house.deputy)
  await house.dropped()
  expect(await statusOf()).toBe(0)
})

test('a winner who lets a lease lie unsigned past its day is proposed to have given up; a no leaves it as it is, and is not asked again', async () => {
  const { id, projectId, enrollId } = await house.drawn()
  const { signBy } = await house.project(projectId)
  await house.tick(noonOf(signBy))
  expect(await changesOf(projectId)).toEqual([])
  const late = instantAt(msOf(startOf(signBy)) + DAY_MS)
  await house.tick(late)
  const [proposed] = await changesOf(projectId)
  expect(proposed).toMatchObject({ fromId: enrollId, reason: 1, makerId: null })
  expect((await house.enrolment(enrollId)).award).toBe(1)
  await house.post('/rentProject/confirmBidding', { id: proposed.id, version: proposed.version, pass: false }, house.deputy)
  await house.tick(late)
  expect(await changesOf(projectId)).toHaveLength(1)
  expect(await house.sql('select state from rent.contract where id = $1', [id])).toEqual([{ state: 0 }])
})

test('with the award shown to its end, and again before the last day to sign, those who draw leases up are told, each once', async () => {
  const { id } = await shown()
  const { name, publicUntil, signBy } = await house.project(id)
  const after = msOf(startOf(publicUntil)) + DAY_MS
  await house.tick(instantAt(after - 1))
  expect(await messages(name)).toBe(0)
  await house.tick(instantAt(after))
  const once = await messages(name)
  expect(once).toBeGreaterThan(0)
  await house.tick(instantAt(after))
  expect(await messages(name)).toBe(once)
  await house.tick(noonOf(signBy))
  expect(await messages(name)).toBe(2 * once)
  await house.tick(noonOf(signBy))
  expect(await messages(name)).toBe(2 * once)
})

test('earnest money that comes while its project closes or is ended, or its enrolment is withdrawn or deleted, is in time or goes back, and nobody waits in a ring; what nobody paid is asked for no more', async () => {
  const statusOf = async (orderId: string) => (await house.sql('select status from settlement.order where id = $1', [orderId]))[0].status
  for (let round = 0; round < 8; round++) {
    const project = await house.enrolling()
    const enrolments = []
    for (let n = 0; n < 6; n++)
      enrolments.push((await house.post('/rentEnroll/apply', { projectId: project.id, bidderId: (await house.aBidder()).id })).data)
    const [unpaid, leaves, deleted, ...payers] = enrolments
    const pay = ({ orderId }: { orderId: string }) => house.post('/order/cash', { id: orderId, amountFen: 200_000 })
    const goes = (how: string, { id, version }: { id: string; version: number }) =>
      house.post(`/rentEnroll/${how}`, { id, version, ...(how === 'withdraw' && { reason: '不租了' }) })
    const [left, leftPaid, gone, gonePaid] = await Promise.all([goes('withdraw', leaves), pay(leaves), goes('del', deleted), pay(deleted)])
    // The second call sees what the first did.
    for (const both of [
      [left, leftPaid],
      [gone, gonePaid],
    ])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])

    const ends = round % 2 === 0
    const over = instantAt(msOf(project.enrollTo) + 1)
    const stop = () =>
      ends ? house.post('/rentProject/terminate', { id: project.id, version: project.version, reason: '另作他用' }, house.deputy) : house.tick(over)
    const [stopped, ...paid] = await Promise.all([stop(), ...payers.map(pay)])
    if (stopped) expect(stopped).toMatchObject({ status: 200 })
    expect((await house.project(project.id)).state).toBe(ends ? 11 : 3)
    for (const [n, { id }] of payers.entries()) {
      const { state, earnestState, refundId } = await house.enrolment(id)
      // Taken in time it waits for review, and with the end of the project its refund is proposed; too late it goes back by itself. Or nothing was taken.
      if (paid[n]!.status !== 200) expect([paid[n]!.code, state, earnestState, refundId]).toEqual([40505, 4, 0, null])
      else if (state === 1 && !ends) expect([earnestState, refundId]).toEqual([1, null])
      else expect([earnestState, refundId]).toEqual([1, expect.any(String)])
    }
    for (const { orderId } of enrolments)
      await house.write((tx) => dropLater.work({ house: house.server.house, tx, at: over, data: { orderId, reason: '报名截止前未缴保证金' } }))
    expect(await statusOf(unpaid.orderId)).toBe(5)
    expect((await house.enrolment(unpaid.id)).state).toBe(4)
  }
})
