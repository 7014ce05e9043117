import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { Refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { send } from '../../message/server/api.ts'
import { Dun, dun, dunSearch, DunState } from '../contract/dun.ts'
import { DEMANDED, type File, fileOf, holdFiles, NoneChosen, owedBy, STILL_OWED, tellFile } from './file.ts'
import { dueAt, isQuiet, LADDER_DAYS, outOfQuiet } from './ladder.ts'
import { blacklistProposed, contactOf } from './questions.ts'
import './tables.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

export const duns = listOver(Dun, 'arrears.dun', dunSearch)
type Outcome = Of<typeof dun.send.reply>
type Became = Exclude<keyof Outcome, 'vehicles' | 'noPlate'>
interface Vehicle {
  plateNo: string
  plateColor: PlateColorCode | null
}

export const calls = serve(dun, {
  list: ({ tx, input }) => page(tx, duns, input),
  async send({ tx, input, actor, at }) {
    if (input.ids.length === 0) throw NoneChosen()
    const chosen = await Promise.all([...new Set(input.ids)].map((id) => fileOf(tx, id)))
    const vehicles = vehiclesOf(chosen)
    const owed = await Promise.all(vehicles.map(({ plateNo, plateColor }) => owedBy(tx, plateNo, plateColor, null)))
    const held = await holdFiles(tx, owed.flat())
    const noPlate = chosen.filter(({ plateNo }) => plateNo === null).length
    const total: Outcome = { vehicles: vehicles.length, sent: 0, waiting: 0, noContact: 0, notSent: 0, today: 0, notOwed: 0, noPlate }
    for (const vehicle of vehicles) total[await remind(tx, vehicle, held, actor.userName, at)] += 1
    return total
  },
})

/** A debt whose plate nobody knows reminds nobody. */
function vehiclesOf(files: readonly { plateNo: string | null; plateColor: PlateColorCode | null }[]): Vehicle[] {
  const known = new Map<string, Vehicle>()
  for (const { plateNo, plateColor } of files) if (plateNo) known.set(`${plateNo} ${plateColor}`, { plateNo, plateColor })
  return [...known.values()].sort((a, b) => (a.plateNo < b.plateNo ? -1 : 1))
}

/** Reminds the owner of a vehicle of all that is demanded of it, in one message a day; in quiet hours it waits for the morning. Returns the outcome. The caller holds its debts. */
async function remind(tx: Tx, vehicle: Vehicle, held: Held, byName: string, at: Instant): Promise<Became> {
  const owed = await owedOf(tx, vehicle, held)
  if (owed.length === 0) return 'notOwed'
  const due = outOfQuiet(at)
  const made = await run(tx, { sql: PLAN }, [owed.map(({ id }) => id), dayOf(due), due, byName, at])
  if (made.length === 0) return 'today'
  return due === at ? bringOut(tx, vehicle, held, dayOf(due), at) : 'waiting'
}
/** Debts that are held until the transaction ends: of them alone it reminds. */
type Held = ReadonlySet<string>
const owedOf = async (tx: Tx, { plateNo, plateColor }: Vehicle, held: Held) =>
  (await owedBy(tx, plateNo, plateColor, null)).filter(({ id }) => held.has(id))
const PLAN = `insert into arrears.dun (record_id, park_code, plate_no, plate_color, day, step, amount_fen, due_at, by_name, created_at, updated_at)
  select id, park_code, plate_no, plate_color, $2::date, least((select dun_step from arrears.record r where r.enterprise_id = f.enterprise_id and r.id = f.id), ${LADDER_DAYS.length}), owed_fen, $3, $4, $5, $5
  from arrears.file f where f.enterprise_id = scope_enterprise() and f.id = any($1) and f.owed_fen > 0
  on conflict (enterprise_id, record_id, day) do nothing returning id`

interface Waiting {
  id: string
  recordId: string
  parkCode: string
  amountFen: number
  demanded: boolean
}
/** Sends the waiting reminders of a vehicle on a day. A debt paid, appealed or waived meanwhile is not asked for. */
async function bringOut(tx: Tx, vehicle: Vehicle, held: Held, day: Day, at: Instant): Promise<Became> {
  const waiting = await run<Waiting>(tx, { sql: WAITING }, [vehicle.plateNo, vehicle.plateColor, day, [...held]])
  const [asked, over] = [waiting.filter(({ demanded }) => demanded), waiting.filter(({ demanded }) => !demanded)]
  await settle(tx, over, DunState.stopped, at, null)
  if (asked.length === 0) return 'notSent'
  const contact = (await contactOf.ask(tx, vehicle))[0]?.answer
  if (!contact) {
    await settle(tx, asked, DunState.noContact, at, null)
    return 'noContact'
  }
  const sent = await tell(tx, vehicle, contact, asked, day)
  await settle(tx, asked, sent ? DunState.sent : DunState.notSent, at, contact.address)
  if (sent) await run(tx, { sql: COUNT }, [asked.map(({ recordId }) => recordId), at])
  await Promise.all(asked.map(({ recordId, parkCode }) => tellFile(tx, { id: recordId as File['id'], parkCode })))
  return sent ? 'sent' : 'notSent'
}
const WAITING = `with asked as (
    select id, record_id, park_code from arrears.dun where enterprise_id = scope_enterprise() and state = ${DunState.waiting} and plate_no = $1 and plate_color is not distinct from $2 and day = $3
      and record_id = any ($4) order by id for update
  ), owing as (select id, owed_fen, (${DEMANDED}) as demanded from arrears.file where enterprise_id = scope_enterprise() and id in (select record_id from asked))
  select asked.id, asked.record_id, asked.park_code, owing.owed_fen as amount_fen, owing.demanded from asked join owing on owing.id = asked.record_id`
const COUNT = `update arrears.record set dun_count = dun_count + 1, last_dun_at = $2, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = any($1)`

const settle = (tx: Tx, rows: readonly Waiting[], state: number, at: Instant, contact: string | null) =>
  run(tx, { sql: SETTLE }, [rows.map(({ id }) => id), state, at, contact])
const SETTLE = `update arrears.dun set state = $2::smallint, sent_at = case when $2::smallint = ${DunState.sent} then $3::timestamptz end, contact = $4, version = version + 1, updated_at = $3
  where enterprise_id = scope_enterprise() and id = any($1)`

/** The template whose text it is; an enterprise writes its own. */
const TEMPLATE = 'arrears.remind'
/** False where the enterprise has no such template, or no channel that sends it. */
async function tell(
  tx: Tx,
  { plateNo, plateColor }: Vehicle,
  contact: { name: string; address: string },
  asked: readonly Waiting[],
  day: Day,
): Promise<boolean> {
  const total = asked.reduce((sum, { amountFen }) => sum + amountFen, 0)
  const [place] = await run<{ name: string }>(
    tx,
    { sql: 'select name from parking.park where enterprise_id = scope_enterprise() and park_code = $1' },
    [asked[0]!.parkCode],
  )
  const parks = new Set(asked.map(({ parkCode }) => parkCode)).size
  const park = parks > 1 ? `${place?.name ?? asked[0]!.parkCode}等${parks}处` : (place?.name ?? asked[0]!.parkCode)
  try {
    await send(tx, {
      template: TEMPLATE,
      to: contact,
      vars: { plate: plateNo, park, amount: (total / 100).toFixed(2) },
      dedupe: `dun:${plateNo}:${plateColor ?? ''}:${day}`,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The debts in one round; the rest wait for the next. */
const ROUND_MAX = 500
/** Every ten minutes of the day: debts whose next reminder is due, and what waited for the morning. A vehicle of whose debts one is just being paid, put right or let off waits for the next round. */
export const climb = async (tx: Tx, at: Instant): Promise<void> => {
  if (isQuiet(at)) return
  const waited = await run<Vehicle & { day: Day }>(tx, { sql: MORNING }, [at])
  const soon = await run<{ id: string; plateNo: string | null }>(tx, { sql: DUE }, [at])
  const { held, busy } = await holdFree(
    tx,
    soon,
    [...waited, ...soon].map(({ plateNo }) => plateNo),
  )
  for (const { day, ...vehicle } of waited) if (!busy.has(vehicle.plateNo)) await bringOut(tx, vehicle, held, day, at)
  const due = (await run<Due>(tx, { sql: DUE_HELD }, [at, [...held]])).filter(({ plateNo }) => plateNo === null || !busy.has(plateNo))
  for (const { id, dunStep, since } of due) await run(tx, { sql: STEP }, [id, dueAt(since, dunStep + 1) ?? null])
  for (const vehicle of vehiclesOf(due)) await remind(tx, vehicle, held, SYSTEM, at)
  for (const vehicle of vehiclesOf(due.filter(({ dunStep }) => dunStep + 1 >= LADDER_DAYS.length))) await propose(tx, vehicle, held)
}
interface Due {
  id: string
  plateNo: string | null
  plateColor: PlateColorCode | null
  dunStep: number
  since: Instant
}
/**
 * Locks the debts of these vehicles, and their orders, that nobody else holds; also returns the vehicles of which somebody holds one. It waits for nobody: a key share would,
 * of an order that is being changed.
 */
async function holdFree(tx: Tx, soon: readonly { id: string }[], plates: readonly (string | null)[]) {
  const ids = soon.map(({ id }) => id)
  const free = await run<{ id: string }>(tx, { sql: `${OF_ROUND} order by r.id for no key update of r skip locked for share of o skip locked` }, [
    plates,
    ids,
  ])
  const held = new Set(free.map(({ id }) => id))
  const taken = (await run<{ id: string; plateNo: string }>(tx, { sql: OF_ROUND }, [plates, ids])).filter(({ id }) => !held.has(id))
  return { held, busy: new Set(taken.map(({ plateNo }) => plateNo)) }
}
const OF_ROUND = `select r.id, r.plate_no from arrears.record r join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id
  where r.enterprise_id = scope_enterprise() and (r.id = any ($2::uuid[]) or (r.plate_no = any ($1)
    and (${STILL_OWED} or exists (select from arrears.dun d where d.enterprise_id = r.enterprise_id and d.record_id = r.id and d.state = ${DunState.waiting}))))`
const MORNING = `select distinct plate_no, plate_color, day::text as day from arrears.dun where enterprise_id = scope_enterprise() and state = ${DunState.waiting} and due_at <= $1 order by plate_no limit ${ROUND_MAX}`
const IS_DUE = `from arrears.record where enterprise_id = scope_enterprise() and next_dun_at <= $1 and ${DEMANDED}`
const DUE = `select id, plate_no ${IS_DUE} order by next_dun_at limit ${ROUND_MAX}`
const DUE_HELD = `select id, plate_no, plate_color, dun_step, coalesce(dun_from, created_at) as since ${IS_DUE} and id = any ($2) order by next_dun_at`
const STEP = `update arrears.record set dun_step = dun_step + 1, next_dun_at = $2 where enterprise_id = scope_enterprise() and id = $1`

/** Proposes a vehicle for the blacklist after its last reminder: the domain that keeps the list is told, and a person there decides. */
async function propose(tx: Tx, { plateNo, plateColor }: Vehicle, held: Held): Promise<void> {
  const owed = await owedOf(tx, { plateNo, plateColor }, held)
  if (owed.length === 0) return
  await run(tx, { sql: PROPOSED }, [owed.map(({ id }) => id)])
  await announce(tx, blacklistProposed, { plateNo, plateColor, count: owed.length, amountFen: owed.reduce((sum, { owedFen }) => sum + owedFen, 0) })
}
const PROPOSED = 'update arrears.record set blacklisted = true where enterprise_id = scope_enterprise() and id = any($1)'

export const tasks = [task('arrears.climb', ({ tx, at }) => climb(tx, at), { every: '*/10 * * * *' })]
