import { afterAll, beforeAll, expect, test } from 'vitest'
import { FreeReason } from '../../../fee/contract/quote.ts'
import { admission } from '../questions.ts'
import { aGround, type Ground } from '../testing.ts'

/** Every screen that shows a car inside asks the amount that its exit would ask. */
let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.server.close())

const LISTED = '鄂F69001'
afterAll(admission.answer('asked.test', async (_tx, { plateNo }) => (plateNo === LISTED ? { white: true } : undefined)))

test('a clearing gives up what the exits would have asked, and says how many would have gone free; in an emergency all', async () => {
  const field = await ground.field({ exitGraceMin: 60 })
  const minutes = (Date.now() - Date.parse(field.at(0))) / 60_000
  for (const plate of [LISTED, '鄂F0001警', '鄂F69002', '鄂F69003']) await field.enters(plate, minutes - 90)
  await field.exits('鄂F69003', minutes - 31)
  await field.pays(await field.stay('鄂F69003'), minutes - 31) // it may still leave by what it paid
  const count = async () =>
    (await ground.ask(ground.admin, '/fee/parkRecord/countToClear', { parkCode: field.parkCode, enteredBefore: field.at(minutes) })).data
  expect(await count()).toEqual({ count: 4, amountFen: 1000, free: 2, unpriced: 0, waits: false })
  await ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open: true, reason: '火警' })
  expect(await count()).toMatchObject({ amountFen: 0, free: 3, unpriced: 0 })
})

test('what a car owes now is nothing where its exit would let it go, and says why', async () => {
  const field = await ground.field({ exitGraceMin: 60 })
  const minutes = (Date.now() - Date.parse(field.at(0))) / 60_000
  const fee = async (plateNo: string) => (await ground.ask(ground.admin, '/fee/carFee/query', { plateNo, parkCode: field.parkCode }, 'GET')).data
  for (const plate of [LISTED, '鄂F0012警', '鄂F69012', '鄂F69013']) await field.enters(plate, minutes - 90)
  await field.exits('鄂F69013', minutes - 31)
  await field.pays(await field.stay('鄂F69013'), minutes - 31)
  const free = (freeReason: number) => ({ lines: [], freeReason, ruleVersionId: null })
  expect(await fee(LISTED)).toMatchObject({ totalFen: 0, payableFen: 0, quote: free(FreeReason.white) })
  expect(await fee('鄂F0012警')).toMatchObject({ payableFen: 0, quote: free(FreeReason.special) })
  expect(await fee('鄂F69012')).toMatchObject({ totalFen: 1000, payableFen: 1000 })
  expect(await fee('鄂F69013')).toMatchObject({ paidFen: 500, payableFen: 0, quote: free(FreeReason.paid) })
  await ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open: true, reason: '火警' })
  expect(await fee('鄂F69012')).toMatchObject({ payableFen: 0, quote: free(FreeReason.emergency) })
})
