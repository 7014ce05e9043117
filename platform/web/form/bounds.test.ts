import { expect, test } from 'vitest'
import { fen, images, whole } from '../../contract/field.ts'
import { missing, numberFault, outOfBounds } from './bounds.ts'
import type { Shape } from '../value.tsx'

const shape = (field: object) => field as Shape
const share = shape(whole('占比', 'Share', { min: 0, max: 100 }))

test('a number within its bounds is right, also at both ends', () => {
  expect([0, 50, 100].map((value) => outOfBounds(share, value, '占比'))).toEqual([undefined, undefined, undefined])
})
test('beyond them both bounds are said, of a field with one bound that one', () => {
  expect(outOfBounds(share, 150, '占比')).toEqual(['占比应在 0 至 100 之间', '占比: from 0 to 100'])
  expect(outOfBounds(shape(whole('数量', 'Count', { min: 1 })), 0, 'Count')?.[1]).toBe('Count: at least 1')
  expect(outOfBounds(shape(whole('数量', 'Count', { min: 1 })), 3_000_000_000, 'Count')?.[1]).toBe('Count: at most 2147483647')
})
test('money and energy are said as they are typed', () => {
  expect(outOfBounds(shape(fen('金额', 'Amount', { min: 100 })), 50, '金额')?.[0]).toBe('金额不能小于 ¥1.00')
  expect(outOfBounds(shape(whole('功率', 'Power', { unit: 'watt', min: 1_000, max: 20_000 })), 500, 'Power (kW)', 1_000)?.[1]).toBe(
    'Power (kW): from 1 to 20',
  )
  expect(outOfBounds(shape(whole('电量', 'Energy', { unit: 'watt-hour', min: 0, max: 1500 })), 1501, 'Energy')?.[1]).toBe(
    'Energy: from 0 kWh to 1.5 kWh',
  )
})
test('a share is said in hundredths, as it is typed', () => {
  const rate = shape(whole('超时费率', 'Overrun rate', { unit: 'permille', min: 0, max: 5000 }))
  expect(outOfBounds(rate, 5001, 'Overrun rate')?.[1]).toBe('Overrun rate: from 0% to 500%')
})
test('outside a form nothing typed is a fault of its own', () => {
  expect([null, undefined].map((value) => numberFault(share, value)?.[0])).toEqual(['请填写占比', '请填写占比'])
  expect(numberFault(share, 150)).toEqual(['占比应在 0 至 100 之间', 'Share: from 0 to 100'])
  expect(numberFault(share, 150, { label: ['上限', 'Cap'] })).toEqual(['上限应在 0 至 100 之间', 'Cap: from 0 to 100'])
  expect(numberFault(share, 0)).toBeUndefined()
})
test('a needed field that is empty is to be filled in, a picture to be uploaded', () => {
  expect(missing(share, '占比')[0]).toBe('请填写占比')
  expect(missing(shape(images('图片', 'Picture')), '图片')[0]).toBe('请上传图片')
  expect(missing(shape(images('图片', 'Picture')), 'Picture')[1]).toBe('Picture: please upload')
})
