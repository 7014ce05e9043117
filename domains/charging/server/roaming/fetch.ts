import type { Instant } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { longTask, type Task } from '../../../../platform/server/job/jobs.ts'
import { HeardBy } from '../../contract/partnerStation.ts'
import { type Partner, partnerOf } from '../partner.ts'
import { theOperators, type Told } from '../partnerWire.ts'
import { keepPrices, keepStates, keepStations, operatorsOf, stationsKept, takeUnpriced } from './guns.ts'

/** So often all stations are asked for, so that one that is no more is known to be gone. */
const WHOLE_MS = 24 * 3_600_000
/** A partner's clock may be behind ours by so much. */
const BEHIND_MS = 10 * 60_000
/** Prices are asked for again after so long, of so many guns at a time: the partner is asked for each of them. */
const PRICES_MS = 6 * 3_600_000
const PRICES_MOST = 200
/** As many as the standard lets one question name. */
const STATES_MOST = 50

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
export interface Fetched {
  stations: number
  guns: number
  failure: string | null
}
/** Asks a partner for its stations, their states and prices, and keeps what it said; what it does not answer stays as it was. Every question is asked outside of any transaction. */
export async function fetchFrom(write: Write, platformId: string, { whole }: { whole: boolean }): Promise<Fetched> {
  const now = () => instantAt(Date.now())
  const began = now()
  const { partner, asked } = await write(async (tx) => ({ partner: await partnerOf(tx, platformId), asked: await lastAsked(tx, platformId) }))
  const all = whole || asked.wholeAt === null || msOf(began) - msOf(asked.wholeAt) > WHOLE_MS
  const since = all || asked.askedAt === null ? null : instantAt(msOf(asked.askedAt) - BEHIND_MS)
  const found = await theOperators().stations(partner, since)
  if (!found.ok) return failed(write, platformId, found)
  await write(async (tx) => {
    await keepStations(tx, platformId, found.value, { whole: all, at: began })
    await run(tx, { sql: ASKED }, [platformId, began, all ? began : null])
  })
  const states = await fetchStates(write, partner)
  if (!states.ok) return failed(write, platformId, states)
  const before = instantAt(Date.now() - (whole ? 0 : PRICES_MS))
  const guns = await write((tx) => takeUnpriced(tx, platformId, { before, most: PRICES_MOST, at: now() }))
  for (const connectorId of guns) {
    const prices = await theOperators().prices(partner, connectorId)
    // A partner that stopped answering is not asked two hundred times.
    if (!prices.ok && !prices.reached) return failed(write, platformId, prices)
    if (prices.ok) await write((tx) => keepPrices(tx, platformId, connectorId, prices.value, now()))
  }
  return { stations: found.value.length, guns: found.value.reduce((sum, one) => sum + one.guns.length, 0), failure: null }
}
async function failed(write: Write, platformId: string, told: Told<unknown>): Promise<Fetched> {
  const failure = told.ok ? null : told.said.slice(0, FAILURE_MAX)
  await write((tx) => run(tx, { sql: FAILED }, [platformId, failure]))
  return { stations: 0, guns: 0, failure }
}
const FAILURE_MAX = 500
const lastAsked = async (tx: Tx, platformId: string): Promise<{ askedAt: Instant | null; wholeAt: Instant | null }> =>
  (await run<{ askedAt: Instant | null; wholeAt: Instant | null }>(tx, { sql: LAST }, [platformId]))[0] ?? { askedAt: null, wholeAt: null }
const LAST = 'select asked_at, whole_at from charging.partner_asked where enterprise_id = scope_enterprise() and platform_id = $1'
const ASKED = `insert into charging.partner_asked (platform_id, asked_at, whole_at) values ($1, $2, $3)
  on conflict (enterprise_id, platform_id) do update set asked_at = excluded.asked_at, whole_at = coalesce(excluded.whole_at, charging.partner_asked.whole_at), failure = null`
const FAILED = `insert into charging.partner_asked (platform_id, failure) values ($1, $2) on conflict (enterprise_id, platform_id) do update set failure = excluded.failure`

/** States are pushed; asked for as well, so that one that was lost on the way is known a few minutes later. */
async function fetchStates(write: Write, partner: Partner): Promise<Told<null>> {
  const ids = await write((tx) => stationsKept(tx, partner.platformId))
  for (let from = 0; from < ids.length; from += STATES_MOST) {
    const at = instantAt(Date.now())
    const told = await theOperators().states(partner, ids.slice(from, from + STATES_MOST))
    if (!told.ok) return told
    await write((tx) => keepStates(tx, partner.platformId, told.value, { by: HeardBy.queried, at }))
  }
  return { ok: true, value: null }
}

/** Every few minutes, each partner that has stations. One that does not answer holds up no other. */
export const fetchTask: Task = {
  ...longTask('charging.partner-stations', async ({ enterprise, house }) => {
    const write: Write = (work) => house.writing(enterprise, 'charging.partner-stations', work)
    for (const platformId of await write(operatorsOf))
      await fetchFrom(write, platformId, { whole: false }).catch((error: Error) =>
        house.log.warn({ err: error, platformId }, 'A partner’s stations could not be fetched.'),
      )
  }),
  every: '*/5 * * * *',
}
