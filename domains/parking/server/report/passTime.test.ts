import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf } from '../../../../platform/contract/time.ts'
import { run } from '../../../../platform/server/database.ts'
import { WarningState, WarningType } from '../../../device/contract/device.ts'
import { barrier } from '../factories.ts'
import { settleExits } from '../lane/passing.ts'
import { warnStuck } from './passTime.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.server.close())

const plate = (n: number) => `鄂F6800${n}`
/** Comes, stands at the exit after an hour, pays at once and has passed so many seconds later. */
async function paysAndPasses(field: Field, n: number, seconds: number) {
  const at = n * 100
  await field.enters(plate(n), at)
  await field.passes(at, { sn: field.inSn })
  await field.exits(plate(n), at + 60)
  await field.pays(await field.stay(plate(n)), at + 60.1)
  await field.passes(at + 60.1 + seconds / 60 - 0.1)
}
const list = async (field: Field, more: object = {}) =>
  (await ground.ask(ground.admin, '/fee/passTime/list', { parkCode: field.parkCode, limit: 100, ...more }, 'GET')).data
const days = async (field: Field) =>
  (
    await ground.ask(
      ground.admin,
      '/fee/passTime/days',
      { parkCode: field.parkCode, dayFrom: dayOf(field.at(0)), dayTo: dayOf(field.at(1440)) },
      'GET',
    )
  ).data

test('the median of a park and day is that of the list that it opens', async () => {
  const field = await ground.field()
  for (const [n, seconds] of [12, 30, 9, 200, 18].entries()) await paysAndPasses(field, n + 1, seconds)
  const all = await days(field)
  expect(all.reduce((sum: number, { cars }: { cars: number }) => sum + cars, 0)).toBe(5)
  for (const { day, cars, medianSec, slowestSec } of all) {
    const { records, total } = await list(field, { passedAtFrom: `${day} 00:00:00`, passedAtTo: `${day} 23:59:59` })
    const took = records.map(({ seconds }: { seconds: number }) => seconds).sort((a: number, b: number) => a - b)
    expect({ cars: total, medianSec: took[Math.ceil(took.length / 2) - 1], slowestSec: took.at(-1) }).toEqual({ cars, medianSec, slowestSec })
  }
  expect((await list(field)).records.map(({ seconds }: { seconds: number }) => seconds).sort((a: number, b: number) => a - b)).toEqual([
    9, 12, 18, 30, 200,
  ])
})

test('one that stands there still has passed in no time yet; one that went back inside has not waited', async () => {
  const field = await ground.field()
  await field.passes(-5)
  await field.enters(plate(1), 0)
  await field.passes(0, { sn: field.inSn })
  await field.exits(plate(1), 60)
  await field.pays(await field.stay(plate(1)), 60.1)
  expect((await list(field)).records).toMatchObject([{ plateNo: plate(1), gateCode: field.outGate, passedAt: null, seconds: null }])
  expect(await days(field)).toEqual([])
  await field.write((tx) => settleExits(tx, field.at(75)))
  expect((await list(field)).records).toEqual([])
})

test('whoever paid before they came to the exit did not wait there', async () => {
  const field = await ground.field()
  await field.enters(plate(1), 0)
  await field.passes(0, { sn: field.inSn })
  await field.exits(plate(1), 60)
  await field.write((tx) => tx.updateTable('parking.lane').set({ stayId: null }).where('gateCode', '=', field.outGate).execute())
  await field.pays(await field.stay(plate(1)), 60.1)
  expect((await list(field)).records).toEqual([])
})

test('who has paid and still stands before a barrier that did not go up is a warning, until they have passed or gone back', async () => {
  const field = await ground.field()
  const alarms = () =>
    field.write((tx) =>
      run<{ subject: string; state: number; count: number }>(
        tx,
        { sql: 'select subject, state, count from device.warning where device_no = $1 and type = $2 order by first_at, id' },
        [field.outSn, WarningType.paidButShut],
      ),
    )
  const round = (minutes: number) => field.write((tx) => warnStuck(tx, field.at(minutes)))
  const paidAt = async (n: number, at: number, before?: () => Promise<unknown>) => {
    await field.enters(plate(n), at - 90)
    await field.passes(at - 90, { sn: field.inSn })
    await field.exits(plate(n), at - 0.1)
    await before?.()
    await field.pays(await field.stay(plate(n)), at)
    return (await field.orders(await field.stay(plate(n))))[0]!.orderNo
  }
  // Whether this barrier goes up nobody ever hears: it is believed.
  await paidAt(1, 100)
  await round(105)
  expect(await alarms()).toEqual([])
  await field.passes(106)
  // This one is known to be down.
  const second = await paidAt(2, 200)
  await round(200.9)
  expect(await alarms()).toEqual([])
  await round(201.1)
  await round(202.1)
  expect(await alarms()).toEqual([{ subject: second, state: WarningState.open, count: 2 }])
  await field.write((tx) => barrier(tx, { sn: field.outSn, at: field.at(202.5), state: 'opened' }))
  await round(203.1)
  expect(await alarms()).toMatchObject([{ count: 2 }])
  await field.write((tx) => barrier(tx, { sn: field.outSn, at: field.at(203.5), state: 'closed' }))
  expect(await alarms()).toMatchObject([{ state: WarningState.recovered }])
  // Locked while its driver pays, it cannot be told at all.
  const third = await paidAt(3, 300, () =>
    field.write((tx) => run(tx, { sql: `update parking.gate set locked_by = '值班' where gate_code = $1` }, [field.outGate])),
  )
  await round(301.1)
  expect((await alarms())[1]).toMatchObject({ subject: third, state: WarningState.open })
  await field.write((tx) => settleExits(tx, field.at(311)))
  expect((await alarms())[1]).toMatchObject({ state: WarningState.recovered })
})
