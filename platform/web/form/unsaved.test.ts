import { afterEach, expect, test } from 'vitest'
import { unsaved } from './unsaved.ts'

afterEach(() => unsaved.forget())

test('what is not saved is kept as a draft wholly, in part or not at all, by what holds it', () => {
  expect(unsaved.drafted()).toBeUndefined()
  unsaved.on('/roles', true, 'form', { drafted: true })
  expect(unsaved.drafted()).toBe('all')
  unsaved.on('/roster', true, 'cells')
  expect(unsaved.drafted()).toBe('some')
  unsaved.on('/roles', false, 'form')
  expect(unsaved.drafted()).toBe('none')
  unsaved.on('/roster', false, 'cells')
  expect([unsaved.drafted(), unsaved.any()]).toEqual([undefined, false])
})
