import { Worker } from 'node:worker_threads'
import { refusal } from '../../../platform/server/refusal.ts'
import { slotsOf } from '../../../platform/server/job/slots.ts'
import type { QuoteOf } from '../contract/quote.ts'
import type { LintOf } from '../contract/rule.ts'
import type { Tariff } from '../contract/tariff.ts'
import { type Calendar, compile } from './compiled.ts'
import { type DocumentRead, readDocument, type Wanted } from './draft.ts'
import { lint, tooCostly } from './lint.ts'
import type { Around } from './lintExamples.ts'
import { quoteWith, type RuleFacts, type StayAsked, TooMuch } from './quoting.ts'

const TooCostly = refusal(
  'fee.too-costly',
  40620,
  '该规则与时段的计算量过大，请缩短停车时长或减少时段',
  'This rule takes too much work to calculate over this time: shorten the stay or use fewer bands',
  422,
)
const TooLarge = refusal(
  'fee.rule.too-large',
  40624,
  '规则文档过大，未能在限定时间内读完：请分成几份导入，或减少时段与阶梯',
  'The rule document is too large to be read in time: import it in parts, or use fewer bands and steps',
  422,
)
/** A rule's length in JSON times the days of the stay: work of more than some ten milliseconds lies above it. */
const NEAR = 40_000
/** The same of a rule that is looked through, or of a document that is read: a city's own has one or two thousand. */
const LOOK_NEAR = 3_000
/** A quote that takes longer is refused: the rule or the stay is too large. */
const WITHIN_MS = 2_000
/** A rule is looked through for a second at most; beside a busy machine the same takes longer, and a document may hold the rules of two hundred places. */
const LOOK_WITHIN_MS = 10_000
/** A sheet of paper has fifty; written out, so many take the event loop a few milliseconds. */
export const LINES_MAX = 3_000
const AT_ONCE = 2
/** A caller with so many already waiting is told to come again. */
const WAITING_MAX = 20
const DAY_MS = 86_400_000
const slots = slotsOf(AT_ONCE, WAITING_MAX)

export interface Job {
  tariff: Tariff
  calendar: Calendar | undefined
  facts: RuleFacts
  stay: StayAsked
}
/** The task given to a worker thread, and its answer. Rules cross over as text, which costs this thread nothing. */
export type Work = { quote: Job } | { tariff: string; around: Around | undefined } | { document: string; wanted: Wanted; around: Around }
export type Done = { quote: QuoteOf } | { lint: LintOf[] } | { read: DocumentRead } | { tooMuch: true } | { tooCostly: true } | { error: string }

/** Prices a stay by a rule that somebody has sent or named; a costly one in a thread of its own, because the lanes share this one. @throws TooMuch, TooCostly */
export async function quoteApart(job: Job): Promise<QuoteOf> {
  const days = 1 + (Date.parse(job.stay.at) - Date.parse(job.stay.entry)) / DAY_MS
  if (JSON.stringify(job.tariff).length * days <= NEAR) return quoteWith(compile(job.tariff), job.calendar, job.facts, job.stay)
  const done = await slots(() => inThread({ quote: job }, WITHIN_MS))
  if ('quote' in done) return done.quote
  if ('tooMuch' in done) throw TooMuch()
  throw failed(done)
}

/** Looks for faults of a tariff, in a worker thread where it is large. A tariff that takes too long gets that as its fault, and cannot be published. */
export async function lintApart(tariff: Tariff, around?: Around): Promise<LintOf[]> {
  const text = JSON.stringify(tariff)
  if (text.length <= LOOK_NEAR) return lint(tariff, around)
  const done = await slots(() => inThread({ tariff: text, around }, LOOK_WITHIN_MS))
  if ('lint' in done) return done.lint
  if ('tooCostly' in done) return [tooCostly()]
  throw failed(done)
}

/** The rules in a document and what stands against each, read like that. @throws TooLarge */
export async function readApart(document: unknown, wanted: Wanted, around: Around): Promise<DocumentRead> {
  const text = JSON.stringify(document)
  if (text.length <= LOOK_NEAR) return readDocument(document, wanted, around)
  const done = await slots(() => inThread({ document: text, wanted, around }, LOOK_WITHIN_MS))
  if ('read' in done) return done.read
  if ('tooCostly' in done) throw TooLarge()
  throw failed(done)
}

const failed = (done: Done): Error =>
  'tooCostly' in done ? TooCostly() : new Error('error' in done ? done.error : 'another answer than was asked for')

function inThread(work: Work, withinMs: number): Promise<Done> {
  const thread = new Worker(new URL('./apartThread.ts', import.meta.url), { workerData: work, execArgv: [] })
  return new Promise<Done>((resolve) => {
    const late = setTimeout(() => end({ tooCostly: true }), withinMs)
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
