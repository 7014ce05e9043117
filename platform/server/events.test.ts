import pg from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { openPool, writing } from './database.ts'
import { announce, event, on } from './events.ts'

let database: TestDatabase
let owner: pg.Pool
let app: pg.Pool
beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 })
  app = openPool(database.appUrl, 2)
})
afterAll(async () => {
  await Promise.all([owner.end(), app.end()])
  await database.drop()
})

const came = event<{ plate: string }>('trial.came')
const jobs = async () =>
  (
    await owner.query<{ name: string }>(
      `select task_identifier as name from graphile_worker.jobs where task_identifier like 'trial.came>%' order by 1`,
    )
  ).rows.map(({ name }) => name)
const comes = (plate: string) =>
  writing(app, { enterprise: 1, parks: null }, { userId: null, userName: 'test', via: 'trial', requestId: '' }, (tx) => announce(tx, came, { plate }))

test('whom an event does not concern gets no job; whether it does may be read in the transaction that announces it', async () => {
  const hear = () => Promise.resolve()
  on(came, 'always', hear)
  on(came, 'named', hear, { when: ({ plate }) => plate === 'B' })
  on(came, 'read', hear, { when: async ({ plate }, tx) => (await sql<{ is: boolean }>`select ${plate} = 'B' as "is"`.execute(tx)).rows[0]!.is })
  await comes('A')
  expect(await jobs()).toEqual(['trial.came>always'])
  await comes('B')
  expect(await jobs()).toEqual(['trial.came>always', 'trial.came>always', 'trial.came>named', 'trial.came>read'])
})
