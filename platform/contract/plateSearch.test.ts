import { expect, test } from 'vitest'
import { searchOf } from './call.ts'
import { entity, id, instant, plate } from './field.ts'

const Car = entity({ id: id<'CarId'>(), plateNo: plate(), at: instant('时间', 'Time') })

test('a plate is searched by any run of its characters: a list that would look otherwise is not made', () => {
  expect(searchOf(Car, { plateNo: 'plate' }, { sort: ['at'] }).operators).toEqual({ plateNo: 'plate' })
  expect(() => searchOf(Car, { plateNo: 'startsWith' }, { sort: ['at'] })).toThrow('plateNo is a plate')
  expect(() => searchOf(Car, { plateNo: 'equals' }, { sort: ['at'] })).toThrow('plateNo is a plate')
})
