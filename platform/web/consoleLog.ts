import { kept } from './kept.ts'

/** What the console itself noted in this browser: what went wrong, and what explains it. It is never sent anywhere. */
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

/** What a page that is being left breaks off is no error. */
const LEAVING_MS = 5_000
let leftAt = -Infinity
globalThis.addEventListener?.('beforeunload', () => (leftAt = Date.now()))

/** The same thing again in a row is one line: a page that fails with every frame does not push out the rest. */
export function noteInLog(line: Omit<LogLine, 'at' | 'times' | 'page'>) {
  if (Date.now() - leftAt < LEAVING_MS) return
  const [last, ...before] = consoleLog.get()
  const text = line.text.slice(0, TEXT_MOST)
  const page = (globalThis.location?.pathname ?? '').replace(/^\/dist/, '')
  const again = last?.text === text && last.page === page && last.call === line.call
  const noted = { ...line, text, page, at: new Date().toISOString(), times: again ? last.times + 1 : 1 }
  consoleLog.set([noted, ...(again ? before : last ? [last, ...before] : [])].slice(0, LINES_MOST))
}

function linesIn(value: unknown): readonly LogLine[] | undefined {
  const words = (one: Partial<LogLine>) => [one.at, one.text, one.page, one.call ?? '', one.requestId ?? ''].every((word) => typeof word === 'string')
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null && words(one)).slice(0, LINES_MOST) : undefined
}
