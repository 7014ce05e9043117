import { kept } from '../kept.ts'

/** A line of the console's own log in this browser: a fault, or a fact that explains one. It is never sent anywhere. */
export interface LogLine {
  /** When it was last so; `times` in a row. */
  at: string
  times: number
  level: 'error' | 'note'
  text: string
  /** The page in front, without its filter. */
  page: string
  call?: string
  requestId?: string
}
/** Some days of an ordinary console; with the length of a text it bounds what is kept. */
const LINES_MOST = 80
const TEXT_MOST = 160
export const consoleLog = kept<readonly LogLine[]>('console-log', [], linesIn)

/** Requests broken off because the page is being left are no errors: a line is written a moment later, when the page is still there. */
const WRITTEN_AFTER_MS = 500
export function noteInLog({ text, ...line }: Omit<LogLine, 'at' | 'times' | 'page'>) {
  const page = (globalThis.location?.pathname ?? '').replace(/^\/dist/, '')
  const noted = { ...line, text: text.slice(0, TEXT_MOST), page, at: new Date().toISOString() }
  setTimeout(() => add(noted), WRITTEN_AFTER_MS)
}

/** The same thing again in a row is one line: a page that fails with every frame does not push out the rest. */
function add(noted: Omit<LogLine, 'times'>) {
  const [last, ...before] = consoleLog.get()
  const again = last?.text === noted.text && last.page === noted.page && last.call === noted.call
  consoleLog.set([{ ...noted, times: again ? last.times + 1 : 1 }, ...(again ? before : last ? [last, ...before] : [])].slice(0, LINES_MOST))
}

function linesIn(value: unknown): readonly LogLine[] | undefined {
  const words = (one: Partial<LogLine>) => [one.at, one.text, one.page, one.call ?? '', one.requestId ?? ''].every((word) => typeof word === 'string')
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null && words(one)).slice(0, LINES_MOST) : undefined
}
