import { expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { spanOf } from './illegalSpan.ts'

const shot = (minute: number, showsPlate = true, showsPlace = true) => ({
  image: '/x.png',
  at: new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString() as Instant,
  showsPlate,
  showsPlace,
})
test('only pictures with plate and place count, and they must lie as far apart as the car had to stand', () => {
  const of = (images: ReturnType<typeof shot>[], plateNo: string | null = '鄂F12345') => spanOf({ images, holdMin: 3, plateNo })
  expect(of([shot(0)])).toEqual({ min: null, enough: false })
  expect(of([shot(0), shot(9, false)])).toEqual({ min: null, enough: false })
  expect(of([shot(0), shot(2)])).toEqual({ min: 2, enough: false })
  expect(of([shot(5), shot(2), shot(4, true, false)])).toEqual({ min: 3, enough: true })
  expect(of([shot(0), shot(9)], null)).toEqual({ min: 9, enough: false })
})
