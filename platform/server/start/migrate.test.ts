import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/database.ts'
import { migrate } from './migrate.ts'

const { ownerUrl, appUrl, drop } = await testDatabase()
const directory = mkdtempSync(path.join(tmpdir(), 'kerbline-migrations-'))
const quiet = { info: () => {}, warn: () => {} }
const file = (name: string, text: string) => writeFileSync(path.join(directory, name), text)
const run = () => migrate(ownerUrl, quiet, directory)

beforeEach(async () => {
  rmSync(directory, { recursive: true, force: true })
  const { mkdirSync } = await import('node:fs')
  mkdirSync(directory)
  await asOwner('drop schema if exists migration cascade; drop schema if exists made cascade')
})
afterAll(async () => {
  await drop()
  rmSync(directory, { recursive: true, force: true })
})

async function asOwner(text: string) {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

test('files run once, in the order of their numbers, and the role of the calls can sign in afterwards', async () => {
  file('0002_later.sql', 'alter table made.thing add note text')
  file('0001_first.sql', 'create schema made; create table made.thing (id integer)')
  const first = await run()
  expect(first).toEqual({ appUrl, applied: ['0001_first.sql', '0002_later.sql'] })
  file('0003_new.sql', 'insert into made.thing values (1)')
  expect((await run()).applied).toEqual(['0003_new.sql'])
  expect((await run()).applied).toEqual([])
  expect(await asOwner('select count(*)::int n from made.thing')).toEqual([{ n: 1 }])
})

test('several processes that start at once run each file once', async () => {
  file('0001_first.sql', 'create schema made; create table made.thing (id integer)')
  file('0002_row.sql', 'insert into made.thing values (1)')
  const all = await Promise.all([run(), run(), run()])
  expect(all.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 2])
  expect(await asOwner('select count(*)::int n from made.thing')).toEqual([{ n: 1 }])
})

test('a file that fails leaves nothing of itself and says which line', async () => {
  file('0001_first.sql', 'create schema made; create table made.thing (id integer)')
  file('0002_broken.sql', 'insert into made.thing values (1);\nselect no_such_thing;')
  await expect(run()).rejects.toThrow(/migrations\/0002_broken\.sql, line 2: column "no_such_thing" does not exist/)
  expect(await asOwner('select count(*)::int n from made.thing')).toEqual([{ n: 0 }])
})

test('a file that was changed after it ran, or that the program no longer has, is refused in one line', async () => {
  file('0001_first.sql', 'create schema made')
  await run()
  file('0001_first.sql', 'create schema made; -- changed')
  await expect(run()).rejects.toMatchObject({ name: 'StartRefusal', message: expect.stringMatching(/0001_first\.sql was changed/) })
  rmSync(path.join(directory, '0001_first.sql'))
  await expect(run()).rejects.toMatchObject({ name: 'StartRefusal', message: expect.stringMatching(/newer than the program/) })
})

test('a database that does not answer, and a connection without a password, get one line each', async () => {
  await expect(migrate('postgres://owner:x@127.0.0.1:1/none', quiet, directory)).rejects.toMatchObject({
    name: 'StartRefusal',
    message: expect.stringMatching(/does not answer/),
  })
  const bare = new URL(ownerUrl)
  bare.password = ''
  await expect(migrate(bare.href, quiet, directory)).rejects.toMatchObject({ name: 'StartRefusal' })
})
