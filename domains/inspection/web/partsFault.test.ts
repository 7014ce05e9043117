import { expect, test } from 'vitest'
import type { Fen } from '../../../platform/contract/field.ts'
import { partsFault } from './partsFault.ts'

const line = (qty: number | null, priceFen: number | null) => ({ name: '刷子', qty: qty as number, priceFen: priceFen as Fen })

test('a quantity or a price beyond its bounds, or none, is said of the first line that has it', () => {
  expect(partsFault({})).toBeUndefined()
  expect(partsFault({ parts: [line(1, 0), line(999, 10_000_000)] })).toBeUndefined()
  expect(partsFault({ parts: [line(1, 0), line(1000, 0)] })?.[0]).toBe('数量应在 1 至 999 之间')
  expect(partsFault({ parts: [line(2, 10_000_001)] })?.[0]).toBe('单价应在 ¥0.00 至 ¥100,000.00 之间')
  expect(partsFault({ parts: [line(null, 0)] })?.[1]).toBe('Quantity is needed')
})
