import { type columnsOf, HEADS_SHOWN } from '../../contract/sheet.ts'
import { headOf, unitNamed } from '../../contract/units.ts'
import { BadInput } from '../refusal.ts'
import { SAME_HEADS } from './headWords.ts'
import type { SheetRow } from './run.ts'

type Columns = ReturnType<typeof columnsOf>
/** Of each field the column of the file that it is read from, or -1. */
export type Mapping = Record<string, number>
export interface Mapped {
  mapping: Mapping
  /** Fields whose columns have another name: somebody confirms them. */
  guessed: string[]
}
/** The row of heads, and where it stands among the rows that were read. */
export interface Head {
  row: number
  at: number
  cells: string[]
}

/** Titles, dates and remarks stand above the heads of a sheet as people have it: the heads are the row that says most of the columns. Whoever knows better says its number. */
export function headIn(rows: readonly SheetRow[], columns: Columns, asked: number | undefined): Head {
  const first = rows.slice(0, HEADS_SHOWN).map((_, at) => headAt(rows, at))
  if (asked !== undefined) {
    const chosen = first.find(({ row }) => row === asked)
    if (!chosen)
      throw BadInput({
        zh: `表头应在前 ${HEADS_SHOWN} 个有内容的行中`,
        en: `the header row must be one of the first ${HEADS_SHOWN} non-empty rows`,
      })
    return chosen
  }
  const found = first.map(({ cells }) => Object.values(mappingBy(cells, columns, true).mapping).filter((at) => at >= 0).length)
  return first[found.indexOf(Math.max(...found))]!
}
/** A head that is merged over two rows stands in the upper one. */
function headAt(rows: readonly SheetRow[], at: number): Head {
  const { row, cells } = rows[at]!
  const above = rows[at - 1]?.row === row - 1 ? rows[at - 1]!.cells : []
  const wide = Math.max(cells.length, at > 0 && cells.length > 1 ? above.length : 0)
  return { row, at, cells: Array.from({ length: wide }, (_, i) => cells[i] || above[i] || '') }
}

/** Exactly by what they are called; `near`: and by what people call them else. */
export function mappingBy(heads: readonly string[], columns: Columns, near: boolean): Mapped {
  const known = heads.map(plain)
  const mapping = Object.fromEntries(columns.map((column) => [column.name, known.findIndex((head) => namesOf(column).includes(head))]))
  return near ? withGuesses(mapping, known, columns) : { mapping, guessed: [] }
}

/** `用户名 *`, `Username` and `username` are the same column. */
const plain = (head: string) =>
  head
    .normalize('NFKC')
    .replaceAll(/[*\s]|\((?:必填|选填|可选|required|optional|utc\+8)\)/gi, '')
    .replace(/:$/, '')
    .toLowerCase()
function namesOf({ name, label, field }: Columns[number]): string[] {
  const unit = unitNamed(field['x-unit'])
  return [name, ...label, headOf(label[0], unit, 0), headOf(label[1], unit, 1)].map(plain)
}

/** The best guesses first, needed columns before the others; each head and each column once. */
function withGuesses(mapping: Mapping, heads: readonly string[], columns: Columns): Mapped {
  const taken = new Set(Object.values(mapping))
  const guesses = columns
    .filter(({ name }) => mapping[name] === -1)
    .flatMap((column) => heads.map((head, at) => ({ column, at, likeness: taken.has(at) ? 0 : likenessOf(head, column) })))
    .filter(({ likeness }) => likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || Number(b.column.needed) - Number(a.column.needed) || a.at - b.at)
  const guessed: string[] = []
  const filled = { ...mapping }
  for (const { column, at } of guesses) {
    if (filled[column.name] !== -1 || taken.has(at)) continue
    filled[column.name] = at
    taken.add(at)
    guessed.push(column.name)
  }
  return { mapping: filled, guessed }
}

/** Another word for the same; the same word with another tail; one within the other. A number in another unit is another number: 电量(Wh) is not 电量(kWh). */
function likenessOf(head: string, { label, field }: Columns[number]): number {
  const [word = '', inBrackets] = head.endsWith(')') ? head.split('(') : [head]
  if (word === '' || (inBrackets !== undefined && field['x-unit'])) return 0
  const own = plain(label[0])
  if (SAME_HEADS.some((words) => words.includes(word) && words.includes(own))) return 3
  if (coreOf(word) === coreOf(own)) return 2
  return Math.min(word.length, own.length) > 1 && (word.includes(own) || own.includes(word)) ? 1 : 0
}
const coreOf = (word: string) => word.replace(/(?<=..)(?:号码|编号|编码|代码|名称|日期|时间|号|id)$/, '')

export function mappingIn(sent: string, columns: Columns, width: number): Mapping {
  const wrong = () => BadInput({ zh: '「对应关系」的格式不对', en: '“Mapping” has the wrong format' })
  let given: unknown
  try {
    given = JSON.parse(sent)
  } catch {
    throw wrong()
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong()
  const chosen = new Map(Object.entries(given))
  return Object.fromEntries(
    columns.map(({ name }) => {
      const at = chosen.get(name) ?? -1
      if (!Number.isInteger(at) || at < -1 || at >= width) throw wrong()
      return [name, at as number]
    }),
  )
}
