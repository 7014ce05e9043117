import { expect, test } from 'vitest'
import { type Drawn, nearest } from './near.ts'

/** Of a street from west to east, how often its line was looked at. */
function streets(rows: number, columns: number) {
  let looked = 0
  const drawn = Array.from({ length: rows * columns }, (_, n): Drawn => {
    const [west, south] = [112 + (n % columns) * 0.02, 32 + Math.floor(n / columns) * 0.02]
    const line = [
      [west, south],
      [west + 0.01, south],
    ] as const // a kilometre, more than one from the next
    const reach = { west, south, east: west + 0.01, north: south }
    return Object.defineProperty({ name: `街 ${n}`, line, ...reach }, 'line', { get: () => (looked++, line) })
  })
  return { drawn, looked: () => looked }
}

test('of many sections only those around a place are measured, and the nearest of these is told', () => {
  const { drawn, looked } = streets(40, 40)
  for (const [n, { west, south }] of drawn.entries())
    expect(nearest({ lng: west + 0.005, lat: south + 0.001 }, drawn)).toEqual({ name: `街 ${n}`, metres: 111 })
  expect(looked()).toBe(drawn.length)
  expect(nearest({ lng: 112.005, lat: 32.0028 }, drawn)).toBeUndefined()
  expect(nearest({ lng: 112.0128, lat: 32 }, drawn)).toEqual({ name: '街 0', metres: 264 })
})
