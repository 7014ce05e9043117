import { CLAUSE_MAX, SUB_NO_MAX } from '../../contract/regulation.ts'

/** A clause as it stands in a file, with what keeps it from being taken. */
export interface FoundClause {
  row: number
  no: number | null
  /** 第三条之一 has 1; a clause that was not inserted has 0. */
  subNo: number
  chapter: string | null
  content: string
  fault: readonly [zh: string, en: string] | null
}
interface Line {
  row: number
  text: string
}

const CLAUSE = /^[\s\u3000]*第([0-9０-９零〇一二两三四五六七八九十百千]+)条(?:之([0-9０-９一二三四五六七八九十]+))?[\s\u3000:：、.．]*/u
const CHAPTER = /^[\s\u3000]*(第[0-9０-９零〇一二两三四五六七八九十百千]+[编章节])(.*)$/u
/** Words before the first clause that are no part of it. */
const CONTENTS = /^[\s\u3000]*(目\s*录|contents)[\s\u3000]*$/iu

/** The words of a law cut at 第…条: a chapter's heading goes with the clauses below it, text before the first clause is left out. */
export function clausesOf(lines: readonly Line[]): FoundClause[] {
  const found: FoundClause[] = []
  let chapter: string | null = null
  let inContents = false
  for (const { row, text } of lines) {
    const line = text.replaceAll(/[\u00a0\u3000]/g, ' ').trim()
    if (!line) continue
    if (CONTENTS.test(line)) inContents = true
    const heading = CHAPTER.exec(line)
    if (heading) {
      chapter = `${heading[1]} ${heading[2]!.trim()}`.trim()
      continue
    }
    const begins = CLAUSE.exec(line)
    if (begins) {
      inContents = false
      found.push({ row, ...placeOf(begins[1]!, begins[2]), chapter, content: line.slice(begins[0].length).trim(), fault: null })
    } else if (found.length > 0 && !inContents) {
      const last = found.at(-1)!
      last.content = `${last.content}\n${line}`.trim()
    }
  }
  return faulted(found)
}

const HEADS: Record<string, readonly string[]> = {
  chapter: ['章节', '章', 'chapter'],
  no: ['条号', '条', '条款号', '序号', 'clause', 'no'],
  content: ['条文', '内容', '条款内容', '正文', 'text', 'content'],
}
/** Rows of a sheet whose first one names the columns; undefined when it names no column of words. */
export function clausesIn(rows: readonly { row: number; cells: readonly string[] }[]): FoundClause[] | undefined {
  const [head, ...rest] = rows
  const at = (name: string) => (head?.cells ?? []).findIndex((cell) => HEADS[name]!.includes(cell.replace(/[*＊\s]/g, '').toLowerCase()))
  const [chapter, no, content] = [at('chapter'), at('no'), at('content')]
  if (content < 0) return undefined
  return faulted(
    rest.map(({ row, cells }) => {
      const words = (cells[content] ?? '').trim()
      const own = CLAUSE.exec(words)
      const place = no < 0 ? placeOf(own?.[1] ?? '', own?.[2]) : placeIn(cells[no] ?? '')
      return {
        row,
        ...place,
        chapter: cells[chapter]?.trim() || null,
        content: own && no < 0 ? words.slice(own[0].length).trim() : words,
        fault: null,
      }
    }),
  )
}

/** 三 and 一 of 第三条之一. */
function placeOf(no: string, sub: string | undefined): Pick<FoundClause, 'no' | 'subNo'> {
  const subNo = sub === undefined ? 0 : numberOf(sub)
  return { no: subNo === null || (sub !== undefined && subNo === 0) ? null : numberOf(no), subNo: subNo ?? 0 }
}
/** As a sheet's own column says it: 3, 第三条, 第三条之一, 3-1. */
function placeIn(cell: string) {
  const [, no = '', sub] = /^第?([^条之-]*)条?(?:[之-](.+))?$/u.exec(cell.replaceAll(/\s/g, '')) ?? []
  return placeOf(no, sub)
}

function faulted(clauses: FoundClause[]): FoundClause[] {
  const first = new Map<string, number>()
  return clauses.map((clause) => {
    const place = `${clause.no}-${clause.subNo}`
    const fault = faultOf(clause, clause.no === null ? undefined : first.get(place))
    if (clause.no !== null && !first.has(place)) first.set(place, clause.row)
    return { ...clause, fault }
  })
}
function faultOf({ no, subNo, content, chapter }: FoundClause, earlier: number | undefined): FoundClause['fault'] {
  if (no === null || no < 1 || no > 9_999 || subNo > SUB_NO_MAX)
    return ['无法识别条号，应为「第五条」「第五条之一」或 5', 'The clause number is not recognised: write 第五条, 第五条之一 or 5']
  if (!content) return ['条文为空', 'The clause has no text']
  if (content.length > CLAUSE_MAX) return [`条文超过 ${CLAUSE_MAX} 字`, `The clause has more than ${CLAUSE_MAX} characters`]
  if ((chapter?.length ?? 0) > 100) return ['章节名超过 100 字', 'The chapter name has more than 100 characters']
  if (earlier !== undefined) return [`与第 ${earlier} 行的条号重复`, `Same clause number as row ${earlier}`]
  return null
}

const DIGITS: Record<string, number> = { 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 }
const UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1000 }
/** 一百零五, １０５ and 105 are the same number; null for what is none. */
export function numberOf(text: string): number | null {
  const plain = text.normalize('NFKC').trim()
  if (/^\d{1,5}$/.test(plain)) return Number(plain)
  if (!/^[零〇一二两三四五六七八九十百千]+$/.test(plain)) return null
  if (!/[十百千]/.test(plain)) return Number([...plain].map((sign) => DIGITS[sign]).join(''))
  let sum = 0
  let digit = 0
  for (const sign of plain)
    if (sign in UNITS) {
      sum += (digit || 1) * UNITS[sign]!
      digit = 0
    } else digit = DIGITS[sign]!
  return sum + digit
}
