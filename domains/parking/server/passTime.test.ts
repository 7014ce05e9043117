import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf } from '../../../platform/contract/time.ts'
import { settleExits } from './passing.ts'
import { aGround, type Field, type Ground } from './testing.ts'

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
