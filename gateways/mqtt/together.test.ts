import { expect, test } from 'vitest'
import { openTogether } from './together.ts'

const later = () => new Promise((resolve) => setTimeout(resolve, 5))

test('what comes during a commit is committed together, each enterprise by itself', async () => {
  const commits: [enterprise: number, items: readonly string[]][] = []
  const take = openTogether(async (enterprise, items: readonly string[]) => {
    commits.push([enterprise, items])
    await later()
    return items.map((item) => item.toUpperCase())
  })
  expect(await Promise.all([take(1, 'a'), take(1, 'b'), take(2, 'c'), take(1, 'd')])).toEqual(['A', 'B', 'C', 'D'])
  expect(commits).toEqual([
    [1, ['a']],
    [1, ['b', 'd']],
    [2, ['c']],
  ])
})

test('one that cannot be kept fails alone', async () => {
  const take = openTogether(async (_, items: readonly number[]) => {
    await later()
    if (items.includes(3)) throw new Error('three')
    return items.map((item) => item * 10)
  })
  const done = await Promise.allSettled([1, 2, 3, 4].map((item) => take(1, item)))
  expect(done.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([10, 20, 'three', 40])
  expect(await take(1, 5)).toBe(50)
})
