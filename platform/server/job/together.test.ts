import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTogether } from './together.ts'

test('what comes during a commit is committed together, each enterprise by itself', async () => {
  const commits: [enterprise: number, items: readonly string[]][] = []
  const take = openTogether(async (enterprise, items: readonly string[]) => {
    commits.push([enterprise, items])
    await pause(5)
    return items.map((item) => item.toUpperCase())
  })
  expect(await Promise.all([take(1, 'a'), take(1, 'b'), take(2, 'c'), take(1, 'd')])).toEqual(['A', 'B', 'C', 'D'])
  expect(commits).toEqual([
    [1, ['a']],
    [1, ['b', 'd']],
    [2, ['c']],
  ])
})

test('commits of few are kept apart, and after a quiet moment nothing waits', async () => {
  const begun: number[] = []
  const done: number[] = []
  const take = openTogether(async (_, items: readonly number[]) => {
    begun.push(performance.now())
    done.push(...items)
    return items
  })
  const all = Array.from({ length: 20 }, (_, i) => i)
  await Promise.all(all.map((item) => pause(3 * item).then(() => take(1, item))))
  expect(done).toEqual(all)
  expect(begun.length).toBeLessThan(all.length)
  for (const [i, at] of begun.entries()) if (i > 0) expect(at - begun[i - 1]!).toBeGreaterThan(17) // a timer may come a millisecond early
  await pause(25)
  const last = take(1, 99)
  expect(done.at(-1)).toBe(99)
  await last
})

test('as many as fit into one transaction wait for no more', async () => {
  const commits: number[] = []
  const take = openTogether(async (_, items: readonly number[]) => {
    commits.push(items.length)
    return items
  })
  const all = Array.from({ length: 301 }, (_, i) => i)
  const done = Promise.all(all.map((item) => take(1, item)))
  await new Promise((next) => setImmediate(next))
  expect(commits).toEqual([1, 100, 100, 100])
  await done
})

test('one that cannot be kept fails alone', async () => {
  const take = openTogether(async (_, items: readonly number[]) => {
    await pause(5)
    if (items.includes(3)) throw new Error('three')
    return items.map((item) => item * 10)
  })
  const done = await Promise.allSettled([1, 2, 3, 4].map((item) => take(1, item)))
  expect(done.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([10, 20, 'three', 40])
  expect(await take(1, 5)).toBe(50)
})
