import type pg from 'pg'
import type { Field } from '../contract/field.ts'
import { camelOf } from '../contract/names.ts'
import { fieldOf, labelOfTable } from './record/nouns.ts'
import { Refusal } from './refusal.ts'

/** A constraint of a table, by its columns. `only`: the numbers that a check allows. */
interface Constraint {
  columns: string[]
  only: number[]
}
const constraints = new Map<string, Constraint>()

/** Reads them once, at start: what PostgreSQL refuses is then told by the names of its fields. */
export async function openConstraints(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ at: string; columns: string[]; rule: string | null }>(ALL)
  constraints.clear()
  for (const { at, columns, rule } of rows) constraints.set(at, { columns: columns.filter((name) => name !== 'enterprise_id'), only: onlyOf(rule) })
}
/** A key that is an expression, `lower(name)`, is told by the columns it is made of; a column that stands in the condition alone is none of them. */
const ALL = String.raw`select t.relnamespace::regnamespace::text || '.' || t.relname || ' ' || c.conname as at, array(select a.attname::text from unnest(c.conkey) with ordinality k (no, at) join pg_attribute a on a.attrelid = t.oid and a.attnum = k.no order by k.at) as columns, case c.contype when 'c' then pg_get_constraintdef(c.oid) end as rule
  from pg_constraint c join pg_class t on t.oid = c.conrelid where c.contype in ('c', 'f', 'x')
  union all select t.relnamespace::regnamespace::text || '.' || t.relname || ' ' || n.relname, case when 0 = any (i.indkey::int2[]) then
      array(select a.attname::text from generate_series(1, i.indnkeyatts) k (at) cross join lateral (select pg_get_indexdef(n.oid, k.at, true) as part) p
        join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and p.part ~ ('\m' || a.attname || '\M') group by a.attname order by min(k.at))
      else array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k (no, at) join pg_attribute a on a.attrelid = t.oid and a.attnum = k.no order by k.at) end, null
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class n on n.oid = i.indexrelid where i.indisunique`
/** `CHECK ((phase_count = ANY (ARRAY[1, 3])))` */
const onlyOf = (rule: string | null): number[] =>
  rule
    ?.match(/^CHECK \(\(\w+ = ANY \(ARRAY\[([\d, ]+)\]\)\)\)$/)?.[1]
    ?.split(',')
    .map(Number) ?? []

export interface Refused {
  code: string
  schema?: string
  table?: string
  column?: string
  constraint?: string
  message?: string
}
type Sentence = readonly [status: number, zh: string, en: string]

/** Puts a refusal of PostgreSQL into the words of the noun and its fields; undefined where nobody has named them. */
export function constraintTold(error: Refused): Refusal | undefined {
  const { code, schema, table } = error
  const at = `${schema}.${table}`
  const noun = labelOfTable(at)
  const said = SENTENCES[code]
  if (!table || !noun || !said) return undefined
  const { columns, only } = error.column
    ? { columns: [error.column], only: [] }
    : (constraints.get(`${at} ${error.constraint}`) ?? { columns: [], only: [] })
  const fields = columns.map((name) => fieldOf(at, name))
  if (fields.length === 0 || fields.some((field) => !field)) return undefined
  const sentence = said({ noun, fields: fields as Field<unknown>[], only, error })
  return sentence && new Refusal(`database.${code}`, sentence[0], sentence[0], [sentence[1], sentence[2]], { fields: columns.map(camelOf) })
}

interface About {
  noun: readonly [zh: string, en: string]
  fields: readonly Field<unknown>[]
  only: readonly number[]
  error: Refused
}
const SENTENCES: Record<string, (about: About) => Sentence | undefined> = {
  '23505': ({ noun, fields }) => {
    const [zh, en] = namesOf(fields)
    const many = fields.length > 1
    return [
      409,
      `已存在${zh}相同的${noun[0]}，请改填后再保存`,
      `${noun[1]}: ${en} ${many ? 'together are' : 'is'} already in use; enter ${many ? 'others' : 'another'}`,
    ]
  },
  '23503': ({ noun, fields, error }) => {
    const [zh, en] = namesOf(fields)
    if (error.message?.startsWith('update or delete'))
      return [409, `还有${noun[0]}在使用这条数据，请先处理这些${noun[0]}`, `${noun[1]}: records of this type still use it; deal with those first`]
    return [409, `所填的${zh}不存在或已被删除，请重新选择`, `${en} does not exist or has been deleted; choose another`]
  },
  '23514': ({ fields, only }) => {
    const [zh, en] = namesOf(fields)
    if (fields.length > 1) return [422, `${zh}互相不符，请核对后再保存`, `${en} do not agree with each other; check them and save again`]
    const [field] = fields
    const allowed = only.map((code) => field!['x-dictionary']?.entries[code] ?? ([String(code), String(code)] as const))
    if (allowed.length === 0) return [422, `${zh}不在允许的范围内，请修改后再保存`, `${en} is outside the range allowed; correct it and save again`]
    return [
      422,
      `${zh}只能是 ${allowed.map(([word]) => word).join('、')}，请修改后再保存`,
      `${en} must be ${allowed.map(([, word]) => word).join(' or ')}; correct it and save again`,
    ]
  },
  '23502': ({ fields }) => {
    const [zh, en] = namesOf(fields)
    return [422, `请填写${zh}`, `Enter ${en}`]
  },
}
const namesOf = (fields: readonly Field<unknown>[]): [zh: string, en: string] => [
  fields.map((field) => `「${field['x-zh']}」`).join(''),
  fields.map((field) => `“${field['x-en']}”`).join(' and '),
]
