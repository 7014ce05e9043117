import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../platform/server/start/embedded.ts'
import { installJobs } from '../../platform/server/job/jobs.ts'
import { migrate } from '../../platform/server/start/migrate.ts'
import { nameFor, removeLeftovers } from './leftovers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that every test file gets a copy of. */
    template: { ownerUrl: string; appUrl: string }
    /** Where the demo city's files lie, once somebody has asked for it. */
    demoFiles: string
  }
}

const quiet = { info: () => {}, warn: (line: string) => console.warn(line) }
/** All projects of one run share one PostgreSQL. */
let running: Promise<{ ownerUrl: string; appUrl: string; directory: string; stop: () => Promise<void> }> | undefined

/** One PostgreSQL for the run, without fsync, in memory where there is room, in a directory that is removed; one database in it, migrated once. */
export default async function setup(project: TestProject) {
  const first = running === undefined
  running ??= start()
  const { ownerUrl, appUrl, directory, stop } = await running
  project.provide('template', { ownerUrl, appUrl })
  project.provide('demoFiles', path.join(directory, 'demo'))
  return first ? stop : undefined
}

/** A file system in memory, on Linux: a database for each test file is some thousand files, for a minute. */
const MEMORY = '/dev/shm'
/** Far more than a run has at any time. */
const ROOM_BYTES = 6 * 1024 ** 3
function placeFor() {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES ? MEMORY : tmpdir()
}

async function start() {
  for (const place of [MEMORY, tmpdir()]) if (existsSync(place)) removeLeftovers(place)
  const directory = mkdtempSync(path.join(placeFor(), nameFor(process.pid)))
  chmodSync(directory, 0o755) // PostgreSQL runs as another user than root
  const embedded = await startEmbedded(directory, quiet, { throwaway: true })
  const stop = async () => {
    await embedded.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const { appUrl } = await migrate(embedded.url, quiet)
    await installJobs(embedded.url)
    return { ownerUrl: embedded.url, appUrl, directory, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
