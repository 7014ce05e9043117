import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import useEscape, { enter, type Layer, leave } from './escape.ts'

const page = new EventTarget()
beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})
afterEach(() => void vi.unstubAllGlobals())
const press = (key = 'Escape') => page.dispatchEvent(Object.assign(new Event('keydown'), { key }))
/** A layer on the page, and what Escape was said to it. */
function layer(order: number) {
  const said: boolean[] = []
  const one: Layer = { order, onEscape: { current: ({ top }) => void said.push(top) } }
  enter(one)
  return { said, gone: () => leave(one) }
}

test('a layer that was drawn and given up does not stand in front of those on the page', () => {
  const drawn = vi.fn()
  const dialog = layer(1)
  renderToString(createElement(() => (useEscape(true, drawn), null)))
  press()
  dialog.gone()
  expect(dialog.said).toEqual([true])
  expect(drawn).not.toHaveBeenCalled()
})

test('the layer in front is the one that opened last, in whichever order they came to the page', () => {
  const inner = layer(2)
  const outer = layer(1)
  press()
  expect([inner.said, outer.said]).toEqual([[true], [false]])
  inner.gone()
  press()
  press('Enter')
  outer.gone()
  expect(outer.said).toEqual([false, true])
  press()
  expect(outer.said).toHaveLength(2)
})

test('Escape that ends an input method is for nobody', () => {
  const dialog = layer(1)
  page.dispatchEvent(new Event('compositionend'))
  press()
  dialog.gone()
  expect(dialog.said).toEqual([])
})
