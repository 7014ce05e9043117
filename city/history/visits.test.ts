import { expect, test } from 'vitest'
import { tariffOfPublished } from '../../domains/fee/server/api.ts'
import { DAY_MS } from '../../platform/contract/time.ts'
import { OTHER_PARKS, PARKS } from '../plan.ts'
import { TARIFFS } from '../tariffs.ts'
import { passesOf, pricedPark, type Visit, visitsOn } from './visits.ts'

const FIRST = Date.parse('2026-11-09T16:00:00.000Z')
const DAYS = 14

test('no car comes again before it has left, whoever parks over night among them; the same day is always the same', () => {
  for (const park of [...PARKS, ...OTHER_PARKS]) {
    const priced = pricedPark(park, tariffOfPublished(TARIFFS[park.tariff].rule), passesOf(park))
    const on = (day: number) => visitsOn(FIRST + day * DAY_MS, priced, FIRST + DAYS * DAY_MS)
    const all = Array.from({ length: DAYS }, (_, day) => on(day)).flat()
    const twice = [...Map.groupBy(all, ({ plateNo }) => plateNo).values()].flatMap((visits: Visit[]) =>
      visits.filter(({ entryMs }, place) => place > 0 && entryMs <= (visits[place - 1]!.exitMs ?? Infinity)),
    )
    expect(twice).toEqual([])
    expect(all.length).toBeGreaterThan((park.carsPerDay * DAYS) / 4)
    expect(on(3)).toEqual(on(3))
  }
})
