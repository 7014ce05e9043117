import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import { fieldOf, nounsTold, openNouns } from '../../platform/server/record/nouns.ts'
import { readSources } from '../../scripts/sources.ts'
import { testDatabase } from '../support/database.ts'
import {
  columnsOfTheWrongKind,
  indexesOffTheScope,
  jsonThatIsCounted,
  parksWithoutEnterprise,
  policiesThatMislead,
  readSchema,
  rowsThatDiffer,
  type Schema,
  tablesWithoutPolicy,
} from './database.ts'
import { rowTypesIn } from './row-types.ts'

const database = await testDatabase()
afterAll(() => database.drop())
const schema = await readSchema(database.ownerUrl)
const rows = (
  await Promise.all(
    readSources()
      .filter(({ file }) => file.endsWith('/server/tables.ts'))
      .map(rowTypesIn),
  )
).flat()

test('every table with an enterprise has a policy', () => expect(tablesWithoutPolicy(schema)).toEqual([]))
test('no policy makes the planner expect hardly a row', () => expect(policiesThatMislead(schema)).toEqual([]))
test('every table with a park has its enterprise', () => expect(parksWithoutEnterprise(schema)).toEqual([]))
test('money, moments and counts have the columns that hold them exactly', () => expect(columnsOfTheWrongKind(schema)).toEqual([]))
test('no JSON is counted by ANALYZE', () => expect(jsonThatIsCounted(schema)).toEqual([]))
test('look-ups begin with the enterprise', () => expect(indexesOffTheScope(schema)).toEqual([]))
/** Lists over views, and the tables that their rows come from: all else belongs to a row, and is joined so that PostgreSQL leaves it out where nobody reads it. */
const ROWS_OF: Record<string, string[]> = {
  'coupon.used': ['use_record'],
  'merchant.balance_detail': ['movement'],
  'merchant.credit_serial': ['movement'],
  'merchant.statement': ['day'],
  'owner.asked_refund': ['refund'],
  'owner.asset': ['movement'],
  'owner.park_card': ['card'],
  'owner.profile': ['account'],
  'share.reservation': ['booking', 'place'],
}
test('a page far behind passes by the rows before it without what belongs to them', async () => {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query('set enable_bitmapscan = off')
  const tablesRead = async (view: string) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain select enterprise_id from ${view}`)
    return [...new Set(rows.flatMap((row) => [...row['QUERY PLAN'].matchAll(/ on (\w+)/g)].map(([, table]) => table!)))].sort()
  }
  const found = []
  for (const view of Object.keys(ROWS_OF)) found.push([view, await tablesRead(view)])
  await client.end()
  expect(Object.fromEntries(found)).toEqual(ROWS_OF)
})

test('contract and table agree field by field', () => {
  expect(rows.length).toBeGreaterThan(10)
  expect(rowsThatDiffer(rows, schema)).toEqual([])
})

test('what the change log tells of any table has a name in both languages', () => {
  openNouns(domains.flatMap(({ records = [], nouns = [] }) => [...records, ...nouns]))
  const told = new Set(nounsTold().nouns.map(({ table }) => table))
  expect(schema.watched.length).toBeGreaterThan(50)
  expect(schema.watched.filter(({ table }) => !told.has(table)).map(({ table }) => table)).toEqual([])
  expect(schema.watched.flatMap(({ table, columns }) => columns.filter((one) => !fieldOf(table, one)).map((one) => `${table}.${one}`))).toEqual([])
})

describe('planted', () => {
  test('a table without a policy, a float, a moment without zone and an index off the scope are found', async () => {
    const broken =
      await withSql(`create schema planted; create table planted.secret (id uuid primary key, enterprise_id integer not null, park_code text, due_fen integer, share real, at timestamp, more jsonb);
      create index secret_park on planted.secret (park_code); create table planted.half (id uuid primary key, enterprise_id integer not null default 1);
      select platform.scoped('planted.half'); alter table planted.half add park_code text;
      create table planted.mine (id uuid primary key, enterprise_id integer not null default 1); select platform.scoped('planted.mine');
      create policy own on planted.mine as restrictive using ((select scope_driver()) is null or id = (select scope_driver()));
      create view planted.parks as select park_code from planted.half;`)
    const found = [
      ...tablesWithoutPolicy(broken),
      ...policiesThatMislead(broken),
      ...parksWithoutEnterprise(broken),
      ...columnsOfTheWrongKind(broken),
      ...jsonThatIsCounted(broken),
      ...indexesOffTheScope(broken),
    ]
    expect(found.filter((sentence) => sentence.includes('planted.'))).toEqual([
      expect.stringContaining('planted.half has a park'),
      expect.stringContaining('planted.secret has an enterprise'),
      expect.stringContaining('A policy of planted.mine says'),
      expect.stringContaining('planted.parks has a park and no enterprise'),
      expect.stringContaining('planted.secret.due_fen is integer'),
      expect.stringContaining('planted.secret.share is real'),
      expect.stringContaining('planted.secret.at is a timestamp without a zone'),
      expect.stringContaining('planted.secret has JSON that ANALYZE counts'),
      expect.stringContaining('secret_park on planted.secret begins with park_code'),
    ])
  })

  test('a field without a column, of another type, or with another list is found', () => {
    const one = { name: 'state', type: 'smallint', nullable: true, derived: false, counted: true }
    const planted: Schema = { tables: [], indexes: [], watched: [], columns: new Map([['x.y', [one]]]), allowed: new Map([['x.y.state', [1, 2]]]) }
    const field = { type: 'string', 'x-dictionary': { entries: { 1: [], 3: [] } } }
    const differing = rowsThatDiffer(
      [
        {
          table: 'x.y',
          file: 'tables.ts',
          fields: new Map<string, object>([
            ['state', field],
            ['gone', field],
          ]),
        },
      ],
      planted,
    )
    expect(differing).toEqual([
      expect.stringContaining('gone that is no column'),
      expect.stringContaining('is smallint, and its contract says string'),
      expect.stringContaining('may be null'),
      expect.stringContaining('allows 1, 2; its dictionary has 1, 3'),
    ])
    expect(rowsThatDiffer([{ table: 'x.z', file: 'tables.ts', fields: new Map() }], planted)).toEqual([
      'tables.ts names the table x.z, which no migration makes.',
    ])
  })
})

async function withSql(statements: string): Promise<Schema> {
  const other = await testDatabase()
  const client = new pg.Client({ connectionString: other.ownerUrl })
  await client.connect()
  await client.query(statements)
  await client.end()
  const found = await readSchema(other.ownerUrl)
  await other.drop()
  return found
}
