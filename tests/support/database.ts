import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** As the owner of the tables: sees everything, for looking behind the wall. */
  ownerUrl: string
  /** As the application: bound by every policy. */
  appUrl: string
  drop(): Promise<void>
}

/** A database of the test file's own: a copy of the migrated one (some 50 ms). Call `drop` in `afterAll`; what is left goes with the run. */
export const testDatabase = (): Promise<TestDatabase> => copyOf(new URL(inject('template').ownerUrl).pathname.slice(1))

/** A copy of a database that whoever asks first in a run makes; for all others it takes as long as a copy. What is made goes by this name from then on. */
export async function copyOfMade(name: string, make: () => Promise<TestDatabase>): Promise<TestDatabase> {
  await asOwner(inject('template').ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]) // until the connection ends
    const { rows } = await client.query('select from pg_database where datname = $1', [name])
    if (rows.length > 0) return
    const { ownerUrl } = await make()
    await client.query(`alter database ${new URL(ownerUrl).pathname.slice(1)} rename to ${name}`)
  })
  return copyOf(name)
}

/** Its files are copied as they lie: by way of the log, PostgreSQL's usual one, it takes three times as long. */
async function copyOf(template: string): Promise<TestDatabase> {
  const { ownerUrl, appUrl } = inject('template')
  const name = `test_${randomBytes(6).toString('hex')}`
  await asOwner(ownerUrl, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return {
    ownerUrl: renamed(ownerUrl, name),
    appUrl: renamed(appUrl, name),
    drop: () => dropped(ownerUrl, name),
  }
}

/** A pool that has ended still closes its connections: cut, each would say so to nobody who listens. Whoever stays longer is put out. */
const dropped = (ownerUrl: string, name: string) =>
  asOwner(ownerUrl, async (client) => {
    for (let left = 100; left > 0; left--) {
      const { rows } = await client.query('select from pg_stat_activity where datname = $1 limit 1', [name])
      if (rows.length === 0) break
      await setTimeout(20)
    }
    await client.query(`drop database if exists ${name} with (force)`)
  })

export function renamed(connectionString: string, database: string) {
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return url.href
}

/** On the database `postgres`, because nobody may be connected to the template while it is copied. */
async function asOwner(ownerUrl: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: renamed(ownerUrl, 'postgres') })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
