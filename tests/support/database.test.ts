import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from './database.ts'

const database = await testDatabase()
afterAll(() => database.drop())

test('the application signs in as a role that owns nothing and cannot step over a policy', async () => {
  const client = new pg.Client({ connectionString: database.appUrl })
  await client.connect()
  const { rows } = await client.query(
    `select current_user as name, rolsuper, rolbypassrls, (select count(*)::int from pg_class where relowner = r.oid) owned from pg_roles r where rolname = current_user`,
  )
  await client.end()
  expect(rows).toEqual([{ name: 'kerbline_parks', rolsuper: false, rolbypassrls: false, owned: 0 }])
})

test('databases of two test files do not see each other', async () => {
  const other = await testDatabase()
  expect(other.ownerUrl).not.toBe(database.ownerUrl)
  await other.drop()
})
