import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { openLog } from '../platform/server/log.ts'
import { migrate } from '../platform/server/migrate.ts'
import { cpuSeconds } from './cpu.ts'
import { buildLanes, connectLanes, drive, exactly, startLaneServer } from './playedLanes.ts'
import type { Row } from './table.ts'

const SECONDS = 20
const WARM_S = 5
/** A car is three events of its lane: read, boom up, boom down. What the lane answers to commands comes on top and is sent too, as a real one does. */
const EVENTS_PER_CAR = 3
/** What is promised is counted in plates read, the stricter reading; the two between show how it gets there. */
const TARGETS: { cars: number; p99Ms?: number }[] = [
  { cars: 50, p99Ms: 50 },
  { cars: 200 / EVENTS_PER_CAR },
  { cars: 100 },
  { cars: 200, p99Ms: 250 },
]

/** From the moment a camera hands its event to the socket to the moment its barrier's command is read from it, through the real server in its own process. */
export async function lane(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const { appUrl } = await migrate(ownerUrl, openLog('warn'))
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await buildLanes(appUrl)
  const server = await startLaneServer(ownerUrl, dataDir, port)
  const lanes = await connectLanes(port)
  try {
    await drive(lanes, 50, WARM_S, 'W')
    const rows: Row[] = []
    for (const { cars, p99Ms } of TARGETS) {
      const before = cpuOf(server)
      const { p50, p99, told } = await drive(lanes, cars, SECONDS, cars.toFixed(0))
      const after = cpuOf(server)
      const each = (part: keyof typeof before) => (((after[part] - before[part]) * 1000) / told).toFixed(1)
      const lost = Math.floor(cars * SECONDS) - told
      rows.push({
        what: `Lane: plate read to barrier command, ${(cars * EVENTS_PER_CAR).toFixed(0)} events/s (${cars.toFixed(0)} cars/s), p50 / p99 of ${told}`,
        value: `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`,
        ...(p99Ms !== undefined && { target: `p99 < ${p99Ms} ms`, kept: p99 < p99Ms && lost <= 0 }),
      })
      rows.push({
        what: `Lane: processor time a car at ${cars.toFixed(0)} cars/s: database / server / the played lanes`,
        value: `${each('database')} / ${each('server')} / ${each('lanes')} ms`,
      })
    }
    rows.push(await exactly(owner))
    return rows
  } finally {
    for (const { client } of lanes) client.end(true)
    server.kill('SIGTERM')
    await owner.end()
  }
}

/** Seconds of processor time so far. The database and the server are children of this process. */
function cpuOf(server: ChildProcess) {
  const own = process.cpuUsage()
  const [all, its, lanes] = [cpuSeconds(process.pid), cpuSeconds(server.pid!), (own.user + own.system) / 1e6]
  return { database: all - its - lanes, server: its, lanes }
}
