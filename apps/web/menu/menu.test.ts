import { describe, expect, test } from 'vitest'
import type { MenuNode } from '../../../domains/identity/contract/menuTree.ts'
import { choiceOf, chosenIn, headerChoice, MAIN_LAYOUT, menuOf, PLACEHOLDER, routeAt, routesOf, trailTo } from './menu.ts'

const aNode = (differs: Partial<MenuNode>): MenuNode => ({
  id: 'r1',
  name: '停车记录',
  nameEn: 'Parking records',
  url: '/a',
  funcCode: '',
  component: '',
  icon: null,
  level: 1,
  children: [],
  ...differs,
})
const tree = [
  aNode({
    id: 'folder',
    url: '/operation',
    name: '运营',
    nameEn: 'Operations',
    component: MAIN_LAYOUT,
    children: [
      aNode({ id: 'stays', url: '/operation/stays', component: 'StayScreen', level: 2 }),
      aNode({ id: 'video', url: 'https://video.example/wall', component: '', level: 2 }),
      aNode({ id: 'later', url: '/operation/later', component: '', level: 2 }),
    ],
  }),
  aNode({ id: 'lost', url: '', component: 'LostScreen', children: [aNode({ url: '/lost/below', component: 'BelowScreen' })] }),
]
const menu = menuOf(tree)

describe('a menu from the resource tree', () => {
  test('menu.built-from-tree app.menus-only-assigned: menu and routes hold what the tree holds and nothing else', () => {
    expect(menu.map(({ url }) => url)).toEqual(['/operation'])
    expect(routesOf(menu).map(({ path, component }) => [path, component])).toEqual([['/operation/stays', 'StayScreen']])
  })
  test('menu.entry-fields: id, name, url, funcCode, component, icon, children and level are understood', () => {
    const read = menuOf([
      aNode({ id: 'x', url: ' /x ', icon: 'car', component: 'X', level: 3, funcCode: 'f', children: [aNode({ url: '/x/y' })] }),
    ])[0]!
    expect(read).toMatchObject({ id: 'x', url: '/x', icon: 'car', component: 'X', level: 3, name: ['停车记录', 'Parking records'] })
    expect(read.children).toHaveLength(1)
  })
  test('menu.drop-empty-url: an entry with an empty url is dropped with all below it', () => {
    expect(JSON.stringify(menu)).not.toContain('lost')
    expect(menuOf([aNode({ url: '  ' })])).toEqual([])
  })
  test('menu.absolute-not-routed: an absolute web link is no route and stays in the menu', () => {
    expect(routesOf(menu).some(({ id }) => id === 'video')).toBe(false)
    expect(menu[0]!.children.some(({ id }) => id === 'video')).toBe(true)
  })
  test('a page knows the folders above it, and its address with a record open is still its own', () => {
    const routes = routesOf(menu)
    expect(routes[0]!.under).toEqual([['运营', 'Operations']])
    expect(routeAt(routes, '/operation/stays/42')?.path).toBe('/operation/stays')
    expect(routeAt(routes, '/operation/stays/42/43')).toBeUndefined()
    expect(routeAt(routes, '/operation/staysick')).toBeUndefined()
    expect(trailTo(menu, '/operation/stays').map(({ id }) => id)).toEqual(['folder', 'stays'])
  })
})

describe('choosing in a menu', () => {
  const temporary = { warn: ['临时菜单', expect.any(String)] }
  const inTheMaking = { warn: ['正在开发中', expect.any(String)] }
  test('menu.select-placeholder: the placeholder warns 临时菜单', () => expect(chosenIn(`${PLACEHOLDER}1`)).toEqual(temporary))
  test('menu.select-undefined: nothing warns 临时菜单', () => expect(chosenIn(undefined)).toEqual(temporary))
  test('menu.select-external: a web link opens beside the console', () => {
    expect(chosenIn('http://a.example/')).toEqual({ open: 'http://a.example/' })
    expect(chosenIn('https://a.example/')).toEqual({ open: 'https://a.example/' })
  })
  test('menu.select-path: a path is gone to', () => expect(chosenIn('/operation/stays')).toEqual({ go: '/operation/stays' }))
  test('error.menu-no-target: an entry without a page says 正在开发中', () => {
    expect(choiceOf(menu[0]!.children.find(({ id }) => id === 'later')!)).toEqual(inTheMaking)
  })
  test('menu.header-external: a header sub-menu with a web link opens it', () => {
    expect(headerChoice(menuOf([aNode({ url: 'https://a.example/' })])[0]!)).toEqual({ open: 'https://a.example/' })
  })
  test('menu.header-first-descendant: a header sub-menu opens its first page below', () => {
    expect(headerChoice(menu[0]!)).toEqual({ go: '/operation/stays' })
  })
  test('menu.header-none: a header sub-menu without pages below says 正在开发中', () => {
    expect(headerChoice(menuOf([aNode({ component: MAIN_LAYOUT, url: '/empty' })])[0]!)).toEqual(inTheMaking)
  })
})
