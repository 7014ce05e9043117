import { expect, test } from 'vitest'
import { orderAsked, orderIn, orderOut, pressed } from './order.ts'

const down = (by: string) => ({ by, up: false })
const up = (by: string) => ({ by, up: true })
const fields = ['code', 'name', 'size', 'at']
const read = (text: string) => orderIn(new URLSearchParams(text), fields)

test('an address holds one field as before, or several with their directions', () => {
  expect(read('sort=code')).toEqual([down('code')])
  expect(read('sort=code&up=1')).toEqual([up('code')])
  expect(read('sort=code,at&up=0,1')).toEqual([down('code'), up('at')])
  expect(read('sort=secret,at,at&up=1,0,1')).toEqual([down('at')])
  expect(read('sort=code,name,size,at')).toHaveLength(3)
  expect(read('')).toEqual([])
  for (const order of [[down('code')], [up('code')], [down('code'), up('at')]]) {
    const { sort, up: ups } = orderOut(order)
    expect(read(new URLSearchParams({ sort, ...(ups && { up: ups }) }).toString())).toEqual(order)
  }
})

test('a call is asked for one field with its direction, or for several with theirs', () => {
  expect(orderAsked([])).toBe(false)
  expect(orderAsked([up('code')])).toEqual({ orderByColumn: 'code', isAsc: true })
  expect(orderAsked([up('code'), down('at')])).toEqual({ orderByColumn: 'code,at', isAsc: 'true,false' })
})

test('a head pressed goes one way, the other and out of the order; alone it is the order, with Shift it joins, turns round in its place, and leaves', () => {
  const alone = { upFirst: false, adding: false }
  expect(pressed([], { by: 'at', ...alone })).toEqual([down('at')])
  expect(pressed([down('code')], { by: 'at', ...alone })).toEqual([down('at')])
  expect(pressed([down('code'), down('at')], { by: 'code', ...alone })).toEqual([up('code')])
  expect(pressed([up('code')], { by: 'code', ...alone })).toEqual([])
  expect(pressed([], { by: 'at', ...alone, upFirst: true })).toEqual([up('at')])
  expect(pressed([up('at')], { by: 'at', ...alone, upFirst: true })).toEqual([down('at')])
  expect(pressed([down('at')], { by: 'at', ...alone, upFirst: true })).toEqual([])
  const joins = { upFirst: false, adding: true }
  expect(pressed([down('code')], { by: 'at', ...joins })).toEqual([down('code'), down('at')])
  expect(pressed([down('code')], { by: 'at', ...joins, upFirst: true })).toEqual([down('code'), up('at')])
  expect(pressed([down('code'), down('at')], { by: 'code', ...joins })).toEqual([up('code'), down('at')])
  expect(pressed([up('code'), down('at')], { by: 'code', ...joins })).toEqual([down('at')])
  expect(pressed([down('code'), down('name'), down('size')], { by: 'at', ...joins })).toEqual([down('code'), down('name'), down('size')])
})
