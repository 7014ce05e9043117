import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeIn } from './change.ts'

test('a percentage is said of two known figures of one sign alone', () => {
  const figure = fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 }), { nil: null })
  fc.assert(
    fc.property(figure, figure, (now, before) => {
      const percent = changeIn(now, before)
      const says = now !== null && before !== null && before !== 0 && now * before >= 0
      expect(percent === undefined).toBe(!says)
      if (percent !== undefined && now! > before!) expect(percent).toBeGreaterThanOrEqual(0)
      if (percent !== undefined && now! < before!) expect(percent).toBeLessThanOrEqual(0)
    }),
  )
})
test('less of a loss is a rise', () => {
  expect([changeIn(-500, -1000), changeIn(0, 800), changeIn(1200, 800), changeIn(-2500, 2600), changeIn(5, 0)]).toEqual([
    50,
    -100,
    50,
    undefined,
    undefined,
  ])
})
