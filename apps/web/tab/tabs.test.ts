import { describe, expect, test } from 'vitest'
import { checkTabs, close, closeAll, closeLeft, closeOthers, closeRight, homeTab, moved, open, type Tab, TABS_FEW, TABS_MOST } from './tabs.ts'

const opened = (...paths: string[]) => paths.reduce<Tab[]>((tabs, path) => open(tabs, path, path, TABS_MOST), [homeTab])
const paths = (tabs: readonly Tab[]) => tabs.map(({ path }) => path)
const four = opened('/a', '/b', '/c', '/d')

describe('opened pages', () => {
  test('tabs.close-left: what is left of it closes, home stays', () => {
    expect(paths(closeLeft(four, '/a', '/c').tabs)).toEqual(['/index', '/c', '/d'])
    expect(closeLeft(four, '/a', '/c').front).toBe('/c')
    expect(closeLeft(four, '/d', '/c').front).toBe('/d')
  })
  test('tabs.close-right: what is right of it closes', () => {
    expect(paths(closeRight(four, '/d', '/b').tabs)).toEqual(['/index', '/a', '/b'])
    expect(closeRight(four, '/d', '/b').front).toBe('/b')
  })
  test('tabs.close-others: all but it and home close', () => expect(paths(closeOthers(four, '/a', '/b').tabs)).toEqual(['/index', '/b']))
  test('tabs.close-all: all but home close', () => {
    expect(paths(closeAll(four).tabs)).toEqual(['/index'])
    expect(closeAll(four).front).toBe('/index')
  })
  test('tabs.close-current-next: the next one comes to the front', () => {
    expect(close(four, '/b', '/b')).toMatchObject({ front: '/c' })
    expect(close(four, '/b', '/a')).toMatchObject({ front: '/b' })
  })
  test('tabs.close-current-last: the one before comes to the front', () => expect(close(four, '/d', '/d').front).toBe('/c'))
  test('tabs.home-never-closed: whatever is closed, home stays', () => {
    for (const by of [closeLeft, closeRight, closeOthers, close]) {
      const { tabs, front } = by([homeTab], '/index', '/index')
      expect([paths(tabs), front]).toEqual([['/index'], '/index'])
    }
    expect(paths(closeAll([homeTab]).tabs)).toEqual(['/index'])
  })
  test('tabs.limit-five: a sixth page drops the oldest that is not home', () => {
    const five = ['/a', '/b', '/c', '/d', '/e'].reduce<Tab[]>((tabs, path) => open(tabs, path, path, TABS_FEW), [homeTab])
    expect(paths(open(five, '/f', '/f', TABS_FEW))).toEqual(['/index', '/b', '/c', '/d', '/e', '/f'])
    // The oldest by when it was opened, not by its place.
    expect(paths(open(moved(five, '/a', '/e'), '/f', '/f', TABS_FEW))).toEqual(['/index', '/b', '/c', '/d', '/e', '/f'])
  })
  test('a page with something half typed gives way last', () => {
    const five = ['/a', '/b', '/c', '/d', '/e'].reduce<Tab[]>((tabs, path) => open(tabs, path, path, TABS_FEW), [homeTab])
    expect(paths(open(five, '/f', '/f', TABS_FEW, ({ path }) => path === '/a'))).toEqual(['/index', '/a', '/c', '/d', '/e', '/f'])
  })
  test('a page opened again keeps its place and takes the new address', () => {
    const again = open(four, '/b', '/b?plateNo=1', TABS_MOST)
    expect(paths(again)).toEqual(paths(four))
    expect(again.find(({ path }) => path === '/b')?.address).toBe('/b?plateNo=1')
  })
  test('what is kept is read only when it is a list of own addresses', () => {
    for (const bad of [
      null,
      'x',
      {},
      [null],
      [{ path: '//evil', address: '//evil', opened: 1 }],
      [{ path: '/a', address: 'javascript:1', opened: 1 }],
    ])
      expect(paths(checkTabs(bad) ?? [homeTab])).toEqual(['/index'])
  })
})
