/** A change within a text of SQL: `from` stands at `at`. */
export interface Change {
  at: number
  from: string
  to: string
}

/** Statements, and the parts that they are put together from. `$1` stands for what the program puts in. */
export const isSql = (text: string): boolean =>
  /^\s*(select|with|insert into|update|delete from)\s[\s\S]*\b(select|from|set|values|into)\b/.test(text) ||
  /\b[a-z_.]+ (=|<>|<=?|>=?) (\$\d|[a-z_.]+|\d+)/.test(text) ||
  /\b[a-z_.]+ (is (not )?null|in \()/.test(text)

const OTHERS: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '=': ['<>'],
  '<>': ['='],
  '+': ['-'],
  '-': ['+'],
  and: ['or'],
  or: ['and'],
  true: ['false'],
  false: ['true'],
  'is null': ['is not null'],
  'is not null': ['is null'],
  'is distinct from': ['is not distinct from'],
  'is not distinct from': ['is distinct from'],
  'not exists': ['exists'],
  'in (': ['not in ('],
  'not in (': ['in ('],
  'least(': ['greatest('],
  'greatest(': ['least('],
  'min(': ['max('],
  'max(': ['min('],
  ' desc': [''],
  'on conflict do nothing': [''],
}
/** Texts, remarks and casts are passed over; so are the places of columns in `order by 2, 3` and the `and` of a `between`. */
const PASSED = String.raw`'[^']*'|--[^\n]*|::[a-z]+|\$\d+|\b(?:group|order) by \d+(?:, \d+)*|\bbetween \S+ and\b`
const SIGNS = String.raw`on conflict do nothing|is not distinct from|is distinct from|is not null|is null|not exists|not in \(|\bin \(|\b(?:least|greatest|min|max)\(| desc\b|\b(?:and|or|true|false)\b|(?<= )(?:<=|>=|<>|[<>=+-])(?= )|(?<![\w.$:])\d+(?![\w.])`

/** Every change to a text of SQL that is tried. Some are no SQL any more: the database says which. */
export function changesOf(sql: string): Change[] {
  const found = [...sql.matchAll(new RegExp(`(?:${PASSED})|(${SIGNS})`, 'g'))]
  return found.flatMap(({ 1: from, index: at }) => {
    if (from === undefined) return []
    return (OTHERS[from] ?? [String(Number(from) + 1)]).map((to) => ({ at, from, to }))
  })
}

/** A text of SQL with its changes in it, each in a remark before what it changes: one text serves them all, wherever the program puts it. */
export function marked(sql: string, changes: readonly (Change & { number: number })[]): string {
  let code = ''
  let at = 0
  for (const place of new Set(changes.map((one) => one.at))) {
    const here = changes.filter((one) => one.at === place)
    const { from } = here[0]!
    code += `${sql.slice(at, place)}${here.map(({ number, to }) => `/*${number}|${to}*/`).join('')}${from}/*|*/`
    at = place + from.length
  }
  return code + sql.slice(at)
}
const MARKS = /((?:\/\*\d+\|[^*]*\*\/)+)([^*]*)\/\*\|\*\//g
const MARK = /\/\*(\d+)\|([^*]*)\*\//g

/** The statement without marks, with the change that `is` selects. */
export const unmarked = (sql: string, is: (number: number) => boolean): string =>
  sql.replaceAll(MARKS, (_, marks: string, from: string) => {
    // Each is asked: that it is reached shows in that.
    const tried = [...marks.matchAll(MARK)].filter(([, number]) => is(Number(number)))
    return tried[0]?.[2] ?? from
  })
export const hasMarks = (sql: string) => sql.includes('/*|*/')
export const numbersIn = (sql: string): number[] => [...sql.matchAll(MARK)].map(([, number]) => Number(number))

/** A function that a migration makes: its text, where that begins in the file, and where what it does begins. */
export function functionsOf(migration: string): { at: number; text: string; body: number }[] {
  return [...migration.matchAll(/^create function [\s\S]*?\bas (\$\w*\$)[\s\S]*?\1[^;]*;/gm)].map(({ 0: text, 1: quote, index: at }) => ({
    at,
    text,
    body: text.indexOf(quote!) + quote!.length,
  }))
}
