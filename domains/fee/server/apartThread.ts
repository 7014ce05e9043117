import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../../platform/server/refusal.ts'
import type { Tariff } from '../contract/tariff.ts'
import { type Done, type Job, LINES_MAX, type Work } from './apart.ts'
import { compile } from './compiled.ts'
import { readDocument } from './draft.ts'
import { lint } from './lint.ts'
import { quoteWith } from './quoting.ts'

/** One quote, one look through a rule, or one document, in a thread of its own: `apart.ts` starts it and ends it. */
function done(work: Work): Done {
  if ('quote' in work) return quoted(work.quote)
  if ('document' in work) return { read: readDocument(JSON.parse(work.document), work.wanted, work.around) }
  return { lint: lint(JSON.parse(work.tariff) as Tariff, work.around) }
}
function quoted({ tariff, calendar, facts, stay }: Job): Done {
  try {
    const quote = quoteWith(compile(tariff), calendar, facts, stay)
    return quote.lines.length > LINES_MAX ? { tooCostly: true } : { quote }
  } catch (error) {
    if (error instanceof Refusal) return { tooMuch: true }
    throw error
  }
}
parentPort!.postMessage(done(workerData as Work))
