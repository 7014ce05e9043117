import { setTimeout as pause } from 'node:timers/promises'

/** More in one transaction would only make the first ones wait. */
const TOGETHER = 100
/**
 * Items that come within this time after a commit began wait for others: a transaction costs as much as three of the reports in
 * it. After a quiet moment nothing waits.
 */
const APART_MS = 20

interface Waiting<Item, Done> {
  enterprise: number
  item: Item
  done: (done: Done) => void
  failed: (error: unknown) => void
}

/**
 * For work of which there is much and for which nobody waits: what comes while the last of it is being committed, or shortly after, is committed together, in one
 * transaction of its enterprise. One that cannot be kept fails alone.
 */
export function openTogether<Item, Done>(
  commitAll: (enterprise: number, items: readonly Item[]) => Promise<readonly Done[]>,
  { apartMs = APART_MS }: { apartMs?: number } = {},
) {
  let waiting: Waiting<Item, Done>[] = []
  let busy = false
  let begun = -Infinity

  async function work(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const early = begun + apartMs - performance.now()
      if (early > 0 && waiting.length < TOGETHER) await pause(early)
      begun = performance.now()
      const taken = waiting.slice(0, TOGETHER)
      waiting = waiting.slice(TOGETHER)
      await Promise.all([...Map.groupBy(taken, ({ enterprise }) => enterprise)].map(([enterprise, its]) => commit(enterprise, its)))
    }
    busy = false
  }
  async function commit(enterprise: number, its: readonly Waiting<Item, Done>[]): Promise<void> {
    try {
      const done = await commitAll(
        enterprise,
        its.map(({ item }) => item),
      )
      its.forEach((one, i) => one.done(done[i]!))
    } catch (error) {
      if (its.length === 1) return its[0]!.failed(error)
      for (const one of its) await commit(enterprise, [one])
    }
  }

  return (enterprise: number, item: Item): Promise<Done> =>
    new Promise((done, failed) => {
      waiting.push({ enterprise, item, done, failed })
      if (!busy) void work()
    })
}
