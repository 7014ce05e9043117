import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { fillDemo } from '../../apps/server/demo.ts'
import { startServer } from '../../apps/server/server.ts'
import { openLog } from '../../platform/server/log.ts'
import { copyOfMade, type TestDatabase, testDatabase } from './database.ts'
import { configFor } from './server.ts'

export interface DemoCity extends TestDatabase {
  /** Its files, a copy too. */
  dataDir: string
}
/** The small demo city with everybody in it, as a copy of the test's own. Making it takes some seconds, once in a run. */
export async function demoCity(): Promise<DemoCity> {
  const copy = await copyOfMade('demo_city', fill)
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

async function fill(): Promise<TestDatabase> {
  const database = await testDatabase()
  const config = configFor(database.ownerUrl, { demo: 'small', role: 'web', dataDir: inject('demoFiles') })
  const running = await startServer({ config, ...database, log: openLog('fatal') })
  await fillDemo(running, () => {})
  await running.close()
  return database
}
