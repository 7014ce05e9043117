import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../../platform/server/refusal.ts'
import { type Done, type Job, LINES_MAX } from './apart.ts'
import { compile } from './compiled.ts'
import { quoteWith } from './quoting.ts'

/** One quote, in a thread of its own: `apart.ts` starts it and ends it. */
function work({ tariff, calendar, facts, stay }: Job): Done {
  try {
    const quote = quoteWith(compile(tariff), calendar, facts, stay)
    return quote.lines.length > LINES_MAX ? { tooCostly: true } : { quote }
  } catch (error) {
    return error instanceof Refusal ? { tooMuch: true } : { error: (error as Error).message }
  }
}
parentPort!.postMessage(work(workerData as Job))
