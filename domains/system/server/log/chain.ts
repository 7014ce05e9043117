import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { enterpriseOf, run, type Tx } from '../../../../platform/server/database.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import type { Log } from '../../../../platform/server/log.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { type LogChain, LogKind } from '../../contract/log.ts'
import { headKey, noteHead, notedHeads } from './chainHeads.ts'
import '../tables.ts'
import { chainTopic } from '../topics.ts'

const LOGS = Object.keys(LogKind.entries).map(Number)
/** Days that one night seals of one log; an installation that slept for a year is whole again after a night. */
const DAYS_MOST = 400
/** Every day of the last month is looked at each night, and each older day once a month. */
const RECENT_DAYS = 31

let warn: Log['error'] | undefined
/** Where a broken chain is told besides the page. */
export const warnIn = (log: Log) => void (warn = log.error.bind(log))

/** At night, in the city's time: yesterday is sealed, and the chain is looked at. */
export const sealAndCheck = task(
  'system.log-chains',
  async ({ tx, at }) => {
    const yesterday = dayOf(instantAt(msOf(at) - DAY_MS))
    for (const log of LOGS) {
      await run(tx, { sql: SEAL }, [log, enterpriseOf(tx), yesterday, DAYS_MOST])
      await check(tx, log, at, { all: false })
      await noteLast(tx, log)
    }
    await tell(tx, chainTopic, {})
  },
  { every: '40 17 * * *' },
)
/** By the database's clock as well: a day that another clock takes for over would be sealed while lines are still being written to it. */
const SEAL = `select system.seal_log($1, $2, least($3::date, (now() at time zone 'Asia/Shanghai')::date - 1), $4)`
/** Checks every day now, at the request of a person. */
export const checkAll = task('system.log-chains-check', async ({ tx, at }) => {
  for (const log of LOGS) await check(tx, log, at, { all: true })
  await tell(tx, chainTopic, {})
})

/** Notes the last digest of a chain outside the database, once. */
async function noteLast(tx: Tx, log: number): Promise<void> {
  const enterprise = enterpriseOf(tx)
  const [last] = await run<{ day: string; head: string }>(tx, { sql: LAST }, [enterprise, log])
  if (!last || (await notedHeads(enterprise)).has(headKey(log, last.day))) return
  await noteHead(enterprise, log, last.day, last.head)
}
const LAST = `select day, encode(chain, 'hex') as head from system.log_seal where enterprise_id = $1 and log = $2 order by day desc limit 1`

interface Seal {
  day: string
  lines: number
  digest: Buffer
  chain: Buffer
}
/** The first day whose head was noted otherwise than the chain says now. */
async function madeAnew(enterprise: number, log: number, seals: readonly Seal[]): Promise<string | null> {
  const heads = await notedHeads(enterprise)
  const found = seals.find(({ day, chain }) => (heads.get(headKey(log, day)) ?? chain.toString('hex')) !== chain.toString('hex'))
  return found?.day ?? null
}
const earlier = (one: string | null, other: string | null) => (one !== null && (other === null || one < other) ? one : other)

async function check(tx: Tx, log: number, at: Instant, { all }: { all: boolean }): Promise<void> {
  const enterprise = enterpriseOf(tx)
  const [link] = await run<{ day: string | null }>(tx, { sql: 'select system.broken_link($1, $2) as day' }, [log, enterprise])
  const seals = await run<Seal>(
    tx,
    { sql: 'select day, lines, digest, chain from system.log_seal where enterprise_id = $2 and log = $1 order by day' },
    [log, enterprise],
  )
  const today = Math.floor(msOf(at) / DAY_MS)
  const due = seals.filter(({ day }) => {
    const age = today - Date.parse(day) / DAY_MS
    return all || age <= RECENT_DAYS || age % RECENT_DAYS === today % RECENT_DAYS
  })
  let broken = earlier(link?.day ?? null, await madeAnew(enterprise, log, seals))
  for (const { day, lines, digest } of due) {
    if (broken !== null && broken <= day) break
    const [now] = await run<{ lines: number; digest: Buffer }>(tx, { sql: 'select * from system.day_digest($1, $2, $3)' }, [log, enterprise, day])
    if (now!.lines !== lines || !now!.digest.equals(digest)) broken = day
  }
  if (broken !== null)
    warn?.({ log: LogKind.entries[log as 1][1], enterprise, day: broken }, 'A log is not what was sealed: somebody has changed it.')
  await run(
    tx,
    {
      sql: `insert into system.log_check (log, checked_at, days, broken_day) values ($1, $2, $3, $4)
        on conflict (enterprise_id, log) do update set checked_at = excluded.checked_at, days = excluded.days, broken_day = excluded.broken_day`,
    },
    [log, at, seals.length, broken],
  )
}

/** The chains of the enterprise's logs, each with its last link. */
export const chainsOf = (tx: Tx) => run<Of<typeof LogChain>>(tx, { sql: CHAINS }, [LOGS])
const CHAINS = `select asked.log, coalesce(s.days, 0)::int as days, coalesce(s.lines, 0)::int as lines, s.sealed_to, encode(s.head, 'hex') as head, c.checked_at, c.broken_day
  from unnest($1::int[]) asked (log)
  left join lateral (select count(*) as days, sum(lines) as lines, max(day) as sealed_to, (array_agg(chain order by day desc))[1] as head
    from system.log_seal where enterprise_id = scope_enterprise() and log_seal.log = asked.log) s on true
  left join system.log_check c on c.enterprise_id = scope_enterprise() and c.log = asked.log order by 1`
