import { execFileSync, type ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import pg from 'pg'
import { end, PORTS, startFloor, startServer } from './child.ts'
import { cpuSeconds } from './cpu.ts'
import { bytesOf, loadOf } from './load.ts'
import { type Clients, pgbench } from './pgbench.ts'
import { sizeOf } from './size.ts'
import type { Row } from './table.ts'
import { median } from './table.ts'

/** Usually a million; 100,000 and ten million show how it grows. */
export const STAYS = sizeOf('stays', 1_000_000, 6_000)
const PARKS = 20
const DAYS = 180
const CLIENTS = 8
const ROUNDS = sizeOf('rounds', 5, 1)
const SECONDS = sizeOf('seconds', 3, 1)
/** Of single stays: one script of pgbench each, and it takes no more than 128. */
const IDS = 120
export const PASSWORD = 'bench-password'

/** Every figure about lists and details, on one database with one server; rounds are interleaved so that a disturbance meets all alike. */
export async function lists(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const server = await startDemoServer(ownerUrl, dataDir, port)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await fill(owner)
    return await measured({ ownerUrl, owner, port, server, postgres: await postmasterOf(owner) })
  } finally {
    await owner.end()
    await end(server)
  }
}

interface Bench {
  ownerUrl: string
  owner: pg.Client
  port: number
  server: ChildProcess
  postgres: number
}

/** Somebody can sign in. */
export const startDemoServer = (ownerUrl: string, dataDir: string, port: number): Promise<ChildProcess> =>
  startServer(ownerUrl, dataDir, port, { DEMO: 'small', DEMO_PASSWORD: PASSWORD })

/** Twenty parks of enterprise 1, half a year of stays, nine of ten of them over. Once: a second run finds them. */
export async function fill(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query(`select count(*)::int n from parking.park where park_code like 'B%'`)
  if (rows[0].n === PARKS) return
  await owner.query('begin')
  await owner.query(`set local session_replication_role = replica`)
  await owner.query(
    `insert into parking.park (enterprise_id, park_code, name, p_type, region_code, total_bays) select 1, 'B' || lpad(i::text, 3, '0'), 'Bench ' || i, 1, '420607', 500 from generate_series(1, $1) i`,
    [PARKS],
  )
  await owner.query(`insert into parking.stay (enterprise_id, park_code, plate_no, plate_color, vehicle_class, car_kind_in, entry_gate, entry_time, entry_mode, exit_gate, exit_time, exit_mode,
      duration_min, status, pay_state, receivable_fen, payable_fen, paid_fen, settled_fen)
    select 1, 'B' || lpad((1 + (i::bigint * 7919) % ${PARKS})::text, 3, '0'), '鄂F' || upper(substr(md5(i::text), 1, 5)), 0, 1, 9, 'G01', came, 1,
      case when i % 10 > 0 then 'G02' end, case when i % 10 > 0 then came + interval '95 min' end, case when i % 10 > 0 then 1 end,
      case when i % 10 > 0 then 95 end, case when i % 10 > 0 then 3 else 1 end, case when i % 10 > 0 then 2 else 0 end, fee, fee, fee, fee
    from (select i, now() - interval '${DAYS} days' + i * (interval '${DAYS} days' / ${STAYS}) as came, case when i % 10 > 0 then 500 + i % 20 * 100 else 0 end fee from generate_series(1, ${STAYS}) i) s`)
  await owner.query('commit')
  await owner.query('vacuum analyze parking.stay')
  // The operator of the demo becomes the person who may see ten parks.
  await owner.query(
    `update identity.role set data_scope = 6, parks = $1 where id in (select role_id from identity.person_role pr join identity.person p on p.id = pr.person_id where p.username = 'operator')`,
    [Array.from({ length: 10 }, (_, i) => `B${String(i + 1).padStart(3, '0')}`)],
  )
}

const postmasterOf = async (owner: pg.Client) => {
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() pid')
  const stat = execFileSync('ps', ['-o', 'ppid=', '-p', String(rows[0]!.pid)], { encoding: 'utf8' })
  return Number(stat.trim())
}

async function measured(bench: Bench): Promise<Row[]> {
  const { ownerUrl, owner, port, server, postgres } = bench
  const columns = (
    await owner.query(`select string_agg(column_name, ', ') c from information_schema.columns where table_schema = 'parking' and table_name = 'stay'`)
  ).rows[0].c as string
  const ids = (await owner.query<{ id: string }>(`select id from parking.stay where park_code like 'B%' limit ${IDS}`)).rows.map(({ id }) => id)
  const tokens = { all: await signIn(port, 'admin'), ten: await signIn(port, 'operator') }
  const from = new Date(Date.now() - 70 * 86_400_000).toISOString().slice(0, 19) + 'Z'
  const to = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 19) + 'Z'
  const list = pagesOf(port, from, to)
  const within = `park_code = 'B' || lpad(:p::text, 3, '0') and status = 3 and seen_at >= '${from}' and seen_at <= '${to}' and third_platform is null`
  const floor = (offset: number, where = `enterprise_id = 1 and ${within}`) => pageScript(columns, where, offset)
  const bare = await startBare(bench, columns, from, to)
  const loaded = (pid: number, url: string, next: () => Buffer) => async () => {
    const before = cpuSeconds(pid) + cpuSeconds(postgres)
    const { perSecond, requests } = await loadOf(url, CLIENTS, SECONDS, next)
    return { perSecond, cpuMs: ((cpuSeconds(pid) + cpuSeconds(postgres) - before) / requests) * 1000 }
  }
  const ours = (next: () => Buffer) => loaded(server.pid!, `http://127.0.0.1:${port}`, next)
  const floorOf = floorsOf(ownerUrl)
  const runsOfSigns = await signsOf(owner)
  // Compared runs stand side by side: a moment later the machine may be another one.
  const runs: Record<string, () => Promise<{ perSecond: number; cpuMs: number }>> = {
    // The policy says the enterprise. Said twice it costs a tenth: each row then passes a check that the two are the same.
    'floor W1, policies': floorOf([floor(0, within)], { policies: true }),
    'W1 capped': ours(list(tokens.all, PARKS, '')),
    'floor W1': floorOf([floor(0)]),
    'W1 exact': ours(list(tokens.all, PARKS, '&exactTotal=true')),
    bare: loaded(bare.process.pid!, bare.url, bare.next),
    'W1 capped, ten parks': ours(list(tokens.ten, 10, '')),
    'W1 exact, ten parks': ours(list(tokens.ten, 10, '&exactTotal=true')),
    'W1 page 500': ours(list(tokens.all, PARKS, '&current=500')),
    'floor W1, page 500': floorOf([floor(9980)]),
    'W1 page 500, ten parks': ours(list(tokens.ten, 10, '&current=500')),
    'floor W2': floorOf(
      ids.map((_, i) => `select ${columns} from parking.stay where enterprise_id = 1 and id = :id${i};\n`),
      { parameters: Object.fromEntries(ids.map((id, i) => [`id${i}`, id])) },
    ),
    W2: ours(
      recordsAsked(
        port,
        tokens.all,
        ids.map((id) => `queryDetail?id=${id}`),
      ),
    ),
    'floor W3': floorOf([plateScript(columns, runsOfSigns)]),
    W3: ours(
      recordsAsked(
        port,
        tokens.all,
        runsOfSigns.map((signs) => `queryPage?plateNo=${signs}`),
      ),
    ),
  }
  const found = Object.fromEntries(Object.keys(runs).map((name) => [name, { perSecond: [], cpuMs: [] } as Found]))
  for (const run of Object.values(runs)) await run() // warm: plans, caches, compiled code
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, run] of Object.entries(runs)) {
      const { perSecond, cpuMs } = await run()
      found[name]!.perSecond.push(perSecond)
      found[name]!.cpuMs.push(cpuMs)
    }
  await end(bare.process)
  return rowsOf(found)
}

/** Page after page of other parks. */
const pagesOf = (port: number, from: string, to: string) => (token: string, parks: number, more: string) => {
  const requests = Array.from({ length: parks }, (_, i) =>
    bytesOf({
      host: `127.0.0.1:${port}`,
      method: 'GET',
      path: `/lbs/fee/parkRecord/queryPage?parkCode=B${String(i + 1).padStart(3, '0')}&status=3&entryTimeFrom=${from}&entryTimeTo=${to}${more}`,
      headers: { authorization: `Bearer ${token}` },
    }),
  )
  let turn = 0
  return () => requests[turn++ % requests.length]!
}

/** A page and its exact total, of another park each time. */
const pageScript = (columns: string, where: string, offset: number) => `\\set p random(1, ${PARKS})
select ${columns} from parking.stay where ${where} order by seen_at desc, id desc limit 20 offset ${offset};
select count(*) from parking.stay where ${where};
`

/** Any four signs that stand side by side in a plate, of plates all over the table. */
async function signsOf(owner: pg.Client): Promise<string[]> {
  const sql = `select distinct substr(plate_no, 3 + (row_number() over ())::int % 2, 4) as signs from (select plate_no from parking.stay where park_code like 'B%' order by id limit 4000) s limit 500`
  return (await owner.query<{ signs: string }>(sql)).rows.map(({ signs }) => signs)
}
/** The newest twenty stays of the plates that have them, and how many there are, up to 1,001: the plates are looked up once, as ours are. */
const plateScript = (columns: string, signs: readonly string[]) => {
  const where = `enterprise_id = 1 and plate_no = any ((select plates from p)::text[]) and third_platform is null and status <> 9`
  return `\\set n random(0, ${signs.length - 1})
with p as materialized (select array(select distinct plate_no from platform.plate_ending where enterprise_id = 1 and ending ^@ (array['${signs.join("','")}'])[:n + 1] limit 1001) as plates),
  k as materialized (select seen_at, id from parking.stay where ${where} order by seen_at desc, id desc limit 20)
select ${columns
    .split(', ')
    .map((column) => `t.${column}`)
    .join(', ')}, (select count(*) from (select 1 from parking.stay where ${where} limit 1001) as counted)
  from k join parking.stay t on t.id = k.id order by k.seen_at desc, k.id desc;
`
}
/** One after the other, and round again. */
function recordsAsked(port: number, token: string, wanted: readonly string[]): () => Buffer {
  const headers = { authorization: `Bearer ${token}` }
  const requests = wanted.map((one) => bytesOf({ host: `127.0.0.1:${port}`, method: 'GET', path: `/lbs/fee/parkRecord/${one}`, headers }))
  let turn = 0
  return () => requests[turn++ % requests.length]!
}
const floorsOf =
  (ownerUrl: string) =>
  (scripts: readonly string[], more: Pick<Clients, 'policies' | 'parameters'> = {}) =>
  async () => ({ perSecond: pgbench(ownerUrl, scripts, { clients: CLIENTS, seconds: SECONDS, ...more }), cpuMs: 0 })

/** Of each round, in order. */
interface Found {
  perSecond: number[]
  cpuMs: number[]
}
/** Ratios are those within a round, their median: the machine is not as fast in each. */
function rowsOf(found: Record<string, Found>): Row[] {
  const rate = (name: string) => median(found[name]!.perSecond)
  const cpu = (name: string) => median(found[name]!.cpuMs)
  const within = (what: keyof Found, of: string, floor: string) => median(found[of]![what].map((one, round) => one / found[floor]![what][round]!))
  const ratio = (what: string, of: string, floor: string, target: number): Row => {
    const share = within('perSecond', of, floor)
    return {
      what: `${what} (${rate(of).toFixed(0)}/s against ${rate(floor).toFixed(0)}/s)`,
      value: share.toFixed(2),
      target: `≥ ${target} of pgbench`,
      kept: share >= target,
    }
  }
  const cpuRatio = within('cpuMs', 'W1 exact', 'bare')
  const policies = 1 - within('perSecond', 'floor W1, policies', 'floor W1')
  return [
    ratio('W1 page 1, exact total', 'W1 exact', 'floor W1', 0.55),
    ratio('W1 page 1, total capped at 1,000', 'W1 capped', 'floor W1', 2.2),
    ratio('W1 page 500, total capped', 'W1 page 500', 'floor W1, page 500', 3),
    ratio('W1 page 1, exact total, role of ten parks', 'W1 exact, ten parks', 'floor W1', 0.275),
    ratio('W1 page 1, capped, role of ten parks', 'W1 capped, ten parks', 'floor W1', 1.1),
    ratio('W1 page 500, capped, role of ten parks', 'W1 page 500, ten parks', 'floor W1, page 500', 1.5),
    ratio('W2 one stay by id', 'W2', 'floor W2', 0.16),
    ratio('W3 a plate by any four of its signs, newest 20', 'W3', 'floor W3', 0.6),
    {
      what: `W1 exact, CPU per request against bare node:http + pg (${cpu('W1 exact').toFixed(2)} ms, ${cpu('bare').toFixed(2)} ms)`,
      value: cpuRatio.toFixed(2),
      target: '≤ 1.6',
      kept: cpuRatio <= 1.6,
    },
    { what: 'Row-level security: what it takes off the same SQL through pgbench', value: `${(policies * 100).toFixed(0)} %` },
  ]
}

export async function signIn(port: number, username: string): Promise<string> {
  const password = hash('sha256', `${username}:${PASSWORD}`)
  const reply = await fetch(`http://127.0.0.1:${port}/lbs/security/authentication/form`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  })
  const { access_token: token, message } = (await reply.json()) as { access_token?: string; message: string }
  if (!token) throw new Error(`${username} cannot sign in: ${message}`)
  return token
}

/** Serves the same page with nothing around it: node:http, a pool, two prepared statements, JSON. */
async function startBare({ ownerUrl, port }: Bench, columns: string, from: string, to: string) {
  const at = port + PORTS.floor
  const child = await startFloor('bare.ts', [ownerUrl, columns, from, to], at)
  let turn = 0
  const requests = Array.from({ length: PARKS }, (_, i) =>
    bytesOf({ host: `127.0.0.1:${at}`, method: 'GET', path: `/?p=B${String(i + 1).padStart(3, '0')}` }),
  )
  return { process: child, url: `http://127.0.0.1:${at}`, next: () => requests[turn++ % requests.length]! }
}
