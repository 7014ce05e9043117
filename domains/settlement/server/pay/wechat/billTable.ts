import { setImmediate } from 'node:timers/promises'
import type { Day, Instant } from '../../../../../platform/contract/field.ts'
import { dayBy, dayOf, instantOf, isOfThisCentury } from '../../../../../platform/contract/time.ts'
import { LINES_IN_ONE_GO, linesIn } from '../../../../../platform/server/text/lines.ts'
import { BadFile } from '../../clearing/files.ts'

/** More lines than a merchant has on one day. */
const LINES_MAX = 200_000
/** The cells of a line by the names of its head. */
export interface Cells {
  /** @throws BadFile where there is no such column */
  text(name: string): string
  /** The same of a column that only some bills have. */
  textOr<Other>(name: string, other: Other): string | Other
}
export interface BillTable {
  rows: Cells[]
  sums: Cells
}

/**
 * WeChat's two kinds of bill are built alike: a head, lines each of whose cells is led by a backtick, and behind them a second head, which begins with `sumsBegin`, with one
 * line of sums. @throws BadFile for whatever is not whole
 */
export async function tableIn(bytes: Uint8Array, { begins, sumsBegin }: { begins: string; sumsBegin: string }): Promise<BillTable> {
  const lines: string[] = []
  for await (const some of linesIn(bytes)) {
    for (const line of some) if (line.trim() !== '') lines.push(line)
    if (lines.length > LINES_MAX) throw BadFile({ zh: `超过 ${LINES_MAX} 行`, en: `more than ${LINES_MAX} lines` })
  }
  const end = lines.findIndex((line) => plain(line).startsWith(sumsBegin))
  if (!plain(lines[0] ?? '').startsWith(begins) || end < 0 || end !== lines.length - 2)
    throw BadFile({ zh: '缺少表头或汇总行，文件可能被截断', en: 'its header or totals are missing; it may be truncated' })
  const head = headOf(lines[0]!)
  const rows: Cells[] = []
  for (let place = 1; place < end; place++) {
    if (place % LINES_IN_ONE_GO === 0) await setImmediate()
    rows.push(cellsOf(head, lines[place]!, place))
  }
  return { rows, sums: cellsOf(headOf(lines[end]!), lines[end + 1]!, end + 1) }
}
const plain = (text: string) => text.replace(/^`/, '').trim()
const headOf = (line: string) => new Map(line.split(',').map((name, at) => [plain(name).replace('（', '(').replace('）', ')'), at]))

function cellsOf(head: ReadonlyMap<string, number>, line: string, place: number): Cells {
  // A name of goods may have a comma; what parts two cells is a comma with a backtick.
  const cells = line.slice(1).split(',`')
  if (!line.startsWith('`') || cells.length !== head.size) throw BadFile({ zh: `第 ${place + 1} 行不完整`, en: `line ${place + 1} is incomplete` })
  const cell = (name: string) => ((at) => (at === undefined ? undefined : cells[at]!.trim()))(head.get(name))
  return {
    text(name) {
      const found = cell(name)
      if (found === undefined) throw BadFile({ zh: `缺少列「${name}」`, en: `the column ${name} is missing` })
      return found
    },
    textOr: (name, other) => cell(name) ?? other,
  }
}

/** Fees have five digits behind the point: everything is added up in these, and so exactly. */
const DIGITS = 5
const UNITS_IN_FEN = 1_000
/** Hundred-thousandths of a yuan. @throws BadFile */
export function unitsOf(yuan: string): number {
  const found = /^(-?)(\d{1,10})(?:\.(\d{1,5}))?$/.exec(yuan.replace(/^[¥￥]/, ''))
  if (!found) throw BadFile({ zh: `金额「${yuan}」无法识别`, en: `${yuan} cannot be read as an amount in yuan` })
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 10 ** DIGITS + Number((found[3] ?? '').padEnd(DIGITS, '0')))
}
/** Whole fen. @throws BadFile for parts of one */
export function fenOf(yuan: string): number {
  const units = unitsOf(yuan)
  if (units % UNITS_IN_FEN !== 0) throw BadFile({ zh: `金额「${yuan}」不是精确到分的元`, en: `${yuan} is not an amount in yuan and fen` })
  return units / UNITS_IN_FEN
}
/** A fee to the nearest fen; half a fen goes up. */
export const feeFenOf = (units: number): number => Math.round(units / UNITS_IN_FEN)
/** A sum of fees is told in fen, whatever the parts of fen in its lines come to. */
export const areEqualFees = (units: number, told: number): boolean => Math.abs(units - told) < UNITS_IN_FEN
/** @throws BadFile */
export function countOf(text: string): number {
  // `45.0` in older bills.
  if (!/^\d{1,9}(\.0{1,5})?$/.test(text)) throw BadFile({ zh: `笔数「${text}」无法识别`, en: `${text} cannot be read as a count` })
  return Number(text)
}
/** City time. @throws BadFile */
export function timeOf(text: string): Instant {
  const at = instantOf(text)
  if (!at || !isOfThisCentury(at)) throw BadFile({ zh: `时间「${text}」无法识别`, en: `${text} cannot be read as a time` })
  return at
}
/** @throws BadFile */
export function agrees(right: boolean): void {
  if (!right) throw BadFile({ zh: '笔数或金额与汇总行不符', en: 'its line count or amounts do not match its totals line' })
}
/** A trade at midnight may stand in the bill of either day; a bill in which nothing is of its day is another day's. @throws BadFile */
export function isOfDay(times: readonly Instant[], day: Day): void {
  const near = new Set([dayBy(day, -1), day, dayBy(day, 1)])
  const days = times.map(dayOf)
  const odd = days.find((one) => !near.has(one)) ?? (days.includes(day) ? undefined : days[0])
  if (odd !== undefined) throw BadFile({ zh: `账单是 ${odd} 的，不是 ${day} 的`, en: `it is the bill of ${odd}, not of ${day}` })
}
