import { expect, test } from 'vitest'
import { shotsOf } from './Shots.tsx'

test('a picture keeps what was said of it; a new one shows the plate and the place, and was taken now', () => {
  const [now, before] = ['2026-11-26T08:00:00.000Z', '2026-11-26T07:55:00.000Z']
  const known = [{ image: '/a.jpg', at: before as never, showsPlate: false, showsPlace: true }]
  expect(shotsOf('/b.jpg,/a.jpg', known, now)).toEqual([{ image: '/b.jpg', at: now, showsPlate: true, showsPlace: true }, known[0]])
  expect(shotsOf('', known, now)).toEqual([])
})
