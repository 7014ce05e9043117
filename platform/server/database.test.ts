import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { entity, id, instant, orNone, text, orSaid, whole } from '../contract/field.ts'
import { sentences } from '../contract/said.ts'
import { paged, searchOf } from '../contract/call.ts'
import { because, historyOf } from './record/audit.ts'
import { inAllParks, openPool, reading, run, type Tx, writing } from './database.ts'
import { question } from './question.ts'
import { find, linesOf, listOver, lookedUp, page } from './page.ts'

declare module './database.ts' {
  interface Tables {
    'trial.thing': { id?: string; enterpriseId?: number; parkCode: string; name: string; secret?: string; size: number; at: string; version?: number }
  }
}
const Thing = entity({
  id: id<'ThingId'>(),
  parkCode: text('车场', 'Park'),
  name: text('名称', 'Name'),
  size: whole('大小', 'Size'),
  at: instant('时间', 'Time'),
})
const thingSearch = searchOf(Thing, { parkCode: 'equals', name: 'contains', size: 'among', at: 'between' }, { sort: ['at', 'size'] })
const things = listOver(Thing, 'trial.thing', thingSearch, { sums: ['size'] })

let database: TestDatabase
let pool: pg.Pool
let owner: pg.Client
const author = { userId: 'u-1', userName: 'Ann', via: 'trial.thing.update', requestId: 'r-1' }
const mine = { enterprise: 1, parks: null }
const write = <T>(work: (tx: Tx) => Promise<T>, scope: { enterprise: number; parks: string[] | null } = mine) => writing(pool, scope, author, work)

beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`
    create schema trial; select platform.opened('trial');
    create table trial.thing (id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, name text not null,
      secret text, size integer not null, at timestamptz not null, version integer not null default 1);
    select platform.scoped('trial.thing', hidden => '{secret}');
    insert into trial.thing (enterprise_id, park_code, name, size, at)
      select 1, 'P' || i % 4, 'thing ' || i, i % 10, timestamptz '2026-01-01' + i * interval '1 minute' from generate_series(1, 1500) i;
    insert into trial.thing (enterprise_id, park_code, name, size, at) select 2, 'P1', 'theirs ' || i, 1, now() from generate_series(1, 50) i;`)
  pool = openPool(database.appUrl, 3)
})
afterAll(async () => {
  await pool.end()
  await owner.end()
  await database.drop()
})

test('nothing is in a list of nothing, and everything is outside it', async () => {
  const count = (operator: 'in' | 'not in') =>
    reading(pool, mine, async (tx) => {
      const rows = await tx.selectFrom('trial.thing').select('id').where('name', operator, []).limit(3).execute()
      return rows.length
    })
  expect([await count('in'), await count('not in')]).toEqual([0, 3])
})

test('rows of another enterprise, or of a park outside the role, do not exist', async () => {
  const count = (scope: { enterprise: number; parks: string[] | null }) =>
    reading(pool, scope, (tx) =>
      tx
        .selectFrom('trial.thing')
        .select(sql<number>`count(*)::int`.as('n'))
        .executeTakeFirstOrThrow(),
    ).then(({ n }) => n)
  expect(await count({ enterprise: 1, parks: null })).toBe(1500)
  expect(await count({ enterprise: 2, parks: null })).toBe(50)
  expect(await count({ enterprise: 3, parks: null })).toBe(0)
  expect(await count({ enterprise: 1, parks: ['P1', 'P2'] })).toBe(750)
  expect(await count({ enterprise: 1, parks: [] })).toBe(0)
})

test('an instant has no fraction or three digits of it, or all six', async () => {
  const told = (text: string) =>
    reading(pool, mine, (tx) => run<{ at: string }>(tx, { sql: 'select $1::timestamptz as at' }, [text])).then(([row]) => row!.at)
  for (const at of [
    '2026-01-01T00:00:03.000Z',
    '2026-01-01T00:00:03.800Z',
    '2026-01-01T00:00:03.860Z',
    '2026-01-01T00:00:03.123Z',
    '2026-01-01T00:00:03.123456Z',
  ])
    expect(await told(at)).toBe(at)
})

test('a value that cannot be read is an error, whatever stands before and after it; the connection is sound afterwards', async () => {
  const ask = (value: string) =>
    reading(pool, mine, (tx) =>
      run<{ n: unknown }>(tx, { sql: `select n from (values (1, ${value}), (2, null)) v (at, n) where $1::int = 1 order by at` }, [1]),
    )
  const unreadable = {
    "'9007199254740993'::bigint": 'does not fit a whole number',
    "'-9007199254740993'::bigint": 'does not fit a whole number',
    "'9007199254740993'::numeric": 'does not fit a whole number',
    "'NaN'::numeric": 'does not fit a whole number',
    "'Infinity'::float8": 'no number that can be told',
    "'NaN'::float4": 'no number that can be told',
    "'infinity'::timestamptz": 'no moment',
    "'10000-01-01 00:00:00Z'::timestamptz": 'no moment',
    "'0044-03-15 12:00:00Z BC'::timestamptz": 'no moment',
  }
  for (const [value, says] of Object.entries(unreadable)) {
    await expect(ask(value), value).rejects.toThrow(says)
    await expect(ask(value), `${value}, prepared`).rejects.toThrow(says)
  }
  const readable = {
    "'9007199254740991'::bigint": 9007199254740991,
    "'-9007199254740991'::numeric": -9007199254740991,
    "'12.50'::numeric": 12.5,
    "'1.5e3'::float8": 1500,
    "'9999-12-31 23:59:59Z'::timestamptz": '9999-12-31T23:59:59.000Z',
  }
  for (const [value, n] of Object.entries(readable)) expect(await ask(value), value).toEqual([{ n }, { n: null }])
})

test('a write that cannot read what it asks for is rolled back', async () => {
  const add = (n: string) =>
    write(async (tx) => {
      await tx.insertInto('trial.thing').values({ parkCode: 'P9', name: 'beside it', size: 1, at: '2026-01-01T00:00:00.000Z' }).execute()
      await run(tx, { sql: 'select $1::bigint as n' }, [n])
    })
  const kept = () => owner.query(`select from trial.thing where name = 'beside it'`).then(({ rowCount }) => rowCount)
  await expect(add('9007199254740993')).rejects.toThrow('does not fit')
  expect(await kept()).toBe(0)
  await add('1')
  expect(await kept()).toBe(1)
  await owner.query(`delete from trial.thing where name = 'beside it'`)
})

test('a prepared statement is described once on each connection, and renamed and read as before when it is not', async () => {
  const one = openPool(database.appUrl, 1)
  try {
    const client = (await one.connect()) as pg.PoolClient & { connection: { describe(message: object): void } }
    let described = 0
    const before = client.connection.describe
    client.connection.describe = function describe(message) {
      described++
      return before.call(this, message)
    }
    client.release()
    const ask = () => reading(one, mine, (tx) => run<object>(tx, { sql: 'select park_code, size from trial.thing where name = $1' }, ['thing 5']))
    const rows = await ask()
    expect(rows).toEqual([{ parkCode: 'P1', size: 5 }])
    const once = described
    expect(once).toBeGreaterThan(0)
    expect([await ask(), await ask()]).toEqual([rows, rows])
    expect(described, 'what the driver calls to have columns described').toBe(once)
  } finally {
    await one.end()
  }
})

test('a list of one park reads within that park alone, one that is not theirs stays unseen, and a statement after it has the whole scope again', async () => {
  const scope = { enterprise: 1, parks: ['P1', 'P2'] }
  const parksSet = (tx: Tx, park?: string) =>
    run<{ parks: string }>(tx, { sql: `select current_setting('scope.parks') parks` }, [], park).then(([row]) => row!.parks)
  await reading(pool, scope, async (tx) => {
    expect(await Promise.all([parksSet(tx, 'P2'), parksSet(tx), parksSet(tx, 'P3')])).toEqual(['P2', 'P1,P2', 'P1,P2'])
    const of = async (parkCode: string, deep = 1) => {
      const { records, total } = await page(tx, things, { parkCode, current: deep, limit: 100, exactTotal: true } as never)
      return [new Set(records.map((row) => (row as { parkCode: string }).parkCode)), total]
    }
    expect(await of('P2')).toEqual([new Set(['P2']), 375])
    expect(await of('P2', 3)).toEqual([new Set(['P2']), 375])
    expect(await of('P3')).toEqual([new Set(), 0])
    expect((await page(tx, things, { parkCode: 'P1', queryMode: 'sum' } as never)).sums).toEqual({ size: 375 * 5 })
  })
  expect(await reading(pool, mine, (tx) => parksSet(tx, 'P2'))).toBe('*')
  expect(await writing(pool, scope, author, (tx) => parksSet(tx, 'P2')), 'a transaction has one scope').toBe('P1,P2')
})

test('all parks are a role of their own: it is gone with its statement, and under a scope of some parks it sees nobody’s rows', async () => {
  const roleOf = (tx: Tx) => run<{ role: string }>(tx, { sql: 'select current_user as role' }, []).then(([row]) => row!.role)
  const some = { enterprise: 1, parks: ['P1'] }
  for (let turn = 0; turn < 3; turn++) {
    expect(await reading(pool, mine, roleOf)).toBe('kerbline_app')
    expect(await reading(pool, some, roleOf)).toBe('kerbline_parks')
    expect(await write(roleOf)).toBe('kerbline_app')
    expect(await write(roleOf, some)).toBe('kerbline_parks')
  }
  expect((await pool.query('select current_user as role')).rows).toEqual([{ role: 'kerbline_parks' }])
  const rowsAs = (role: string, parks: string) =>
    write(async (tx) => {
      await run(tx, { sql: `select set_config('role', $1, true), set_config('scope.parks', $2, true)` }, [role, parks])
      return (await run(tx, { sql: 'select from trial.thing' }, [])).length
    })
  expect(await rowsAs('kerbline_app', '*')).toBe(1500)
  expect(await rowsAs('kerbline_parks', 'P1')).toBe(375)
  expect(await rowsAs('kerbline_app', 'P1')).toBe(0)
  expect(await rowsAs('kerbline_parks', '*')).toBe(0)
})

test('a part of a write may see all parks of its enterprise; what comes after it does not, also where that part was refused', async () => {
  const count = async (tx: Tx) => (await run(tx, { sql: 'select from trial.thing' }, [])).length
  const some = { enterprise: 1, parks: ['P1'] }
  const seen = await write(async (tx) => {
    const refused = await inAllParks(tx, () => Promise.reject(new Error('no'))).catch((error: Error) => error.message)
    const counts = [await count(tx), await inAllParks(tx, count), await count(tx)]
    const meanwhile = inAllParks(tx, (whole) => Promise.all([count(whole), count(tx)]))
    await expect(meanwhile).rejects.toThrow('waits until it is over')
    const kept = await inAllParks(tx, async (whole) => whole)
    await expect(count(kept)).rejects.toThrow('is over')
    return [refused, ...counts]
  }, some)
  expect(seen).toEqual(['no', 375, 1500, 375])
  const wrong = write((tx) => inAllParks(tx, (whole) => Promise.all([run(whole, { sql: 'select 1 / 0' }, []), count(whole)])), some)
  await expect(wrong).rejects.toThrow('division by zero')
  await expect(reading(pool, some, (tx) => inAllParks(tx, count))).rejects.toThrow('only reads')
})

test('a question of a caller who sees some parks is answered in turn: one answer may look at all parks while others ask on', async () => {
  const count = async (tx: Tx) => (await run(tx, { sql: 'select from trial.thing' }, [])).length
  const asked = question<Record<string, never>, number>('trial.asked')
  asked.answer('longer', async (tx) => (await count(tx)) + (await count(tx)) + (await count(tx)))
  asked.answer('whole', (tx) => inAllParks(tx, count))
  asked.answer('all', (tx) => inAllParks(tx, count))
  const answers = (parks: string[] | null) => write(async (tx) => (await asked.ask(tx, {})).map(({ answer }) => answer), { enterprise: 1, parks })
  expect(await answers(['P1'])).toEqual([1125, 1500, 1500])
  expect(await answers(null)).toEqual([4500, 1500, 1500])
})

test('scopes do not mix when few connections serve many people at once', async () => {
  const one = (i: number) => {
    const scope = [
      { enterprise: 1, parks: null },
      { enterprise: 2, parks: null },
      { enterprise: 1, parks: ['P3'] },
    ][i % 3]!
    return reading(pool, scope, (tx) => page(tx, things, { limit: 1, isAsc: i % 2 === 0 })).then(({ records }) => [i % 3, records[0]!] as const)
  }
  // Four waves: three connections could not serve 600 at once within the time that a call waits for one.
  const seen: (readonly [number, { name: string; parkCode: string }])[] = []
  for (let wave = 0; wave < 4; wave++) seen.push(...(await Promise.all(Array.from({ length: 150 }, (_, i) => one(i)))))
  expect(seen).toHaveLength(600)
  for (const [kind, row] of seen) {
    expect(row.name.startsWith('theirs')).toBe(kind === 1)
    if (kind === 2) expect(row.parkCode).toBe('P3')
  }
})

test('a reading call cannot write, and a call that failed leaves its connection sound', async () => {
  await expect(reading(pool, mine, (tx) => tx.updateTable('trial.thing').set({ name: 'x' }).execute())).rejects.toThrow(/read-only/)
  await expect(reading(pool, mine, (tx) => sql`select 1 / ${0}::int`.execute(tx))).rejects.toThrow(/division by zero/)
  for (let i = 0; i < 4; i++) expect((await reading(pool, mine, (tx) => page(tx, things, {}))).records).toHaveLength(20)
})

test('a write that fails is rolled back whole; a row cannot be put into another enterprise or park', async () => {
  const named = (name: string) => reading(pool, mine, (tx) => tx.selectFrom('trial.thing').select('id').where('name', '=', name).execute())
  await expect(
    write(async (tx) => {
      await tx.insertInto('trial.thing').values({ parkCode: 'P1', name: 'half', size: 1, at: '2026-01-01T00:00:00.000Z' }).execute()
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await named('half')).toHaveLength(0)
  await expect(write((tx) => tx.updateTable('trial.thing').set({ enterpriseId: 2 }).execute())).rejects.toThrow(/row-level security/)
  await expect(write((tx) => tx.updateTable('trial.thing').set({ parkCode: 'P2' }).execute(), { enterprise: 1, parks: ['P1'] })).rejects.toThrow(
    /row-level security/,
  )
  await expect(
    write(
      async (tx) =>
        void (await tx
          .updateTable('trial.thing')
          .set({ enterpriseId: 2 })
          .execute()
          .catch(() => {})),
    ),
  ).rejects.toThrow(/swallowed/)
})

test('without a scope there is an error, not an empty or a full list; a tx that is over stays over', async () => {
  await expect(pool.query('select id from trial.thing')).rejects.toThrow(/scope.enterprise|invalid input syntax/)
  const kept = await reading(pool, mine, async (tx) => ({ tx }))
  await expect((async () => kept.tx.selectFrom('trial.thing').select('id').execute())()).rejects.toThrow(/call is over/)
})

test('the audit stream has who, through which call, why, and what changed, without secrets; the application cannot write it', async () => {
  const made = await write(async (tx) => {
    const row = await tx
      .insertInto('trial.thing')
      .values({ parkCode: 'P1', name: 'first', secret: 's', size: 1, at: '2026-01-01T00:00:00.000Z' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await because(tx, 'renamed by mistake')
    await tx.updateTable('trial.thing').set({ name: 'second', secret: 't', version: 2 }).where('id', '=', row.id!).execute()
    await tx.updateTable('trial.thing').set({ version: 3 }).where('id', '=', row.id!).execute()
    return row.id!
  })
  const history = await reading(pool, mine, (tx) => historyOf(tx, 'trial.thing', made))
  expect(
    history.map(({ event, before, after, reason, authorName, via }) => ({
      event,
      before,
      after: event === 'insert' ? null : after,
      reason,
      authorName,
      via,
    })),
  ).toEqual([
    {
      event: 'update',
      before: { name: 'first' },
      after: { name: 'second' },
      reason: 'renamed by mistake',
      authorName: 'Ann',
      via: 'trial.thing.update',
    },
    { event: 'insert', before: null, after: null, reason: null, authorName: 'Ann', via: 'trial.thing.update' },
  ])
  expect(history[1]!.after).not.toHaveProperty('secret')
  expect(await reading(pool, { enterprise: 2, parks: null }, (tx) => historyOf(tx, 'trial.thing', made))).toEqual([])
  await expect(write((tx) => run(tx, { sql: `delete from platform.change` }, []))).rejects.toThrow(/permission denied/)
})

test('the history of a row is in the order of its changes: who waited for it began before the one that changed it first', async () => {
  const made = await write(async (tx) => (await run<{ id: string }>(tx, { sql: ADDED }, []))[0]!.id)
  const named = (tx: Tx, name: string) => run(tx, { sql: 'update trial.thing set name = $2 where id = $1' }, [made, name])
  await write(async (tx) => {
    await run(tx, { sql: 'select now()' }, [])
    await write((other) => named(other, 'second'))
    await named(tx, 'third')
  })
  const history = await reading(pool, mine, (tx) => historyOf(tx, 'trial.thing', made))
  expect(history.map(({ after }) => after?.['name'])).toEqual(['third', 'second', 'first'])
})
const ADDED = `insert into trial.thing (park_code, name, secret, size, at) values ('P1', 'first', 's', 1, now()) returning id`

test('several fields sort at once, each in its direction, near and deep alike', async () => {
  const ask = (input: object) =>
    reading(pool, mine, (tx) => page(tx, things, { parkCode: 'P1', ...input } as never)).then(
      ({ records }) => records as { id: string; size: number; at: string }[],
    )
  const all = await ask({ orderByColumn: 'size,at', isAsc: 'false,true', limit: 400 })
  expect(all.length).toBeGreaterThanOrEqual(375)
  for (const [place, { size, at }] of all.entries()) {
    const next = all[place + 1]
    if (next) expect(size > next.size || (size === next.size && at < next.at)).toBe(true)
  }
  expect(await ask({ orderByColumn: 'size,at', isAsc: 'false,true', current: 13, limit: 10 })).toEqual(all.slice(120, 130))
  expect(await ask({ orderByColumn: 'size,at,size', isAsc: false, limit: 2 })).toEqual(
    await ask({ orderByColumn: 'size,at', isAsc: 'false,false', limit: 2 }),
  )
})

test('sorted by several fields a list still walks the index of the first: what is equal there is put in order, never the whole table', async () => {
  await owner.query(`
    create table trial.long (like trial.thing including all);
    select platform.scoped('trial.long', hidden => '{secret}');
    create index long_at on trial.long (enterprise_id, at desc, id desc);
    insert into trial.long (enterprise_id, park_code, name, size, at)
      select 1, 'P1', 'thing ' || i, i % 10, timestamptz '2026-01-01' + i / 3 * interval '1 minute' from generate_series(1, 60000) i;
    analyze trial.long`)
  const long = listOver(Thing, 'trial.long' as never, thingSearch)
  const planOf = async (input: object) => {
    const lines = linesOf(long, input, ['id'], null)
    const rows = await reading(pool, mine, (tx) => run<{ queryPlan: string }>(tx, { sql: `explain ${lines.sql} limit 20` }, lines.values))
    return rows.map((row) => Object.values(row)[0]).join('\n')
  }
  const plan = await planOf({ orderByColumn: 'at,size', isAsc: 'false,true' })
  expect(plan).toContain('Incremental Sort')
  expect(plan).toMatch(/Presorted Key: .*\bat\b/)
  expect(plan).toContain('long_at')
  expect(await planOf({ orderByColumn: 'at' })).not.toContain('Sort')
})

test('a page: criteria, order, near and deep, capped and exact totals, sums', async () => {
  const ask = (input: object) => reading(pool, mine, (tx) => page(tx, things, input as never))
  const first = await ask({})
  expect([first.records.length, first.total, first.totalExact]).toEqual([20, 1000, false])
  expect((await ask({ exactTotal: true })).total).toBeGreaterThanOrEqual(1500)
  const inPark = await ask({ parkCode: 'P3', orderByColumn: 'at', isAsc: true, limit: 10 })
  expect([inPark.total, inPark.totalExact, inPark.records[0]!.at]).toEqual([375, true, '2026-01-01T00:03:00.000Z'])
  const near = await ask({ parkCode: 'P3', isAsc: true, current: 1, limit: 200 })
  const deep = await ask({ parkCode: 'P3', isAsc: true, current: 13, limit: 10 })
  expect(deep.records).toEqual(near.records.slice(120, 130))
  expect(Object.keys(deep.records[0]!)).toEqual(Object.keys(Thing.properties))
  // Behind the last row there is none that could say the total.
  for (const exactTotal of [false, true])
    expect(await ask({ parkCode: 'P3', current: 99, exactTotal })).toEqual({ records: [], total: 375, totalExact: true })
  // Behind the cap the rows that were passed by are the count.
  for (const [current, limit] of [
    [51, 20],
    [1001, 1],
  ]) {
    const behind = await ask({ current, limit })
    expect([behind.records.length, behind.total, behind.totalExact]).toEqual([limit, 1000, false])
  }
  expect((await ask({ current: 51, exactTotal: true })).total).toBeGreaterThanOrEqual(1500)
  expect(await ask({ current: 999 })).toEqual({ records: [], total: 1000, totalExact: false })
  const named = await reading(pool, { enterprise: 1, parks: ['P2', 'P3'] }, (tx) =>
    Promise.all(['P3', 'P1'].map((parkCode) => page(tx, things, { parkCode } as never))),
  )
  expect(named.map(({ total }) => total)).toEqual([375, 0])
  expect(await ask({ name: '%', current: 9 })).toEqual({ records: [], total: 0, totalExact: true })
  expect((await ask({ name: 'thing 77', queryMode: 'total' })).total).toBe(11)
  expect((await ask({ name: '%' })).total).toBe(0)
  expect((await ask({ size: [1, 2], parkCode: 'P2', queryMode: 'sum' })).sums).toEqual({ size: 150 })
  expect((await ask({ atFrom: '2026-01-01T00:01:00.000Z', atTo: '2026-01-01T00:03:00.000Z' })).total).toBe(3)
  const one = await reading(pool, mine, (tx) => find(tx, things, inPark.records[0]!.id))
  expect(one).toEqual(inPark.records[0])
  expect(Object.keys((paged(thingSearch) as never as { properties: object }).properties)).toContain('atFrom')
})

test('what another table answers is looked up there, and finds what the joined rows have: few keys, many, none, near, deep, counted, summed, written', async () => {
  await owner.query(`
    create table trial.tag (enterprise_id integer not null default scope_enterprise(), thing text not null, word text not null, primary key (enterprise_id, thing));
    select platform.scoped('trial.tag', audited => false);
    insert into trial.tag (enterprise_id, thing, word) select 1, 'thing ' || i, 'word ' || i % 3 || '%' from generate_series(1, 1400) i;
    insert into trial.tag (enterprise_id, thing, word) values (2, 'thing 1', 'word 1%');
    create view trial.tagged with (security_invoker = true) as
      select t.*, g.word from trial.thing t left join trial.tag g on g.enterprise_id = t.enterprise_id and g.thing = t.name where t.at < '2026-01-03';
    grant select on trial.tagged to kerbline_app`)
  const Tagged = entity({ ...Thing.properties, word: text('词', 'Word') })
  const search = searchOf(Tagged, { parkCode: 'equals', word: 'contains' }, { sort: ['at', 'size'] })
  const joined = listOver(Tagged, 'trial.tagged' as never, search, { sums: ['size'] })
  const TAGGED = 'select thing from trial.tag where enterprise_id = scope_enterprise() and word ilike $1'
  const through = listOver(Tagged, 'trial.tagged' as never, search, { sums: ['size'], through: { word: { column: 'name', sql: TAGGED } } })
  const both = (input: object, scope: { enterprise: number; parks: string[] | null } = mine) =>
    reading(pool, scope, (tx) => Promise.all([page(tx, joined, input as never), page(tx, through, input as never)]))
  for (const word of ['1%', 'WORD', 'ord 2', '0', 'nothing', '%'])
    for (const more of [
      {},
      { current: 3 },
      { current: 12 },
      { parkCode: 'P1' },
      { orderByColumn: 'size,at', isAsc: 'true,false' },
      { exactTotal: true },
      { queryMode: 'total' },
      { queryMode: 'sum' },
    ]) {
      const [wanted, found] = await both({ word, ...more })
      expect(found, JSON.stringify({ word, more })).toEqual(wanted)
    }
  const [wanted, found] = await both({ word: '1%' }, { enterprise: 1, parks: ['P2'] })
  expect([found, found.records.length]).toEqual([wanted, 20])
  expect((await both({ word: 'WORD', exactTotal: true }))[1].total).toBe(1400)
  const written = async (word: string) => {
    const asked = await reading(pool, mine, (tx) => lookedUp(tx, through, { word }))
    const { sql: statement, values } = linesOf(through, asked as never, ['name'], null)
    return [statement.replaceAll('"', ''), (await reading(pool, mine, (tx) => run(tx, { sql: statement }, values))).length]
  }
  expect(await written('ord 2')).toEqual([expect.stringContaining(' name = any('), 467])
  expect(await written('word')).toEqual([expect.stringContaining('select thing from trial.tag'), 1400])
})

test('a text that the platform writes too is found by the words of either language, and not by the name of its sentence', async () => {
  const Said = sentences('trial', { reopened: ['再次打开：{why}', 'Opened again: {why}'], closed: ['已关闭', 'Closed'] })
  await owner.query(`create table trial.told (id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), at integer not null, why text);
    select platform.scoped('trial.told', audited => false)`)
  await owner.query(
    'insert into trial.told (enterprise_id, at, why) select 1, ordinality, why from unnest($1::text[]) with ordinality as one (why)',
    [[Said.reopened({ why: '又坏了 100%' }), Said.closed, '门关不上', 'I closed it', null]],
  )
  const Told = entity({ id: id<'ToldId'>(), at: whole('次', 'At'), why: orNone(orSaid(text('原因', 'Reason', { max: 99 }))) })
  const list = listOver(Told, 'trial.told' as never, searchOf(Told, { why: 'contains' }, { sort: ['at'], ascending: true }))
  const found = async (why: string) => (await reading(pool, mine, (tx) => page(tx, list, { why } as never))).records.map(({ at }) => at)
  expect([await found('打开'), await found('AGAIN'), await found('坏了 100%')]).toEqual([[1], [1], [1]])
  expect([await found('关闭'), await found('closed'), await found('关')]).toEqual([[2], [2, 4], [2, 3]])
  expect([await found('trial'), await found('reopened'), await found('⟦')]).toEqual([[], [], []])
  const exact = listOver(Told, 'trial.told' as never, searchOf(Told, { why: 'equals' }, { sort: ['at'], ascending: true }))
  const are = async (why: string) => (await reading(pool, mine, (tx) => page(tx, exact, { why } as never))).records.map(({ at }) => at)
  expect([await are('Closed'), await are('已关闭'), await are('门关不上'), await are('关闭')]).toEqual([[2], [2], [3], []])
})

/** More than a server keeps prepared. */
const MANY = 3100
test('a server that has met more statements than it keeps still answers each: one without values too, and in its scope', async () => {
  const texts = Array.from({ length: MANY }, (_, at) => `select ${at} as n, scope_enterprise() as enterprise`)
  const answers = await reading(pool, mine, (tx) => Promise.all(texts.map((text) => run<{ n: number; enterprise: number }>(tx, { sql: text }, []))))
  expect(answers.map(([one]) => one)).toEqual(texts.map((_, n) => ({ n, enterprise: 1 })))
  expect(await write((tx) => run(tx, { sql: 'select 1 as last' }, []))).toEqual([{ last: 1 }])
})
