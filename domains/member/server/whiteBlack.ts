import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { impliedColor, normalizePlate } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, type List, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { phoneTyped } from '../../../platform/server/text/phone.ts'
import { refuseColor } from './plateColor.ts'
import { plateTyped } from '../../parking/server/api.ts'
import { BlackAction, BlackReason, lacksRemark, ListEntry, listSearch, ListStatus, ListType, whiteBlack, WhiteKind } from '../contract/whiteBlack.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'
import { Decided } from './decided.ts'

type Entry = Of<typeof ListEntry>
const OnList = refusal(
  'member.on-list',
  41401,
  '{plateNo} 在该名单的有效期与已有记录重叠；请修改已有记录',
  '{plateNo} is already on this list in that period: change that entry',
)
const EndsBefore = refusal(
  'member.ends-before',
  41402,
  '失效时间应晚于生效时间，请修改时间',
  'The end must be after the start: change one of them',
  422,
)
export const entries = listOver(ListEntry, 'member.listed', listSearch)
const rows = rowsOver(ListEntry, 'member.list', [
  'plateNo',
  'plateColor',
  'listType',
  'whiteKind',
  'freeMinPerDay',
  'parkCode',
  'startAt',
  'endAt',
  'releasedAt',
  'reasonType',
  'remark',
])
const BLACK = ListType.black
const NotProposed = refusal('member.not-proposed', 41467, '只有待审核的名单可以审核', 'Only a proposal can be reviewed')
const FreeOnly = refusal(
  'member.free-minutes',
  41468,
  '每日免费时长只用于免费车；其他车请留空',
  'Free time per day is for free cars only: leave it empty for others',
  422,
)
const SayRemark = refusal('member.list-remark', 41403, '原因选「其他」时，请填写备注', 'With the reason “Other”, say why in the remark', 422)
const BLACK_WINS = { zh: '该车同时在黑名单中，以黑名单为准', en: 'This car is also on the black list, which wins' } as const

export const calls = serve(whiteBlack, {
  queryPage: ({ tx, input }) => page(tx, entries, input.plateNo === undefined ? input : { ...input, plateNo: normalizePlate(input.plateNo) }),
  async insert({ tx, input: { parkCodes, special, ...input }, request, at }) {
    const entry = { ...withPhone(input), plateNo: plateTyped(input.plateNo, special) }
    refuseOver(entry, at)
    const ids = await addToList(tx, { ...entry, ...(parkCodes?.length && { parkCodes }) })
    const made = await Promise.all(ids.map((id) => entryOf(tx, id)))
    const both = entry.listType !== BLACK && (await blacklisted(tx, entry.plateNo))
    return { entries: made, warning: both ? BLACK_WINS[request.language] : null }
  },
  async update({ tx, input: { id, version, ...typed }, at }) {
    const changes = withPhone(typed)
    const found = await lockRow(tx, rows, { id, version })
    refuseMinutes({ ...found, ...changes })
    refuseSilence({ ...found, ...changes })
    return moveEntry(tx, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, rows, input)
    if (!found.releasedAt) await setEntry(tx, found, { releasedAt: at }, at)
  },
  async defer({ tx, input: { id, version, endAt }, at }) {
    const found = await lockRow(tx, rows, { id, version })
    return moveEntry(tx, found, { endAt }, at)
  },
  async decide({ tx, input: { id, version, accept }, at }) {
    const found = await lockRow(tx, rows, { id, version })
    if ((await entryOf(tx, id)).status !== ListStatus.proposed) throw NotProposed()
    // From now on: a proposal holds nothing against the car for the time that it waited.
    if (accept) await refuseOverlap(tx, [{ ...found, startAt: at }])
    return setEntry(tx, found, { decided: accept ? Decided.accepted : Decided.rejected, ...(accept && { startAt: at }) }, at)
  },
  quotas: async ({ tx }) =>
    run(tx, { sql: 'select id, unit, park_code, bays from member.unit_quota where enterprise_id = scope_enterprise() order by unit, park_code' }, []),
  unitQuota: ({ tx, input, at }) => setUnitBays(tx, input, at),
})
/** How many of a unit's staff are free in a park at once; none: as many as come. */
export async function setUnitBays(
  tx: Tx,
  { unit, parkCode, bays }: { unit: string; parkCode: string; bays: number | null },
  at: Instant,
): Promise<void> {
  const sql = bays === null ? 'delete from member.unit_quota where enterprise_id = scope_enterprise() and unit = $1 and park_code = $2' : QUOTA
  await run(tx, { sql }, bays === null ? [unit, parkCode] : [unit, parkCode, bays, at])
}
const QUOTA = `insert into member.unit_quota (unit, park_code, bays) values ($1, $2, $3)
  on conflict (enterprise_id, unit, park_code) do update set bays = excluded.bays, version = member.unit_quota.version + 1, updated_at = $4`
function refuseMinutes({ whiteKind, freeMinPerDay }: { whiteKind?: number | null; freeMinPerDay?: number | null }): void {
  if (freeMinPerDay && whiteKind !== WhiteKind.free) throw FreeOnly()
}

/** @throws SayRemark */
export function refuseSilence(entry: Parameters<typeof lacksRemark>[0]): void {
  if (lacksRemark(entry)) throw SayRemark()
}

/** Arrears that were reminded of to the last: a person decides whether the car goes on the black list. One proposal at a time. */
export async function propose(
  tx: Tx,
  { plateNo, plateColor, count, amountFen }: { plateNo: string; plateColor: Entry['plateColor']; count: number; amountFen: number },
  at: Instant,
): Promise<void> {
  const sql = `select 1 from member.listed where enterprise_id = scope_enterprise() and plate_no = $1 and list_type = ${ListType.black} and status in (${ListStatus.inForce}, ${ListStatus.proposed}) limit 1`
  if ((await run(tx, { sql }, [plateNo])).length) return
  const remark = Said.owes({ count, amount: (amountFen / 100).toFixed(2) })
  await tx
    .insertInto('member.list')
    .values({
      listType: ListType.black,
      plateNo,
      plateColor,
      startAt: at,
      reasonType: BlackReason.owes,
      action: BlackAction.refuse,
      remark,
      decided: Decided.proposed,
      byItself: true,
    })
    .execute()
}
/** Whether a car was put on the list, or proposed for it, because of a debt; in any park, also one that the reader does not see. */
export async function isListedForDebt(tx: Tx, plateNo: string): Promise<boolean> {
  const [row] = await run<{ is: boolean }>(tx, { sql: 'select member.listed_for_debt($1) as "is"' }, [plateNo])
  return row!.is
}
/** Releases a plate that was put on the list for debts, once nothing is owed any more. */
export async function releasePaid(tx: Tx, plateNo: string, at: Instant): Promise<void> {
  const sql = `update member.list set released_at = case when decided = ${Decided.accepted} then $2::timestamptz end, decided = case when decided = ${Decided.proposed} then ${Decided.rejected} else decided end, version = version + 1, updated_at = $2
    where enterprise_id = scope_enterprise() and plate_no = $1 and by_itself and released_at is null and decided in (${Decided.proposed}, ${Decided.accepted})`
  await run(tx, { sql }, [plateNo, at])
}

export const withPhone = <T extends { phone?: string | null }>(typed: T): T => (typed.phone ? { ...typed, phone: phoneTyped(typed.phone) } : typed)
const OverAlready = refusal(
  'member.list-over',
  41497,
  '结束时间早于现在，名单不会生效：请核对年份',
  'The end is already past, so the entry would never be in force: check the year',
  422,
)
/** An end in the past is a mistyped year. @throws OverAlready */
export function refuseOver({ endAt }: { endAt?: Instant | null | undefined }, at: Instant): void {
  if (endAt && msOf(endAt) <= msOf(at)) throw OverAlready()
}

export interface NewEntry {
  listType: Entry['listType']
  plateNo: string
  plateColor?: Entry['plateColor']
  /** Left out: all parks. */
  parkCodes?: readonly string[]
  startAt: Instant
  endAt?: Instant | null
  reasonType: number
  action?: Entry['action']
  remark?: string | null
  whiteKind?: Entry['whiteKind']
  holder?: string | null
  phone?: string | null
  unit?: string | null
  freeMinPerDay?: number | null
}
/** Puts a car on a list: one entry for each park, or one for all. @throws OnList when it is there already in that time. */
export const addToList = (tx: Tx, entry: NewEntry): Promise<Id<'ListId'>[]> => addAllToList(tx, [entry])
/** Many cars by one statement: all of them or none. None of them stands there twice. */
export async function addAllToList(tx: Tx, all: readonly NewEntry[]): Promise<Id<'ListId'>[]> {
  const values = all.flatMap(valuesOf)
  if (values.length === 0) return []
  const plates = new Set(all.map(({ plateNo }) => plateNo))
  if (plates.size < all.length) throw OnList({ plateNo: all.find(({ plateNo }) => !plates.delete(plateNo))!.plateNo })
  await refuseOverlap(tx, values)
  return (await tx.insertInto('member.list').values(values).returning('id').execute()).map(({ id }) => id)
}
function valuesOf({ parkCodes, plateColor, ...entry }: NewEntry) {
  if (entry.endAt && Date.parse(entry.endAt) <= Date.parse(entry.startAt)) throw EndsBefore()
  refuseColor(entry.plateNo, plateColor)
  const color = plateColor ?? impliedColor(entry.plateNo)
  const whiteKind = entry.listType === ListType.white ? (entry.whiteKind ?? WhiteKind.white) : null
  refuseMinutes({ ...entry, whiteKind })
  refuseSilence(entry)
  const parks: (string | null)[] = parkCodes ? [...parkCodes] : [null]
  return parks.map((parkCode) => ({ endAt: null, remark: null, action: BlackAction.refuse, ...entry, whiteKind, plateColor: color, parkCode }))
}

/**
 * Locks plates, so that a caller who adds one of them at the same time waits. Plates share so many locks: a long sheet would want more than a server keeps. They are taken in
 * one order.
 */
export const lockPlates = (tx: Tx, plates: readonly string[]): Promise<unknown> => run(tx, { sql: LOCKS }, [plates])
const LOCKS_MAX = 1_024
const LOCKS = `select pg_advisory_xact_lock(hashtextextended('member.list ' || l.lock, scope_enterprise()))
  from (select distinct hashtextextended(plate, 0) & ${LOCKS_MAX - 1} as lock from unnest($1::text[]) plate order by 1) l`

type Period = Pick<Held, 'id' | 'plateNo' | 'plateColor' | 'listType' | 'startAt' | 'endAt' | 'parkCode'>
/** The constraint holds one park apart from another; an entry for all parks overlaps with every one of them. */
async function refuseOverlap(tx: Tx, wanted: readonly Partial<Period>[]): Promise<void> {
  const column = <Name extends keyof Period>(name: Name) => wanted.map((one) => one[name] ?? null)
  await lockPlates(tx, column('plateNo') as string[])
  const columns = (['plateNo', 'plateColor', 'listType', 'startAt', 'endAt', 'parkCode', 'id'] as const).map(column)
  const [other] = await run<{ plateNo: string }>(tx, { sql: OVERLAPS }, columns)
  if (other) throw OnList(other)
}
// Plate by plate, through the index: the planner knows nothing yet of a list that is growing, and would read all of it for each hundred.
const OVERLAPS = `select w.plate_no from unnest($1::text[], $2::smallint[], $3::smallint[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::uuid[]) w (plate_no, plate_color, list_type, start_at, end_at, park_code, id)
    cross join lateral (select from member.list l where l.enterprise_id = scope_enterprise() and l.id is distinct from w.id and l.plate_no = w.plate_no and l.list_type = w.list_type and l.released_at is null and l.decided = ${Decided.accepted}
      and (w.plate_color is null or l.plate_color is null or l.plate_color = w.plate_color) and tstzrange(l.start_at, l.end_at) && tstzrange(w.start_at, w.end_at)
      and (l.park_code is null or w.park_code is null or l.park_code = w.park_code) limit 1) there limit 1`
const blacklisted = async (tx: Tx, plateNo: string) =>
  (
    await run(
      tx,
      {
        sql: `select 1 from member.listed where enterprise_id = scope_enterprise() and plate_no = $1 and list_type = ${ListType.black} and status in (${ListStatus.inForce}, ${ListStatus.notYet}) limit 1`,
      },
      [plateNo],
    )
  ).length > 0

async function entryOf(tx: Tx, id: Id<'ListId'>): Promise<Entry> {
  const found = await find(tx, entries, id)
  if (!found) throw NotFound()
  return found
}
type Held = typeof rows extends List<infer Row> ? Row : never
/** Changes an entry; with other times than before it must not overlap another entry. */
async function moveEntry(tx: Tx, found: Held, changes: Partial<Held>, at: Instant): Promise<Entry> {
  const moved = changes.startAt !== undefined || changes.endAt !== undefined
  if (moved && !found.releasedAt) await refuseOverlap(tx, [{ ...found, ...changes }])
  return setEntry(tx, found, changes, at)
}
async function setEntry(tx: Tx, found: Held, changes: Partial<Held> & { decided?: number }, at: Instant): Promise<Entry> {
  const { startAt = found.startAt, endAt = found.endAt } = changes
  if (endAt && msOf(endAt) <= msOf(startAt)) throw EndsBefore()
  await setRow(tx, rows, found, changes, at)
  return entryOf(tx, found.id)
}
