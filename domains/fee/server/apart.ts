import { Worker } from 'node:worker_threads'
import { refusal } from '../../../platform/server/refusal.ts'
import { slotsOf } from '../../../platform/server/slots.ts'
import type { QuoteOf } from '../contract/quote.ts'
import type { Tariff } from '../contract/tariff.ts'
import { type Calendar, compile } from './compiled.ts'
import { quoteWith, type RuleFacts, type StayAsked, TooMuch } from './quoting.ts'

const TooCostly = refusal(
  'fee.too-costly',
  40620,
  '该规则与时段的计算量过大，请缩短停车时长或减少时段',
  'This rule takes too much work to calculate over this time: shorten the stay or use fewer bands',
  422,
)
/** A rule's length in JSON times the days of the stay: what costs more than some ten milliseconds lies above it. */
const NEAR = 40_000
/** Whoever tries more than this waits for nothing useful. */
const WITHIN_MS = 2_000
/** A sheet of paper has fifty; written out, so many take the event loop a few milliseconds. */
export const LINES_MAX = 3_000
const AT_ONCE = 2
const DAY_MS = 86_400_000
const slots = slotsOf(AT_ONCE)

export interface Job {
  tariff: Tariff
  calendar: Calendar | undefined
  facts: RuleFacts
  stay: StayAsked
}
export type Done = { quote: QuoteOf } | { tooMuch: true } | { tooCostly: true } | { error: string }

/** Prices a stay by a rule that somebody has sent or named; a costly one in a thread of its own, because the lanes share this one. @throws TooMuch, TooCostly */
export async function quoteApart(job: Job): Promise<QuoteOf> {
  const days = 1 + (Date.parse(job.stay.at) - Date.parse(job.stay.entry)) / DAY_MS
  if (JSON.stringify(job.tariff).length * days <= NEAR) return quoteWith(compile(job.tariff), job.calendar, job.facts, job.stay)
  const done = await slots(() => inThread(job))
  if ('quote' in done) return done.quote
  if ('tooMuch' in done) throw TooMuch()
  if ('tooCostly' in done) throw TooCostly()
  throw new Error(done.error)
}

function inThread(job: Job): Promise<Done> {
  const thread = new Worker(new URL('./quoteThread.ts', import.meta.url), { workerData: job, execArgv: [] })
  return new Promise<Done>((resolve) => {
    const late = setTimeout(() => end({ tooCostly: true }), WITHIN_MS)
    function end(done: Done) {
      clearTimeout(late)
      resolve(done)
      void thread.terminate()
    }
    thread.once('message', end)
    thread.once('error', (error: Error) => end({ error: error.message }))
    thread.once('exit', () => end({ tooCostly: true }))
  })
}
