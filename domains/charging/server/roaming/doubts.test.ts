import { describe, expect, it } from 'vitest'
import { instantOf } from '../../../../platform/contract/time.ts'
import type { Fen } from '../../../../platform/contract/field.ts'
import { Doubt } from '../../contract/roaming.ts'
import { doubtsAbout, momentOf } from '../../contract/roamingBill.ts'

const at = (text: string) => instantOf(text)!
const PRICES = [
  { from: '00:00', elecPriceE4: 3_000, servicePriceE4: 4_000 },
  { from: '08:00', elecPriceE4: 9_000, servicePriceE4: 4_000 },
  { from: '22:00', elecPriceE4: 3_000, servicePriceE4: 4_000 },
]
/** Ten kWh in one line, at one price. */
function aBill(from: string, to: string, elecPriceE4: number) {
  const [elecFen, serviceFen] = [elecPriceE4 / 10, 400]
  const line = { from: at(from), to: at(to), wh: 10_000, elecPriceE4, servicePriceE4: 4_000, elecFen: elecFen as Fen, serviceFen: serviceFen as Fen }
  return { startTime: at(from), endTime: at(to), energyWh: 10_000, elecFen, serviceFen, totalFen: elecFen + serviceFen, lines: [line] }
}
const doubts = (from: string, to: string, elecPriceE4: number) =>
  doubtsAbout(aBill(from, to, elecPriceE4), { prices: PRICES, powerKw: 60, createdAt: at(from) }, at(to))

describe('A line of a partner’s bill', () => {
  it('costs what was quoted for all of its time', () => {
    expect(doubts('2026-11-27 06:00:00', '2026-11-27 08:00:00', 3_000)).toEqual([])
    expect(doubts('2026-11-27 08:00:00', '2026-11-27 09:00:00', 9_000)).toEqual([])
    expect(doubts('2026-11-27 08:00:00', '2026-11-27 22:00:00', 9_000)).toEqual([])
    // Over midnight the price stays what it was.
    expect(doubts('2026-11-27 23:00:00', '2026-11-28 01:00:00', 3_000)).toEqual([])
  })
  it('that runs past a change of price is not what was quoted, whichever of the two it takes', () => {
    expect(doubts('2026-11-27 21:59:00', '2026-11-27 23:30:00', 9_000)).toEqual([Doubt.price])
    expect(doubts('2026-11-27 07:00:00', '2026-11-27 08:01:00', 3_000)).toEqual([Doubt.price])
    expect(doubts('2026-11-27 07:00:00', '2026-11-27 23:00:00', 3_000)).toEqual([Doubt.price])
    expect(doubts('2026-11-27 23:00:00', '2026-11-28 08:30:00', 3_000)).toEqual([Doubt.price])
  })
})

it('a moment of a charge is none before it was asked for, or ahead, by more than clocks differ', () => {
  const charge = { createdAt: at('2026-11-27 10:00:00') }
  const told = (text: string) => momentOf(at(text), charge, at('2026-11-27 11:00:00'))
  expect([told('2026-11-27 09:49:59'), told('2026-11-27 11:10:01'), told('9999-12-31 23:59:59'), momentOf(null, charge, charge.createdAt)]).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(told('2026-11-27 09:50:00')).toBe(at('2026-11-27 09:50:00'))
  expect(told('2026-11-27 11:10:00')).toBe(at('2026-11-27 11:10:00'))
})
