import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, instantAt, MINUTE_MS } from '../../../../platform/contract/time.ts'
import { aDoor } from '../../../owner/server/testing.ts'
import { PassStatus } from '../../contract/pass.ts'
import { anOffice, aPhone, type Office } from '../testing.ts'
import { remind } from './telling.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
  // The company's way to send text messages, which the door for drivers brings with it.
  await aDoor(office)
  for (const [code, content, ...vars] of [
    ['pass.expiring', '{{plate}} {{day}}', 'plate', 'day'],
    ['pass.approved', '{{plate}} {{amount}} {{until}}', 'plate', 'amount', 'until'],
    ['pass.rejected', '{{plate}} {{reason}}', 'plate', 'reason'],
  ] as const) {
    const declared = vars.map((name) => ({ name, label: name, sample: '1' }))
    const template = { code, name: code, kind: 3, channelType: 2, title: code, content, vars: declared }
    const { data } = await office.ask(office.admin, '/message/messageTemplate/insert', template)
    await office.server.ask(office.admin, 'PUT', '/lbs/message/messageTemplate/update', { id: data.id, version: data.version, state: 1 })
  }
})
afterAll(() => office.server.close())

const told = async (phone: string) =>
  (await office.sql('select content from message.record where address = $1 order by created_at, id', [phone])).map(({ content }: any) => content)
const aHolder = async (more: object = {}) => {
  const phone = aPhone()
  const pass = await office.aPass(await office.aGroup({ plan: { periodUnit: 1, periodCount: 30, priceFen: 30_000 }, ...more }), {
    memberId: await office.aCustomer({ phone }),
  })
  return { phone, pass }
}

test('whoever has a pass is reminded a week before it is over and the day before, once each, and not when it goes on', async () => {
  const [one, renewed] = [await aHolder(), await aHolder()]
  const { quote } = (
    await office.call('/custom/deferConfirmMemberSeat', { id: renewed.pass.id, version: renewed.pass.version, kind: 1, periods: 1, confirm: 0 })
  ).data
  const renewal = { id: renewed.pass.id, version: renewed.pass.version, kind: 1, periods: 1, confirm: 1, quoteNo: quote.quoteNo, payMethod: 4 }
  expect((await office.call('/custom/deferConfirmMemberSeat', renewal)).code).toBe(200)
  const before = (days: number) =>
    office.server.house.writing(1, 'test', (tx) => remind(tx, instantAt(Date.parse(one.pass.endAt) - days * DAY_MS + MINUTE_MS)))
  await before(8)
  expect(await told(one.phone)).toEqual([])
  for (const days of [7, 7, 6, 3]) await before(days)
  expect(await told(one.phone)).toHaveLength(1)
  for (const days of [1, 1]) await before(days)
  expect(await told(one.phone)).toHaveLength(2)
  expect((await told(one.phone))[0]).toContain(one.pass.plates[0])
  await before(-1)
  expect([await told(one.phone), await told(renewed.phone)].map(({ length }) => length)).toEqual([2, 0])
})
test('whoever applied is told that it was granted, with a day to pay it, or why not', async () => {
  const [granted, refused] = [await aHolder({ group: { review: true } }), await aHolder({ group: { review: true } })]
  const audit = ({ pass: { id, version } }: typeof granted, verdict: object) => office.call('/pass/audit', { id, version, ...verdict })
  const begun = Date.now()
  expect((await audit(granted, { pass: true })).code).toBe(200)
  const [text, ...more] = await told(granted.phone)
  expect([text, more]).toEqual([expect.stringContaining(' 300.00 '), []])
  const until = Date.parse(`${text.slice(-16).replace(' ', 'T')}:00+08:00`)
  expect(until - begun, 'a day, told to the minute').toBeGreaterThan(DAY_MS - MINUTE_MS)
  expect(until).toBeLessThanOrEqual(Date.now() + DAY_MS)
  await audit(refused, { pass: false, verdict: '资料不全' })
  expect(await told(refused.phone)).toEqual([expect.stringContaining('资料不全')])
  expect(await office.pass(refused.pass.id)).toMatchObject({ status: PassStatus.deleted })
})
