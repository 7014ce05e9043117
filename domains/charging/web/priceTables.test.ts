import { expect, test } from 'vitest'
import { StrategyPhase } from '../contract/strategy.ts'
import { priceLack, tablesToChoose } from './priceTables.ts'

const table = (id: string, phase: number, effectiveFrom: string, effectiveTo: string | null = null) =>
  ({ id, name: id, versionNo: 1, phase, effectiveFrom, effectiveTo }) as never
const FROM = '2026-11-29T16:00:00.000Z'

test('a station is offered the price tables in force first; one that is still to come says from when on', () => {
  const offered = tablesToChoose([
    table('明日', StrategyPhase.coming, FROM),
    table('今日', StrategyPhase.now, '2026-01-01T00:00:00.000Z'),
    table('旧', StrategyPhase.over, '2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'),
  ])
  expect(offered.map(({ label }) => label[0])).toEqual(['今日 第1版', '明日 第1版（待生效，11-30 00:00 起）'])
  expect(tablesToChoose([table('旧', StrategyPhase.over, FROM, FROM)], '旧')).toHaveLength(1)
})

test('a station without a price in force says why nothing can be charged there', () => {
  expect(priceLack({ strategyName: '今日', nextStrategyName: null, nextPriceAt: null })).toBeUndefined()
  expect(priceLack({ strategyName: null, nextStrategyName: '明日', nextPriceAt: FROM as never })![0]).toBe(
    '待生效：明日，11-30 00:00 起；此前不能充电',
  )
  expect(priceLack({ strategyName: null, nextStrategyName: null, nextPriceAt: null })![0]).toMatch(/没有价格表/)
})
