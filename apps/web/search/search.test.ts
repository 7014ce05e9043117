import { pinyin } from 'pinyin-pro'
import { expect, test } from 'vitest'
import type { Route } from '../menu/menu.ts'
import { searchIn, spelledWith } from './search.ts'

const aRoute = (path: string, zh: string, en: string, under = '运营管理'): Route => ({
  id: path,
  path,
  name: [zh, en],
  component: 'X',
  under: [[under, 'Operations']],
})
const routes = [
  aRoute('/a/stays', '停车记录', 'Parking records'),
  aRoute('/a/present', '在场车辆', 'Cars present'),
  aRoute('/b/roles', '角色管理', 'Roles', '系统管理'),
]
const found = (words: string) => searchIn(routes, words, spelledWith(pinyin)).map(({ path }) => path)

test('a page is found by its name in either language, by pinyin, by initials, by its folder and by its address', () => {
  expect(found('停车')).toEqual(['/a/stays'])
  expect(found('parking')).toEqual(['/a/stays'])
  expect(found('tingche')).toEqual(['/a/stays'])
  expect(found('tcjl')).toEqual(['/a/stays'])
  expect(found('系统')).toEqual(['/b/roles'])
  expect(found('/b/ro')).toEqual(['/b/roles'])
  expect(found('xyz')).toEqual([])
  expect(found('')).toHaveLength(3)
})
test('pages whose name begins so come first', () => expect(found('c')[0]).toBe('/a/present'))
