import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { reading, run, type Scope, type Tx } from '../../../platform/server/database.ts'
import type { House } from '../../../platform/server/domain.ts'
import { addJob, longTask, type Task, task } from '../../../platform/server/job/jobs.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { json, lockRow, setRow } from '../../../platform/server/row.ts'
import { Rehearsal, rehearsalSearch, RehearsalState } from '../contract/rehearsal.ts'
import { type Rule, RuleStatus } from '../contract/rule.ts'
import type { Tariff } from '../contract/tariff.ts'
import { tariffOfVersion } from './api.ts'
import { calendarOf } from './holiday.ts'
import { freeTimesApart, type PastStay, type PastStays, pastStays, pastStaysAny, pastStaysCount, stayTerms, type StayTerms } from './questions.ts'
import { type BatchPriced, openPricing, type Pricing, type Turn } from './rehearsalPricing.ts'
import { openSums } from './rehearsalSums.ts'
import './tables.ts'

/** Read, priced and written in one go: each part of it takes the loop a few milliseconds. */
const BATCH = 1_000
/** In one process: each has a thread, and holds one of the four workers. */
const RUNNING_MAX = 1
const LATER_MS = 2_000
const KEPT = '90 days'
/** A process that died over a rehearsal leaves it to the next one; one that ends them all is not met again. */
const BEGUN_MAX = 3
/** A batch is over in half a minute at most, so one that nobody has touched for so long has nobody any more. Others wait behind long ones. */
const LEFT_ALONE = '10 minutes'
const WAITED = '6 hours'
const DAY_MS = 86_400_000

export const rehearsals = listOver(Rehearsal, 'fee.rehearsal', rehearsalSearch)
let house: House | undefined
/** Said once at start: how the job reaches the database. */
export const rehearsalsIn = (of: House) => void (house = of)

/** Which stays a draft is tried over: those of its rule's earlier versions; of a rule that never was in force, those of the parks that were named. */
export async function staysFor(
  tx: Tx,
  draft: Of<typeof Rule>,
  { parkCodes, from, to }: { parkCodes: readonly string[]; from: Instant; to: Instant },
): Promise<PastStays> {
  const earlier = await run<{ id: string }>(
    tx,
    { sql: `select id from fee.rule where enterprise_id = scope_enterprise() and rule_id = $1 and status <> ${RuleStatus.draft}` },
    [draft.ruleId],
  )
  const ruleVersionIds = earlier.map(({ id }) => id)
  return { from, to, vehicleClasses: draft.vehicleClasses, ...(ruleVersionIds.length && { ruleVersionIds }), ...(parkCodes.length && { parkCodes }) }
}
/** The answer of the only domain that answers: parking. */
const asked = async <T>(answers: Promise<{ answer: T }[]>) => (await answers).map(({ answer }) => answer)

/** Has the rule been charged lately? Its next version is then rehearsed first. */
export async function wasCharged(tx: Tx, draft: Of<typeof Rule>, at: Instant): Promise<boolean> {
  const from = new Date(Date.parse(at) - LATELY_DAYS * DAY_MS).toISOString() as Instant
  const stays = await staysFor(tx, draft, { parkCodes: [], from, to: at })
  return stays.ruleVersionIds !== undefined && (await asked(pastStaysAny.ask(tx, stays))).some(Boolean)
}
const LATELY_DAYS = 30

let running = 0
export const rehearse: Task<{ id: string }> = longTask<{ id: string }>('fee.rehearse', async ({ enterprise, data: { id } }) => {
  if (running >= RUNNING_MAX) {
    const later = new Date(Date.now() + LATER_MS)
    return house!.writing(enterprise, 'fee.rehearse', (tx) => addJob(tx, rehearse, { id }, { runAt: later }))
  }
  running++
  try {
    await rehearsed(enterprise, id)
  } finally {
    running--
  }
})
export const rehearsalTasks = [
  rehearse,
  task('fee.forget-rehearsals', forget, { every: '50 18 * * *' }),
  task('fee.give-up-rehearsals', giveUp, { every: '*/5 * * * *' }),
]
/** Fails a rehearsal whose job is gone, so that the person who waits for it learns of it; it may be begun anew. */
async function giveUp({ tx, at }: { tx: Tx; at: Instant }) {
  const left = await run<{ id: string }>(tx, { sql: LEFT }, [at])
  for (const { id } of left) {
    const row = await lockRow(tx, rehearsals, { id })
    if (row.state === RehearsalState.waiting || row.state === RehearsalState.running)
      await setRow(tx, rehearsals, row, { state: RehearsalState.failed, finishedAt: at }, at)
  }
}
const LEFT = `select id from fee.rehearsal where enterprise_id = scope_enterprise() and ((state = ${RehearsalState.running} and updated_at < $1::timestamptz - interval '${LEFT_ALONE}')
  or (state = ${RehearsalState.waiting} and updated_at < $1::timestamptz - interval '${WAITED}'))`
async function forget({ tx }: { tx: Tx }) {
  await run(tx, { sql: `delete from fee.rehearsal where enterprise_id = scope_enterprise() and created_at < now() - interval '${KEPT}'` }, [])
}

interface Work {
  id: string
  /** The how manieth time it was taken up: a process that was given up for dead writes no more. */
  begun: number
  enterprise: number
  scope: Scope
  stays: PastStays
  /** The free minutes that a vehicle has only so often a day, if the draft counts them: then its stays are priced one after the other. */
  free: { minutes: number; mode: 'grace' | 'deduct' } | undefined
  pricing: Pricing
  known: Set<string>
  sums: ReturnType<typeof openSums>
}

async function rehearsed(enterprise: number, id: string): Promise<void> {
  const begun = await begin(enterprise, id)
  if (!begun) return
  const { draft, calendar, scope, stays, times } = begun
  const free = draft.free?.timesPerDay ? draft.free : undefined
  const work: Work = {
    id,
    begun: times,
    enterprise,
    scope,
    stays,
    free,
    pricing: openPricing({ draft, calendar }),
    known: new Set(),
    sums: openSums(),
  }
  try {
    if (await walked(work)) await change(work, () => ({ state: RehearsalState.done, finishedAt: new Date().toISOString() as Instant }))
  } catch (error) {
    house!.log.error({ err: error, rehearsal: id }, 'A rehearsal failed.')
    await change(work, () => ({ state: RehearsalState.failed, finishedAt: new Date().toISOString() as Instant }))
  } finally {
    await work.pricing.stop()
  }
}

/** Takes the job up, anew where a process died over it. Nothing when the person took it back. */
const begin = (enterprise: number, id: string) =>
  house!.writing(enterprise, 'fee.rehearse', async (tx) => {
    if (!(await find(tx, rehearsals, id))) return undefined
    const row = await lockRow(tx, rehearsals, { id })
    if (row.state !== RehearsalState.waiting && row.state !== RehearsalState.running) return undefined
    await run(tx, { sql: 'delete from fee.rehearsed_stay where enterprise_id = scope_enterprise() and rehearsal_id = $1' }, [id])
    const [more] = await run<{ tariff: Tariff; scopeParks: string[] | null; begun: number }>(
      tx,
      { sql: 'select tariff, scope_parks, begun from fee.rehearsal where id = $1' },
      [id],
    )
    const now = new Date().toISOString() as Instant
    if (more!.begun >= BEGUN_MAX) {
      await setRow(tx, rehearsals, row, { state: RehearsalState.failed, finishedAt: now }, now)
      return undefined
    }
    const draft = await tx.selectFrom('fee.rule').selectAll().where('id', '=', row.ruleVersionId).executeTakeFirstOrThrow()
    const scope: Scope = { enterprise, parks: more!.scopeParks }
    const stays = await staysFor(tx, draft, { parkCodes: row.parkCodes, from: row.staysFrom, to: row.staysTo })
    const staysTotal = await reading(house!.pool, scope, async (seen) =>
      (await asked(pastStaysCount.ask(seen, stays))).reduce((sum, n) => sum + n, 0),
    )
    await setRow(tx, rehearsals, row, { state: RehearsalState.running, staysTotal, staysDone: 0, begun: more!.begun + 1 }, now)
    return { draft: more!.tariff, calendar: await calendarOf(tx), scope, stays, times: more!.begun + 1 }
  })

/** All stays, batch by batch; the next one is read while this one is priced. False when the person took it back meanwhile. */
async function walked(work: Work): Promise<boolean> {
  let next = read(work, null)
  for (;;) {
    const stays = await next
    if (stays.length === 0) return true
    const last = stays.at(-1)!
    next = read(work, last)
    next.catch(() => {}) // what it fails with is met when its turn comes
    if (!(await batch(work, stays))) return false
  }
}
const read = ({ scope, stays }: Work, after: PastStay | null) =>
  reading(house!.pool, scope, async (tx) => (await asked(pastStays.ask(tx, { ...stays, after, limit: BATCH }))).flat())

/** Terms that both fees of a stay depend on. `draftFreeUsed`: free minutes used by the draft, where it counts them and stays are priced one after the other. */
export type KeptTerms = StayTerms & { draftFreeUsed?: number }
/** A stay as both rules price it. */
interface Compared {
  stay: PastStay
  terms: KeptTerms | null
  before: number
  after: number
}
async function batch(work: Work, stays: PastStay[]): Promise<boolean> {
  const plain = await priced(work, stays, () => undefined)
  // Where the kept version prices a stay's times alone to exactly the charge, nothing else had a part in it. Other stays need their terms.
  const inDoubt = stays.filter((stay, i) => stay.partly || plain.before[i] !== stay.chargedFen)
  const terms = inDoubt.length ? await termsOf(work, inDoubt) : new Map<string, StayTerms>()
  const unknown = new Set(inDoubt.filter(({ stayId }) => !terms.has(stayId)).map(({ stayId }) => stayId))
  const turns = work.free && (await turnsOf(work, stays, unknown))
  const again = work.free ? stays : inDoubt
  const whole = again.length ? await priced(work, again, (stay) => ({ ...terms.get(stay.stayId), turn: turns?.get(stay.stayId) })) : plain
  const places = new Map(again.map(({ stayId }, i) => [stayId, i]))
  const changed: Compared[] = []
  stays.forEach((stay, i) => {
    const place = places.get(stay.stayId)
    const before = place === undefined ? plain.before[i] : whole.before[place]
    const after = place === undefined ? plain.after[i] : whole.after[place]
    if (unknown.has(stay.stayId) || before !== stay.chargedFen || after === undefined) return work.sums.unlike()
    work.sums.add(stay.parkCode, before, after)
    const known = terms.get(stay.stayId) ?? null
    if (before !== after)
      changed.push({ stay, terms: turns ? { ...(known ?? bare(stay)), draftFreeUsed: whole.freeUsed[place!]! } : known, before, after })
  })
  return change(work, () => ({}), changed)
}
const bare = ({ at }: PastStay): StayTerms => ({ at, covered: [], freeUsed: 0, freeGone: false })

/** Each stay among those of its vehicle, for a draft that counts how often one has its free minutes. */
async function turnsOf({ scope, free, stays: apartFrom }: Work, stays: PastStay[], unknown: ReadonlySet<string>): Promise<Map<string, Turn>> {
  const { minutes, mode } = free!
  const apart = await reading(house!.pool, scope, async (tx) => {
    const answers = await asked(freeTimesApart.ask(tx, { stayIds: stays.map(({ stayId }) => stayId), free: { minutes, mode }, apartFrom }))
    return new Map(answers.flatMap((one) => [...one]))
  })
  return new Map(
    stays.flatMap(({ stayId, plateNo, parkCode, entry, durationMin, chargedFen }) => {
      if (plateNo === null) return []
      const had = mode === 'deduct' || (chargedFen === 0 && durationMin <= minutes)
      const turn = { vehicle: `${parkCode} ${plateNo}`, day: dayOf(entry), apart: apart.get(stayId) ?? 0, durationMin, had }
      return [[stayId, { ...turn, chargedFen: unknown.has(stayId) ? undefined : chargedFen }] as const]
    }),
  )
}
/** Asked for in one go with those of other stays: each is some looks into the database. */
const termsOf = ({ scope }: Work, stays: PastStay[]) =>
  reading(house!.pool, scope, async (tx) => {
    const answers = await asked(stayTerms.ask(tx, { stayIds: stays.map(({ stayId }) => stayId) }))
    return new Map(answers.flatMap((one) => [...one]))
  })

type More = Partial<StayTerms> & { turn?: Turn | undefined }
async function priced(work: Work, stays: PastStay[], more: (stay: PastStay) => More | undefined): Promise<BatchPriced> {
  const fresh = [...new Set(stays.map(({ ruleVersionId }) => ruleVersionId))].filter((id) => !work.known.has(id))
  const tariffs = await reading(house!.pool, work.scope, async (tx) =>
    Promise.all(fresh.map(async (id) => [id, await tariffOfVersion(tx, id)] as const)),
  )
  for (const id of fresh) work.known.add(id)
  return work.pricing.price({
    tariffs: tariffs.filter((one): one is [string, Tariff] => one[1] !== undefined),
    stays: stays.map((stay) => ({ ruleVersionId: stay.ruleVersionId, entry: stay.entry, at: stay.at, ...more(stay) })),
  })
}

/** Writes the sums so far, and the stays that would change. Returns false when the rehearsal was withdrawn, or another process took it up: nothing is written then. */
const change = (work: Work, more: () => object, changed: Compared[] = []): Promise<boolean> =>
  house!.writing(work.enterprise, 'fee.rehearse', async (tx) => {
    const row = await lockRow(tx, rehearsals, { id: work.id })
    const [taken] = await run<{ begun: number }>(
      tx,
      { sql: 'select begun from fee.rehearsal where enterprise_id = scope_enterprise() and id = $1' },
      [work.id],
    )
    if (row.state !== RehearsalState.running || taken!.begun !== work.begun) return false
    const { sums } = work
    const known = { ...sums.sums(), spread: json(sums.spread()), byPark: json(sums.parks()), ...more() }
    await setRow(tx, rehearsals, row, known, new Date().toISOString() as Instant)
    if (changed.length) await run(tx, { sql: KEEP }, [work.id, JSON.stringify(changed.map(rowOf))])
    return true
  })
const rowOf = ({ stay: { stayId, parkCode, plateNo, ruleVersionId, entry, at }, terms, before, after }: Compared) => ({
  ...{ stay_id: stayId, park_code: parkCode, plate_no: plateNo, rule_version_id: ruleVersionId, entry_time: entry, until: terms?.at ?? at },
  ...{ before_fen: before, after_fen: after, terms },
})
const KEEP = `insert into fee.rehearsed_stay (rehearsal_id, stay_id, park_code, plate_no, rule_version_id, entry_time, until, before_fen, after_fen, terms)
  select $1, r.* from jsonb_to_recordset($2::jsonb) as r (stay_id uuid, park_code text, plate_no text, rule_version_id uuid, entry_time timestamptz, until timestamptz, before_fen bigint, after_fen bigint, terms jsonb)`
