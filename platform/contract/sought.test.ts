import { expect, test } from 'vitest'
import { isWhole, soughtBy } from './sought.ts'

test('a whole plate, a whole telephone, or else a number', () => {
  expect(soughtBy(' 鄂f·12345 ')).toEqual({ kind: 'plate', value: '鄂F12345' })
  expect(soughtBy('139 0000-1111')).toEqual({ kind: 'phone', value: '13900001111' })
  expect(soughtBy('pk20261125-1')).toEqual({ kind: 'code', value: 'PK20261125-1' })
  expect(soughtBy('鄂F123').kind).toBe('code')
})
test('a few signs of a name or of a plate are not the whole of anything', () => {
  expect(['鄂F12345', '13900001111', 'PK20261125000001', 'R001-001', 'D4-7'].filter(isWhole)).toHaveLength(5)
  expect(['鄂F123', '1390000', 'P01', '角色管理', 'opera', '/known', "a1b2' or 1=1", ''].filter(isWhole)).toEqual(['1390000'])
})
