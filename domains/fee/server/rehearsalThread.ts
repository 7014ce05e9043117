import { parentPort, workerData } from 'node:worker_threads'
import { compile, type Compiled } from './compiled.ts'
import { totalFenOf } from './quoting.ts'
import type { Batch, BatchPriced, Both } from './rehearsalPricing.ts'
import { openTurns } from './rehearsalTurns.ts'

/** Many stays by two rules each, in a thread of its own: `rehearsalPricing.ts` starts it and ends it. */
const { draft, calendar } = workerData as Both
const after = compile(draft)
const versions = new Map<string, Compiled>()
const turns = openTurns(draft.free)

parentPort!.on('message', ({ tariffs, stays }: Batch) => {
  for (const [id, tariff] of tariffs) versions.set(id, compile(tariff))
  const priced: BatchPriced = { before: [], after: [], freeUsed: [] }
  for (const stay of stays) {
    const by = versions.get(stay.ruleVersionId)
    const before = by && totalFenOf(by, calendar, stay)
    const freeUsed = stay.turn ? turns.before(stay.turn) : stay.freeUsed
    const total = totalFenOf(after, calendar, { ...stay, freeUsed })
    if (stay.turn) turns.over(stay.turn, { before, after: total })
    priced.before.push(before)
    priced.after.push(total)
    priced.freeUsed.push(freeUsed ?? 0)
  }
  parentPort!.postMessage(priced)
})
