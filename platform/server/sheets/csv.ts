import type { Cell } from './xlsx.ts'

/** Says that it is UTF-8: a spreadsheet takes it for the machine's own code page otherwise. */
export const CSV_MARK = '\ufeff'
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`
/** Text that begins like a formula gets a quote before it: CSV has no other way to say that it is text. */
function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
