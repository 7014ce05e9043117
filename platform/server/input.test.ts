import { expect, test } from 'vitest'
import { among, dictionary, entity, orNone, text, whole } from '../contract/field.ts'
import { checkerOfSchema } from './input.ts'

const Colour = dictionary('colour', ['颜色', 'Colour'], { 1: ['蓝', 'Blue'], 2: ['绿', 'Green'] })
const check = checkerOfSchema(
  entity({
    name: text('姓名', 'Name', { max: 4 }),
    size: orNone(whole('大小', 'Size', { min: 1, max: 9 })),
    colour: among('颜色', 'Colour', Colour),
  }),
)

test('a row of a sheet is told all that is wrong with it, each field once, in both languages', () => {
  expect(check({ name: '王一', size: null, colour: 1 })).toBeUndefined()
  expect(check({ size: 12, colour: 3 })).toEqual({
    field: 'name',
    texts: ['缺少「姓名」；「大小」应 <= 9；「颜色」只能是 1、2', '“Name” is missing; “Size” must be <= 9; “Colour” can only be 1、2'],
  })
  expect(check({ name: 'x'.repeat(900), size: 1, colour: 1 })).toEqual({
    field: 'name',
    texts: ['「姓名」最多 4 个字', '“Name” takes at most 4 characters'],
  })
})
