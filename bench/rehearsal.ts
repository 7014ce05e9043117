import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { end } from './child.ts'
import { signIn, startDemoServer } from './lists.ts'
import { sizeOf } from './size.ts'
import { median, type Row } from './table.ts'

const STAYS = sizeOf('stays', 300_000, 2_000)
const PARKS = 20
const DAYS = 30
const SECONDS_MOST = 20
const VERDICT_MS_MOST = 50
const ASKED = 20

/** A draft over 300,000 stays of the last thirty days, by its own rule and among those of another; and what a person who would publish waits for. */
export async function rehearsal(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const server = await startDemoServer(ownerUrl, dataDir, port)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const ask = asking(port, await signIn(port, 'admin'))
    const rule = await published(ask, 200)
    const idle = await published(ask, 200)
    await fill(owner, rule)
    const copied = await secondsOf(() => owner.query(`select count(*), sum(length(s::text)) from parking.stay s where rule_version_id = $1`, [rule]))
    const first = await draftOf(ask, rule, { unitFen: 250 })
    const plain = await rehearsed(ask, first)
    const { rule: draftNow } = await ask('GET', `/feeRule/detail?id=${first}`)
    await ask('POST', '/feeRule/update', { id: first, version: draftNow.version, freeMin: 60, freeTimesPerDay: 1 })
    const counted = await rehearsed(ask, first)
    // Nothing was ever charged by it, so whoever looks for a stay of it finds none.
    const draft = await draftOf(ask, idle, { unitFen: 250 })
    const waits = [] as number[]
    for (let i = 0; i < ASKED; i++) waits.push((await secondsOf(() => ask('GET', `/feeRehearsal/verdict?ruleVersionId=${draft}`))) * 1000)
    const seconds = (what: string, { took, of }: Rehearsed): Row => ({
      what: `Rehearsal of ${of.staysTotal.toLocaleString('en')} stays, ${what}; ${of.dearerStays + of.cheaperStays} change`,
      value: `${took.toFixed(1)} s`,
      target: `≤ ${SECONDS_MOST} s`,
      kept: took <= SECONDS_MOST && of.staysTotal === STAYS && of.unlikeStays === 0,
    })
    return [
      { what: `Rehearsal: the same stays read whole by one statement`, value: `${copied.toFixed(1)} s` },
      seconds('another price', plain),
      seconds('free minutes once a day', counted),
      {
        what: 'Is the draft of a rule without stays to be rehearsed first? (median)',
        value: `${median(waits).toFixed(1)} ms`,
        target: `≤ ${VERDICT_MS_MOST} ms`,
        kept: median(waits) <= VERDICT_MS_MOST,
      },
    ]
  } finally {
    await owner.end()
    await end(server)
  }
}

type Ask = <T = any>(method: string, address: string, body?: object) => Promise<T>
const asking =
  (port: number, token: string): Ask =>
  async (method, address, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const reply = await fetch(`http://127.0.0.1:${port}/lbs/fee${address}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const { data, message } = (await reply.json()) as { data: never; message: string }
    if (!reply.ok) throw new Error(`${address}: ${message}`)
    return data
  }
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** By the started hour, in force since long ago. */
async function published(ask: Ask, unitFen: number): Promise<string> {
  const { id } = await ask('POST', '/feeRule/insert', { name: `bench ${Math.random()}`, freeMin: 0 })
  const segment = await ask('POST', '/feeSegment/insert', { ruleVersionId: id, from: '00:00', to: '24:00', mode: 2 })
  await ask('POST', '/feeHour/insert', { segmentId: segment.id, unitMin: 60, unitFen })
  const { rule } = await ask('GET', `/feeRule/detail?id=${id}`)
  await ask('POST', '/feeRule/publish', { id, version: rule.version, effectiveFrom: '2026-01-01 00:00:00' })
  return id
}
async function draftOf(ask: Ask, rule: string, { unitFen }: { unitFen: number }): Promise<string> {
  const { id } = await ask('POST', '/feeRule/revise', { id: rule })
  const [segment] = (await ask('POST', '/feeSegment/queryPage', { ruleVersionId: id })).records
  const [hour] = (await ask('POST', '/feeHour/queryPage', { segmentId: segment.id })).records
  await ask('POST', '/feeHour/update', { id: hour.id, version: hour.version, unitFen })
  return id
}

/** Cars that come twice a day on average, one minute to ten hours each, charged by the started hour. */
async function fill(owner: pg.Client, rule: string): Promise<void> {
  await owner.query('begin')
  await owner.query('set local session_replication_role = replica')
  await owner.query(
    `insert into parking.park (enterprise_id, park_code, name, p_type, region_code, total_bays) select 1, 'Q' || lpad(i::text, 3, '0'), 'Bench ' || i, 1, '420607', 500 from generate_series(1, $1) i`,
    [PARKS],
  )
  await owner.query(
    `insert into parking.stay (enterprise_id, park_code, plate_no, plate_color, vehicle_class, car_kind_in, entry_time, entry_mode, exit_time, exit_mode, duration_min, status, pay_state,
        receivable_fen, payable_fen, paid_fen, settled_fen, rule_version_id)
      select 1, 'Q' || lpad((1 + i % ${PARKS})::text, 3, '0'), '鄂F' || lpad((i % 100000)::text, 5, '0'), 0, 1, 9, came, 1, came + minutes * interval '1 min', 1, minutes, 3, 2, fee, fee, fee, fee, $1
      from (select i, date_trunc('minute', now()) - interval '${DAYS} days' + interval '1 hour' + i * (interval '${DAYS - 1} days' / ${STAYS}) as came, 1 + i % 600 as minutes, ceil((1 + i % 600) / 60.0) * 200 as fee
        from generate_series(1, ${STAYS}) i) s`,
    [rule],
  )
  await owner.query('commit')
  await owner.query('vacuum analyze parking.stay')
}

interface Rehearsed {
  took: number
  of: { state: number; staysTotal: number; unlikeStays: number; dearerStays: number; cheaperStays: number }
}
async function rehearsed(ask: Ask, ruleVersionId: string): Promise<Rehearsed> {
  const began = performance.now()
  await ask('POST', '/feeRehearsal/start', { ruleVersionId, days: DAYS })
  for (;;) {
    const [of] = (await ask('POST', '/feeRehearsal/queryPage', { ruleVersionId, limit: 1 })).records
    if (of.state === 3) return { took: (performance.now() - began) / 1000, of }
    if (of.state > 3) throw new Error(`The rehearsal ended in state ${of.state}.`)
    await pause(100)
  }
}
