import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openLog } from '../platform/server/log.ts'
import { migrate } from '../platform/server/start/migrate.ts'
import { end } from './child.ts'
import { buildLanes, carsSoFar, connectLanes, drive, PARKS, plateOf, startLaneServer } from './playedLanes.ts'
import { sizeOf } from './size.ts'
import type { Row } from './table.ts'

const PASSES = sizeOf('passes', 100_000, 200)
const ENTRIES = sizeOf('entries', 1_000_000, 400)
const EVENTS = sizeOf('events', 5_000, 50)
const CARS_PER_S = 50
const WARM_S = sizeOf('warming-seconds', 10, 1)
/** Of the cars that come, one in ten has a pass, and one in twenty stands on the white list. */
const PASS_EVERY = 10
const WHITE_EVERY = 20
const MEDIAN_MORE_MS = 0.5
const P99_MORE_MS = 5
/** The time in which writes reach the disk before lanes are measured, in milliseconds. */
const SETTLE_MS = 2_000

/** Times a lane in a city with many passes and long lists, against the same city before it had any. */
export async function admission(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const { appUrl } = await migrate(ownerUrl, openLog('warn'))
  await buildLanes(appUrl)
  const server = await startLaneServer(ownerUrl, dataDir, port)
  const lanes = await connectLanes(port)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const measured = async (name: string) => {
    await drive(lanes, CARS_PER_S, WARM_S, `${name}-warm`)
    return drive(lanes, CARS_PER_S, EVENTS / CARS_PER_S, name)
  }
  try {
    const empty = await measured('empty')
    const stood = await fill(owner)
    await pause(SETTLE_MS)
    const full = await measured('full')
    return rowsOf(empty, full, stood)
  } finally {
    for (const { client } of lanes) client.end(true)
    await end(server)
    await owner.end()
  }
}

type Times = Awaited<ReturnType<typeof drive>>
function rowsOf(empty: Times, full: Times, { passes, entries }: Stood): Row[] {
  const [median, p99] = [full.p50 - empty.p50, full.p99 - empty.p99]
  const all = full.told === Math.floor(EVENTS / CARS_PER_S) * CARS_PER_S && full.told === empty.told
  const both = (of: Times) => `${of.p50.toFixed(1)} / ${of.p99.toFixed(1)} ms`
  return [
    { what: `Admission: an empty city, p50 / p99 of ${empty.told} cars at ${CARS_PER_S}/s`, value: both(empty) },
    {
      what: `Admission: ${passes.toLocaleString('en')} passes, ${entries.toLocaleString('en')} list entries, p50 / p99 of ${full.told}`,
      value: both(full),
    },
    {
      what: 'Admission: what they add to the median',
      value: `${median.toFixed(2)} ms`,
      target: `≤ ${MEDIAN_MORE_MS} ms`,
      kept: all && median <= MEDIAN_MORE_MS,
    },
    { what: 'Admission: what they add to p99', value: `${p99.toFixed(1)} ms`, target: `≤ ${P99_MORE_MS} ms`, kept: all && p99 <= P99_MORE_MS },
  ]
}

interface Stood {
  passes: number
  entries: number
}
/** Cars that come later have some of the passes and entries; the rest are of cars that never come. */
async function fill(owner: pg.Client): Promise<Stood> {
  const coming = Array.from({ length: CARS_PER_S * WARM_S + EVENTS }, (_, n) => plateOf(carsSoFar() + 1 + n))
  const withPass = coming.filter((_, n) => n % PASS_EVERY === 0).slice(0, PASSES)
  const white = coming.filter((_, n) => n % WHITE_EVERY === 1).slice(0, ENTRIES)
  await owner.query('begin')
  await owner.query('set local session_replication_role = replica')
  await owner.query(GROUP, [Array.from({ length: PARKS }, (_, n) => `L${n}`)])
  for (const sql of [CUSTOMERS, PASSES_OF, CARS]) await owner.query(sql, [PASSES])
  await owner.query(COVERS, [PASSES, withPass])
  await owner.query(LISTED, [ENTRIES, white])
  await owner.query('commit')
  for (const table of ['customer', 'pass', 'car', 'pass_car', 'list']) await owner.query(`vacuum analyze member.${table}`)
  const { rows } = await owner.query<Stood>(
    'select (select count(*)::int from member.pass) as passes, (select count(*)::int from member.list) as entries',
  )
  return rows[0]!
}
/** The same for the same number, so that the tables find one another. */
const idOf = (kind: string, n = 'n') => `md5('${kind}' || ${n})::uuid`
const GROUP = `insert into member.card_group (id, enterprise_id, name, park_codes, home_park) select ${idOf('group', `''`)}, 1, '月卡', $1, ($1::text[])[1]`
const CUSTOMERS = `insert into member.customer (id, enterprise_id, name) select ${idOf('customer')}, 1, '客户' || n from generate_series(1, $1::int) n`
const PARK = `'L' || n % ${PARKS}`
const LASTS = `now() - interval '30 days', now() + interval '335 days'`
const PASSES_OF = `insert into member.pass (id, enterprise_id, pass_no, member_id, group_id, park_code, park_codes, start_at, end_at, anchor_day)
  select ${idOf('pass')}, 1, 'MPB' || n, ${idOf('customer')}, ${idOf('group', `''`)}, ${PARK}, array[${PARK}], ${LASTS}, 1 from generate_series(1, $1::int) n`
/** Of a car that never comes. */
const AWAY = `'鄂M' || lpad(upper(to_hex(n)), 5, '0')`
const CARS = `insert into member.car (enterprise_id, member_id, plate_no, plate_color, added_in) select 1, ${idOf('customer')}, ${AWAY}, 0, '{}' from generate_series(1, $1::int) n`
const ALL_HOURS = `'{[0,10080)}'::int4multirange`
/** One that comes is covered in whichever park it comes to. */
const COVERS = `insert into member.pass_car (id, enterprise_id, pass_id, park_code, plate_no, plate_color, hours, start_at, end_at)
  select uuidv7(), 1, ${idOf('pass')}, 'L' || p, coalesce(c.plate, ${AWAY}), 0, ${ALL_HOURS}, ${LASTS}
  from generate_series(1, $1::int) n left join unnest($2::text[]) with ordinality c (plate, turn) on c.turn = n
    cross join lateral generate_series(case when c.plate is null then n % ${PARKS} else 0 end, case when c.plate is null then n % ${PARKS} else ${PARKS - 1} end) p`
/** White and black by turns, in one park and in all; those that come are white. */
const LISTED = `insert into member.list (enterprise_id, list_type, plate_no, plate_color, start_at, end_at, reason_type, park_code, white_kind)
  select 1, kind, coalesce(c.plate, ${AWAY}), 0, ${LASTS}, 1, case when n % 2 = 0 and c.plate is null then ${PARK} end, case when kind = 1 then 1 end
  from generate_series(1, $1::int) n left join unnest($2::text[]) with ordinality c (plate, turn) on c.turn = n
    cross join lateral (select case when c.plate is null and n % 3 = 0 then 2 else 1 end) k (kind)`
