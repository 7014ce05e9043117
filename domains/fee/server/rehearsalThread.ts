import { parentPort, workerData } from 'node:worker_threads'
import { compile, type Compiled } from './compiled.ts'
import { totalFenOf } from './quoting.ts'
import type { Batch, BatchPriced, Both } from './rehearsalPricing.ts'

/** Many stays by two rules each, in a thread of its own: `rehearsalPricing.ts` starts it and ends it. */
const { draft, calendar } = workerData as Both
const after = compile(draft)
const versions = new Map<string, Compiled>()

parentPort!.on('message', ({ tariffs, stays }: Batch) => {
  for (const [id, tariff] of tariffs) versions.set(id, compile(tariff))
  const priced: BatchPriced = { before: [], after: [] }
  for (const stay of stays) {
    const by = versions.get(stay.ruleVersionId)
    priced.before.push(by && totalFenOf(by, calendar, stay))
    priced.after.push(totalFenOf(after, calendar, stay))
  }
  parentPort!.postMessage(priced)
})
