import { expect, test } from 'vitest'
import { PeriodKind } from '../contract/strategy.ts'
import { samplesOf } from './samplePrices.ts'

const { sharp, peak, flat, valley } = PeriodKind
const period = (from: string, to: string, kind: 1 | 2 | 3 | 4 | 5, elecPriceE4: number) => ({ from, to, kind, elecPriceE4, servicePriceE4: 4_000 })

test('the sample of a price table has every period once, the dearest first, whenever it holds', () => {
  const table = [
    period('00:00', '07:00', valley, 3_000),
    period('07:00', '11:00', flat, 6_000),
    period('11:00', '17:00', peak, 9_000),
    period('17:00', '20:00', sharp, 11_000),
    period('20:00', '22:00', flat, 6_000),
    period('22:00', '24:00', valley, 3_000),
  ]
  expect(samplesOf(table).map(({ kind, fen, from }) => [kind, fen, from])).toEqual([
    [sharp, 6_000, '17:00'],
    [peak, 5_200, '11:00'],
    [flat, 4_000, '07:00'],
    [valley, 2_800, '00:00'],
  ])
})

test('one kind at two prices is two samples; one price all day is one', () => {
  expect(samplesOf([period('00:00', '12:00', flat, 6_000), period('12:00', '24:00', flat, 7_000)]).map(({ fen }) => fen)).toEqual([4_400, 4_000])
  expect(samplesOf([period('00:00', '24:00', flat, 6_000)])).toHaveLength(1)
})
