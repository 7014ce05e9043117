import { expect, test } from 'vitest'
import { heldIn, type Leaf, marksOf, matching, ticked } from './grants.ts'

const leaf = (key: string, is: Leaf['is'], children: Leaf[] = []): Leaf => ({ key, title: key, is, children })
const orders = leaf('orders', 'page', [leaf('add', 'button'), leaf('assign', 'button')])
const cases = leaf('cases', 'page')
const service = leaf('service', 'folder', [leaf('work', 'folder', [orders]), cases])
const home = leaf('home', 'page')
const all = [home, service]

test('a folder that is ticked gives every page and button below it, and nothing that opens nothing', () => {
  expect(ticked(all, ['home'], service, true)).toEqual(['home', 'orders', 'add', 'assign', 'cases'])
  expect(heldIn(all)).not.toContain('service')
})
test('a folder that is half ticked is ticked whole, and then given up whole', () => {
  const held = ticked(all, ['home', 'add', 'orders'], service, true)
  expect(new Set(held)).toEqual(new Set(['home', 'orders', 'add', 'assign', 'cases']))
  expect(ticked(all, held, service, false)).toEqual(['home'])
})
test('a button brings its page, and may go without it', () => {
  const held = ticked(all, [], orders.children[0]!, true)
  expect(new Set(held)).toEqual(new Set(['add', 'orders']))
  expect(ticked(all, held, orders.children[0]!, false)).toEqual(['orders'])
})
test('of a search only what is shown is ticked', () => {
  const [found] = matching(all, 'orders')
  expect(ticked(all, [], found!, true)).toEqual(['orders', 'add', 'assign'])
})
test('a folder is marked whole when all below it is held, half when something is, and not by itself', () => {
  expect(marksOf(all, new Set(['service']))).toEqual({ checked: [], halfChecked: [] })
  expect(marksOf(all, new Set(['orders']))).toEqual({ checked: ['orders'], halfChecked: ['work', 'service'] })
  expect(marksOf(all, new Set(heldIn([service]))).checked).toEqual(['add', 'assign', 'orders', 'work', 'cases', 'service'])
})
