import pg from 'pg'
import type { Of } from '../platform/contract/field.ts'
import { report } from '../domains/settlement/contract/report.ts'
import { FIGURES } from '../domains/settlement/server/report/report.ts'
import { end } from './child.ts'
import { fill, signIn, startDemoServer } from './lists.ts'
import { bytesOf, loadOf } from './load.ts'
import { pgbench } from './pgbench.ts'
import { sizeOf } from './size.ts'
import { median, type Row } from './table.ts'

/** Payments of one day, over twenty parks. */
const PAYMENTS = sizeOf('payments', 200_000, 2_000)
const PARKS = 20
/** The ledger's kept sums are written by so many connections beside one another. */
const STRIPES = 8
const CLIENTS = 8
const SECONDS = sizeOf('seconds', 3, 1)
const ROUNDS = sizeOf('rounds', 5, 1)
const FASTER = 4
const DAY = '2025-03-04'
const BEGIN = `timestamptz '${DAY} 00:00:00+08'`

type Hours = Of<typeof report.hours.reply>

/** One day's count and revenue by park and hour: through the real call, which reads the sums that the ledger keeps, and worked out from the day's lines through pgbench. */
export async function rollup(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const server = await startDemoServer(ownerUrl, dataDir, port)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await fill(owner)
    await post(owner)
    const token = await signIn(port, 'admin')
    const path = `/lbs/${report.hours.service}${report.hours.path}?day=${DAY}`
    const headers = { authorization: `Bearer ${token}` }
    const told = ((await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json()) as { data: Hours }).data
    const same = isSame(told, (await owner.query(COMPUTED)).rows)
    const asked = bytesOf({ host: `127.0.0.1:${port}`, method: 'GET', path, headers })
    const rounds: { kept: number; computed: number }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const { perSecond: kept } = await loadOf(`http://127.0.0.1:${port}`, CLIENTS, SECONDS, () => asked)
      rounds.push({ kept, computed: pgbench(ownerUrl, [`${COMPUTED};\n`], { clients: CLIENTS, seconds: SECONDS }) })
    }
    // The first one warms.
    const counted = rounds.slice(1)
    const ratio = median(counted.map(({ kept, computed }) => kept / computed))
    const rate = (of: 'kept' | 'computed') => median(counted.map((one) => one[of])).toFixed(1)
    return [
      {
        what: `W4 one day by park and hour, ${PAYMENTS} payments (${rate('kept')}/s against ${rate('computed')}/s computed)`,
        value: ratio.toFixed(1),
        target: `≥ ${FASTER} × the computed query`,
        kept: ratio >= FASTER && same,
      },
      { what: `W4: ${told.length} hours of parks, the same by both`, value: same ? 'yes' : 'no', target: 'yes', kept: same },
    ]
  } finally {
    await owner.end()
    await end(server)
  }
}

/** As postings are: paid at a channel or in cash, one in ten with a coupon. The kept sums are those of the lines, in stripes. Once: a second run finds them. */
async function post(owner: pg.Client): Promise<void> {
  const found = await owner.query(
    `select count(*)::int n from ledger.line where enterprise_id = 1 and account = 'income.parking' and at >= ${BEGIN} and at < ${BEGIN} + interval '1 day'`,
  )
  if (found.rows[0].n === PAYMENTS) return
  await owner.query('begin')
  await owner.query('set local session_replication_role = replica')
  await owner.query(`delete from ledger.line where enterprise_id = 1 and at >= ${BEGIN} and at < ${BEGIN} + interval '1 day'`)
  await owner.query(`delete from ledger.hourly where enterprise_id = 1 and day = '${DAY}'`)
  await owner.query(`insert into ledger.line (enterprise_id, entry_id, seq, at, park_code, business, account, sub, debit_fen, credit_fen)
    select 1, md5('bench ' || i)::uuid, l.seq, ${BEGIN} + i * (interval '1 day' / ${PAYMENTS + 1}), 'B' || lpad((1 + (i::bigint * 7919) % ${PARKS})::text, 3, '0'), 'parking', l.account, l.sub, l.debit, l.credit
    from generate_series(1, ${PAYMENTS}) i cross join lateral (values
      (1, case when i % 5 = 0 then 'asset.cash' else 'asset.channel' end, case when i % 5 = 0 then 'bench' else 'wechat' end, 500 + i % 20 * 100 - case when i % 10 = 0 then 200 else 0 end, 0),
      (2, 'income.parking', '', 0, 500 + i % 20 * 100), (3, 'contra.discount', '', case when i % 10 = 0 then 200 else 0 end, 0)) l (seq, account, sub, debit, credit)
    where l.debit + l.credit > 0`)
  await owner.query(`insert into ledger.hourly (enterprise_id, day, hour, park_code, business, account, stripe, debit_fen, credit_fen, debits, credits)
    select 1, day, ledger.hour_of(at), park_code, business, account, (hashtext(entry_id::text) & ${STRIPES - 1})::smallint, sum(debit_fen), sum(credit_fen),
      count(*) filter (where debit_fen > 0), count(*) filter (where credit_fen > 0)
    from ledger.line where enterprise_id = 1 and at >= ${BEGIN} and at < ${BEGIN} + interval '1 day' group by 1, 2, 3, 4, 5, 6, 7`)
  await owner.query('commit')
  await owner.query('vacuum analyze ledger.line, ledger.hourly')
}

/** The same figures out of the lines: nothing is kept. */
const COMPUTED = `select f.*, f.paid_fen - f.refund_fen as net_fen from (select d.hour, d.park_code, ${FIGURES} from (
    select ledger.hour_of(at) as hour, park_code, account, sum(debit_fen) as debit_fen, sum(credit_fen) as credit_fen, count(*) filter (where credit_fen > 0) as credits
    from ledger.line where enterprise_id = 1 and business = 'parking' and at >= ${BEGIN} and at < ${BEGIN} + interval '1 day' group by 1, 2, 3) d
  group by d.hour, d.park_code) f order by f.hour, f.park_code`

const isSame = (told: Hours, rows: readonly Record<string, string | number>[]): boolean =>
  told.length > 0 &&
  told.length === rows.length &&
  told.every((one, i) => {
    const row = rows[i]!
    return one.hour === row['hour'] && one.parkCode === row['park_code'] && one.orders === row['orders'] && one.netFen === Number(row['net_fen'])
  })
