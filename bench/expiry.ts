import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expirePoints } from '../domains/coupon/server/pointsAccount.ts'
import { openPool, writing } from '../platform/server/database.ts'
import { addJob } from '../platform/server/job/jobs.ts'
import { openLog } from '../platform/server/log.ts'
import { migrate } from '../platform/server/start/migrate.ts'
import { end } from './child.ts'
import { buildLanes, connectLanes, drive, type Driven, type LaneAtWork, shareOf, startLaneServer } from './playedLanes.ts'
import { sizeOf } from './size.ts'
import type { Row } from './table.ts'

const BATCHES = sizeOf('batches', 1_000_000, 1_000)
const BATCHES_PER_ACCOUNT = 10
const POINTS = 100
const CARS_PER_S = 50
const WARM_S = sizeOf('warming-seconds', 10, 1)
/** Lanes are measured over stretches of this length, alone and while points expire; all million take the job more than an hour, which nobody waits for. */
const STRETCH_S = sizeOf('stretch-seconds', 10, 3)
const STRETCHES = sizeOf('stretches', 30, 1)
const P99_MS = 50
/** No step holds what it changes for longer. */
const STEP_MS = 2_000
const LOOK_MS = 100

/** All points of a city expire on one night, while cars go on coming. */
export async function expiry(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const { appUrl } = await migrate(ownerUrl, openLog('warn'))
  await buildLanes(appUrl)
  const server = await startLaneServer(ownerUrl, dataDir, port)
  const lanes = await connectLanes(port)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await drive(lanes, CARS_PER_S, WARM_S, 'warm')
    await fill(owner)
    const alone = await many(lanes, 'alone')
    await begin(appUrl)
    const watch = watching(owner)
    const beside = await many(lanes, 'expiry')
    return rowsOf({ alone, beside, longestMs: await watch.longestMs(), ...(await booked(owner)) })
  } finally {
    for (const { client } of lanes) client.end(true)
    await end(server)
    await owner.end()
  }
}

interface Stretches {
  p99: number
  worst: number
}
/** Cars at an even rate for so many stretches: the p99 of all of them, and of the worst stretch. One that was not told is told too late. */
async function many(lanes: LaneAtWork[], name: string): Promise<Stretches> {
  const all: Driven[] = []
  while (all.length < STRETCHES) all.push(await drive(lanes, CARS_PER_S, STRETCH_S, `${name}-${all.length}`))
  const times = all.flatMap((one) => [...one.times, ...Array.from({ length: CARS_PER_S * STRETCH_S - one.told }, () => Infinity)])
  return { p99: shareOf(times, 0.99), worst: Math.max(...all.map(({ p99 }) => p99)) }
}

interface Found {
  alone: Stretches
  beside: Stretches
  longestMs: number
  expired: number
  different: number
}
const said = ({ p99, worst }: Stretches) => `${p99.toFixed(1)} ms (worst ${STRETCH_S} s ${worst.toFixed(1)} ms)`
const rowsOf = ({ alone, beside, longestMs, expired, different }: Found): Row[] => [
  {
    what: `Expiry: ${expired.toLocaleString('en')} of ${BATCHES.toLocaleString('en')} batches of points in ${STRETCHES * STRETCH_S} s, accounts that then differ from their ledger`,
    value: `${different}`,
    target: '0',
    kept: expired > 0 && different === 0,
  },
  { what: 'Expiry: the longest step seen', value: `${longestMs.toFixed(0)} ms`, target: `< ${STEP_MS} ms`, kept: longestMs < STEP_MS },
  { what: `Expiry: lanes at ${CARS_PER_S} cars/s, p99 alone`, value: said(alone) },
  { what: `Expiry: lanes at ${CARS_PER_S} cars/s, p99 meanwhile`, value: said(beside), target: `< ${P99_MS} ms`, kept: beside.p99 < P99_MS },
]

/** Each account has what its batches hold, and the ledger has it too. */
async function fill(owner: pg.Client): Promise<void> {
  await owner.query('begin')
  await owner.query('set local session_replication_role = replica')
  const accounts = Math.ceil(BATCHES / BATCHES_PER_ACCOUNT)
  for (const sql of [ACCOUNTS, HELD]) await owner.query(sql, [accounts, BATCHES])
  await owner.query(OLD, [BATCHES])
  await owner.query('commit')
  for (const table of ['coupon.points_account', 'coupon.points_batch', 'ledger.balance']) await owner.query(`vacuum analyze ${table}`)
}
const idOf = (n: string) => `md5('points' || ${n})::uuid`
const HAS = `${POINTS} * (select count(*) from generate_series(n, $2::int, $1::int))`
const ACCOUNTS = `insert into coupon.points_account (id, enterprise_id, phone, name, balance, total_earned)
  select ${idOf('n')}, 1, '150' || lpad(n::text, 8, '0'), '车主' || n, ${HAS}, ${HAS} from generate_series(1, $1::int) n`
const HELD = `insert into ledger.balance (enterprise_id, account, sub, park_code, stripe, debit_fen, credit_fen, guard)
  select 1, 'liability.points', ${idOf('n')}::text, '*', 0, 0, ${HAS}, 0 from generate_series(1, $1::int) n`
const OLD = `insert into coupon.points_batch (enterprise_id, account_id, biz_no, points, remaining, expire_at, at)
  select 1, ${idOf(`(1 + (n - 1) % ${Math.ceil(BATCHES / BATCHES_PER_ACCOUNT)})`)}, 'B' || n, ${POINTS}, ${POINTS}, now() - interval '1 hour', now() - interval '400 days' from generate_series(1, $1::int) n`

async function begin(appUrl: string): Promise<void> {
  const pool = openPool(appUrl, 1)
  await writing(pool, { enterprise: 1, parks: null }, { userId: null, userName: 'bench', via: 'bench', requestId: '' }, (tx) =>
    addJob(tx, expirePoints, {}, { key: expirePoints.name }),
  )
  await pool.end()
}

/** The longest transaction that writes an expiry, until it is asked. */
function watching(owner: pg.Client): { longestMs(): Promise<number> } {
  let isOver = false
  const longest = (async () => {
    let longestMs = 0
    while (!isOver) {
      const { rows } = await owner.query<{ ms: number }>(LOOK)
      longestMs = Math.max(longestMs, rows[0]!.ms)
      await pause(LOOK_MS)
    }
    return longestMs
  })()
  return {
    longestMs() {
      isOver = true
      return longest
    },
  }
}
const LOOK = `select coalesce((select max(extract(epoch from clock_timestamp() - a.xact_start)) * 1000 from pg_stat_activity a
    where exists (select from pg_locks l where l.pid = a.pid and l.relation = 'coupon.points_batch'::regclass and l.mode = 'RowExclusiveLock')), 0)::float8 as ms`

async function booked(owner: pg.Client): Promise<{ expired: number; different: number }> {
  const { rows } = await owner.query<{ expired: number; different: number }>(BOOKED)
  return rows[0]!
}
const BOOKED = `select (select count(*)::int from coupon.points_batch where remaining = 0) as expired,
  (select count(*)::int from coupon.points_account a where a.balance is distinct from
    (select sum(b.credit_fen - b.debit_fen) from ledger.balance b where b.enterprise_id = a.enterprise_id and b.account = 'liability.points' and b.sub = a.id::text)) as different`
