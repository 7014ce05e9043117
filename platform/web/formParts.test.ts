import { expect, test } from 'vitest'
import { partsOf } from './formParts.ts'

test('a form without sections is one part without a heading', () => {
  expect(partsOf(['name', { name: 'lane', half: true }])).toEqual([{ heading: undefined, fields: [{ name: 'name' }, { name: 'lane', half: true }] }])
  expect(partsOf([])).toEqual([])
})
test('a section holds its field and all after it, up to the next; what stands before the first has no heading', () => {
  const [where, bays] = [['位置', 'Place'] as const, ['车位', 'Bays'] as const]
  const parts = partsOf(['code', { name: 'lng', section: where }, 'lat', { name: 'total', section: bays }])
  expect(parts.map(({ heading, fields }) => [heading, fields.map(({ name }) => name)])).toEqual([
    [undefined, ['code']],
    [where, ['lng', 'lat']],
    [bays, ['total']],
  ])
})
