import { expect, test } from 'vitest'
import { intoEmpty, partsOf, titleOf } from './formParts.ts'

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
test('a dialog without a title of its own names its thing, and which one where it is there already', () => {
  expect(titleOf('new', ['积分账户', 'Points account'], { name: '王女士' })).toEqual(['新增积分账户', 'New points account'])
  expect(titleOf('edit', ['积分账户', 'Points account'], { name: '王女士' })).toEqual(['编辑积分账户 · 王女士', 'Edit points account · 王女士'])
  expect(titleOf('view', ['ETC 记录', 'ETC record'], {})).toEqual(['查看ETC 记录', 'View ETC record'])
  expect(titleOf('new', undefined, {})).toEqual(['新增', 'New'])
})

test('what is put into a form for somebody goes into its empty fields alone', () => {
  const typed = { address: '东门路 1 号', regionCode: '', stationLng: null, prepayFen: 0 }
  const offered = { address: '车场的地址', regionCode: '420607', stationLng: 112.1, stationLat: 32, prepayFen: 5_000 }
  expect(intoEmpty(typed, offered)).toEqual({ regionCode: '420607', stationLng: 112.1, stationLat: 32 })
})
