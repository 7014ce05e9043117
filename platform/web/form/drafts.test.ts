import { expect, test } from 'vitest'
import { draftName } from './drafts.ts'

test('a draft belongs to the record that it is about, or to the pair, in whichever order it was ticked; else to something new', () => {
  expect(draftName('stay.edit', { id: 'a' })).toBe('stay.edit/a')
  expect(draftName('stay.merge', { ids: ['b', 'a'] })).toBe(draftName('stay.merge', { ids: ['a', 'b'] }))
  expect(draftName('stay.merge', { ids: ['a', 'b'] })).not.toBe(draftName('stay.merge', { ids: ['a', 'c'] }))
  expect(draftName('stay.add', {})).toBe('stay.add/new')
})
