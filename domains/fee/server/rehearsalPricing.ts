import { Worker } from 'node:worker_threads'
import type { Tariff } from '../contract/tariff.ts'
import type { Calendar } from './compiled.ts'
import type { StayAsked } from './quoting.ts'

/** The draft that a thread prices by, and the calendar of the enterprise. */
export interface Both {
  draft: Tariff
  calendar: Calendar
}
export interface Batch {
  /** Versions that the thread does not know yet. */
  tariffs: [id: string, tariff: Tariff][]
  stays: (StayAsked & { ruleVersionId: string; turn?: Turn | undefined })[]
}
/** Where the draft gives free minutes only so often a day: a stay among those of its vehicle in its park, which come in the order of time. */
export interface Turn {
  vehicle: string
  day: string
  /** On stays that are not priced here. */
  apart: number
  durationMin: number
  /** Undefined: the charge does not follow from its rule; then the stay had its free minutes where it really had them. */
  chargedFen: number | undefined
  had: boolean
}
/** In fen, in the order of the stays; undefined where it cannot be worked out. `freeUsed`: by the draft, where it counts them. */
export interface BatchPriced {
  before: (number | undefined)[]
  after: (number | undefined)[]
  freeUsed: number[]
}
/** A batch that takes longer is of a rule that nobody could be charged by at a lane. */
const BATCH_MS = 30_000

/** A thread that prices batches, one after the other; the lanes share the process and wait for none of them. */
export function openPricing(both: Both) {
  const thread = new Worker(new URL('./rehearsalThread.ts', import.meta.url), { workerData: both, execArgv: [] })
  // Between batches nobody listens; a failure then shows in the next batch.
  thread.on('error', () => {})
  return {
    price: (batch: Batch) =>
      new Promise<BatchPriced>((resolve, reject) => {
        const over = (error?: Error) => {
          clearTimeout(late)
          thread.removeAllListeners('message').removeListener('error', over).removeListener('exit', ended)
          if (error) reject(error)
        }
        const ended = () => over(new Error('The thread that prices stays is gone.'))
        const late = setTimeout(() => over(new Error('A batch of stays took too long to be priced.')), BATCH_MS)
        thread.once('error', over)
        thread.once('exit', ended)
        thread.once('message', (priced: BatchPriced) => {
          over()
          resolve(priced)
        })
        thread.postMessage(batch)
      }),
    stop: () => thread.terminate(),
  }
}
export type Pricing = ReturnType<typeof openPricing>
