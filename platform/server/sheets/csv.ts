import type { Cell } from './xlsx.ts'

/** Says that it is UTF-8: a spreadsheet takes it for the machine's own code page otherwise. */
export const CSV_MARK = '\ufeff'
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`
/**
 * Signs that a spreadsheet takes for the beginning of a formula, full-width ones too: an East Asian spreadsheet reads them as the
 * narrow ones.
 */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
/** Text that begins like a formula gets a quote before it: CSV has no other way to say that it is text. */
function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
/** A cell as it was meant: without that quote, and a long number that somebody wrote as `="13900080000"` so that it keeps its digits. */
export function unquoted(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.startsWith("'") && FORMULA.test(value.slice(1))) return value.slice(1)
  return /^="(?:[^"]|"")*"$/.test(value) ? value.slice(2, -1).replaceAll('""', '"') : value
}
