import { expect, test } from 'vitest'
import { slotsOf } from './slots.ts'

/** Fills the only slot, queues `names` behind it, frees it, and tells in which order they went. */
async function orderOf(names: readonly string[], hurried: (name: string) => boolean): Promise<string[]> {
  const slots = slotsOf(1)
  let free = () => {}
  const first = slots(() => new Promise<void>((done) => (free = done)))
  const went: string[] = []
  const all = names.map((name) =>
    slots(
      async () => void went.push(name),
      () => hurried(name),
    ),
  )
  free()
  await Promise.all([first, ...all])
  return went
}

test('first come, first served; whoever is in a hurry goes ahead', async () => {
  expect(await orderOf(['a', 'b', 'c'], () => false)).toEqual(['a', 'b', 'c'])
  expect(await orderOf(['a', 'b', 'C'], (name) => name === 'C')).toEqual(['C', 'a', 'b'])
})

test('the hurried do not keep the others out for ever', async () => {
  const went = await orderOf(['a', 'B', 'C', 'D', 'E', 'F'], (name) => name !== 'a')
  expect(went.indexOf('a')).toBe(3)
})

test('what fails gives its slot back', async () => {
  const slots = slotsOf(1)
  await expect(slots(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await slots(() => Promise.resolve('yes'))).toBe('yes')
})

test('who would stand behind as many as may wait is told to come again; the others get their turn', async () => {
  const slots = slotsOf(1, 1)
  let open = () => {}
  const first = slots(() => new Promise<void>((done) => (open = done)))
  const second = slots(async () => 'second')
  await expect(slots(async () => 'third')).rejects.toMatchObject({ status: 429 })
  open()
  await first
  expect(await second).toBe('second')
  expect(await slots(async () => 'fourth')).toBe('fourth')
})
