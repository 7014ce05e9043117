import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { openLog } from '../platform/server/log.ts'
import { migrate } from '../platform/server/start/migrate.ts'
import { end } from './child.ts'
import { cpuSeconds } from './cpu.ts'
import { pgbench } from './pgbench.ts'
import { BOOT, buildLanes, connectLanes, drive, exactly, type LaneAtWork, PARKS, startLaneServer } from './playedLanes.ts'
import { sizeOf } from './size.ts'
import type { Row } from './table.ts'

const SECONDS = sizeOf('seconds', 20, 1)
const WARM_S = sizeOf('warming-seconds', 5, 1)
/** A car is three events of its lane: read, boom up, boom down. What the lane answers to commands comes on top and is sent too, as a real one does. */
const EVENTS_PER_CAR = 3
/** The promise counts plates read, the stricter reading; the two between show how it gets there. */
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
    rows.push(await exactly(owner), await recorded(lanes, owner, ownerUrl))
    return rows
  } finally {
    for (const { client } of lanes) client.end(true)
    await end(server)
    await owner.end()
  }
}

/** Seconds of processor time so far. The database and the server are children of this process. */
function cpuOf(server: ChildProcess) {
  const own = process.cpuUsage()
  const [all, its, lanes] = [cpuSeconds(process.pid), cpuSeconds(server.pid!), (own.user + own.system) / 1e6]
  return { database: all - its - lanes, server: its, lanes }
}

/** So many lanes at once, each with its next car as soon as the last one is acknowledged. */
const CLIENTS = 64
const MOST_S = sizeOf('most-seconds', 10, 1)
const INSERTING = 8
/** W5: stays recorded through lane events, against rows of the same table that pgbench inserts one by one. */
async function recorded(lanes: LaneAtWork[], owner: pg.Client, ownerUrl: string): Promise<Row> {
  const from = performance.now()
  const until = from + MOST_S * 1000
  let n = 0
  await Promise.all(
    lanes.slice(0, CLIENTS).map(async ({ client, root }) => {
      while (performance.now() < until) {
        const plate = `鄂Y${String(++n).padStart(5, '0')}`
        const said = { type: 'plate', ts: Date.now(), mid: `${BOOT}-most-${n}`, direction: 'in', plate, color: 'blue', confidence: 0.97 }
        await client.publishAsync(`${root}event`, JSON.stringify(said), { qos: 1 })
      }
    }),
  )
  const { rows } = await owner.query<{ n: number }>(`select count(*)::int n from parking.stay where plate_no like '鄂Y_____'`)
  const ours = rows[0]!.n / ((performance.now() - from) / 1000)
  const insert = `\\set p random(0, ${PARKS - 1})
insert into parking.stay (enterprise_id, park_code, plate_no, plate_color, vehicle_class, car_kind_in, entry_gate, entry_time, entry_mode, status)
  values (1, 'L' || :p, upper(left(md5(random()::text), 12)), 0, 1, 9, 'L0-G0', now(), 1, 1);
`
  const floor = pgbench(ownerUrl, [insert], { clients: INSERTING, seconds: MOST_S })
  return {
    what: `W5 stays recorded through lane events (${ours.toFixed(0)}/s of ${n} sent, against ${floor.toFixed(0)}/s)`,
    value: (ours / floor).toFixed(3),
    target: '≥ 0.03 of pgbench’s single inserts',
    kept: ours / floor >= 0.03 && rows[0]!.n === n,
  }
}
