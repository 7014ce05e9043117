import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { fillDemo } from '../../apps/server/demo.ts'
import { startServer } from '../../apps/server/server.ts'
import { openLog } from '../../platform/server/log.ts'
import { copyOf, renamed, type TestDatabase, testDatabase } from './database.ts'
import { configFor } from './server.ts'

const CITY = 'demo_city'
/** Any number that no other lock has. */
const LOCK = 8_600

export interface DemoCity extends TestDatabase {
  /** Its files, a copy too. */
  dataDir: string
}
/** The small demo city with everybody in it, as a copy of the test's own. Whoever asks first in a run makes it (some seconds); for all others it takes as long as a copy. */
export async function demoCity(): Promise<DemoCity> {
  await made()
  const copy = await copyOf(CITY)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-demo-'))
  cpSync(inject('demoFiles'), dataDir, { recursive: true })
  return {
    ...copy,
    dataDir,
    async drop() {
      await copy.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function made(): Promise<void> {
  const client = new pg.Client({ connectionString: renamed(inject('template').ownerUrl, 'postgres') })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rows } = await client.query('select from pg_database where datname = $1', [CITY])
    if (rows.length > 0) return
    const { ownerUrl } = await fill()
    await client.query(`alter database ${new URL(ownerUrl).pathname.slice(1)} rename to ${CITY}`)
  } finally {
    await client.end() // and the lock with it
  }
}

async function fill(): Promise<TestDatabase> {
  const database = await testDatabase()
  const config = configFor(database.ownerUrl, { demo: 'small', role: 'web', dataDir: inject('demoFiles') })
  const running = await startServer({ config, ...database, log: openLog('fatal') })
  await fillDemo(running, () => {})
  await running.close()
  return database
}
