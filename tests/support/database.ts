import { randomBytes } from 'node:crypto'
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

export async function copyOf(template: string): Promise<TestDatabase> {
  const { ownerUrl, appUrl } = inject('template')
  const name = `test_${randomBytes(6).toString('hex')}`
  await asOwner(ownerUrl, `create database ${name} template ${template}`)
  return {
    ownerUrl: renamed(ownerUrl, name),
    appUrl: renamed(appUrl, name),
    drop: () => asOwner(ownerUrl, `drop database if exists ${name} with (force)`),
  }
}

export function renamed(connectionString: string, database: string) {
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return url.href
}

/** On the database `postgres`, because nobody may be connected to the template while it is copied. */
async function asOwner(ownerUrl: string, statement: string) {
  const client = new pg.Client({ connectionString: renamed(ownerUrl, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
