import { expect, test } from 'vitest'
import { firstLook, onMap, stored, styleOf } from './mapSettings.ts'

const STATION: [number, number] = [112.2718, 32.0541]
const look = { dark: false, language: 'zh', font: 'sans-serif' } as const

test('places are turned for a map of the Chinese datum only, and come back to where they were', () => {
  expect(onMap({}, ...STATION)).toEqual(STATION)
  const turned = onMap({ address: 'https://maps.example/{z}/{x}/{y}.png', datum: 'gcj02' }, ...STATION)
  const metres = Math.hypot((turned[0] - STATION[0]) * 94_400, (turned[1] - STATION[1]) * 111_000)
  expect(metres).toBeGreaterThan(100)
  expect(metres).toBeLessThan(1_000)
  const [lng, lat] = stored({ datum: 'gcj02' }, ...turned)
  expect(lng).toBeCloseTo(STATION[0], 5)
  expect(lat).toBeCloseTo(STATION[1], 5)
})

test('without an address the ground is drawn here and names no other host; with one it is that style or those tiles', () => {
  expect(JSON.stringify(styleOf({}, look))).not.toMatch(/https?:/)
  expect(styleOf({ address: 'https://maps.example/style.json' }, look)).toBe('https://maps.example/style.json')
  expect(styleOf({ address: 'https://maps.example/{z}/{x}/{y}.png' }, look)).toMatchObject({
    sources: { tiles: { tiles: ['https://maps.example/{z}/{x}/{y}.png'] } },
  })
})

test('limits.map-centre: a map with no place given stands over the city; with places it shows them all', () => {
  expect(firstLook({}, [])).toEqual({ center: [112.232195, 32.095691], zoom: 12 })
  const places = [
    { lng: 112.1, lat: 32.2 },
    { lng: 112.3, lat: 32.0 },
  ]
  const shown = firstLook({}, places)
  expect(shown).toMatchObject({ bounds: [112.1, 32.0, 112.3, 32.2] })
  // A name of ten characters in two lines stands below its mark, and the scale of 24 px below that.
  const { top, right, bottom, left } = shown.fitBoundsOptions!.padding as Record<string, number>
  expect([left! > 60, right! > 60, bottom! > 12 + 2 * 15 + 34, top! > 36 + 9]).toEqual([true, true, true, true])
})
