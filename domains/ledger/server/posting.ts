import type { Fen, Id, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { AccountCode } from '../contract/account.ts'

export const Unbalanced = refusal('ledger.unbalanced', 40401, '分录借贷不平：{why}', 'The entry does not balance: {why}', 422)

/** One side of one account, never both. `sub` is the channel, the shift or the person that the account is kept by. */
export interface PostingLine {
  account: AccountCode
  sub?: string
  debitFen?: number
  creditFen?: number
}
/** Lines of business, told apart in reports. */
export type Business = 'parking' | 'pass' | 'charging' | 'stored' | 'share' | 'rent' | 'coupon' | 'clearing' | 'other'
export interface Posting {
  /** The kind of event: `order.paid`, `refund.done`. */
  bizType: string
  /** The event's own number: a payment's, a refund's. */
  bizNo: string
  /** The order's number that it belongs to; the event's own number when it stands alone. */
  about?: string
  /** Unique in the enterprise: the same event is posted once, however often it is heard of. */
  eventId: string
  at: Instant
  parkCode: string
  business: Business
  memo?: string
  /** Lines of zero fen are left out, so a caller may list them all. */
  lines: readonly PostingLine[]
}
export type Posted = { entryId: Id<'EntryId'>; first: boolean }

/**
 * Posts one balanced entry in the caller's transaction; `undefined` when every line is zero.
 * An event that was posted before is not posted again: `first` is false and the entry is the earlier one.
 * @throws Unbalanced when the sides differ, or an amount is negative or no whole number. The database checks the sums again at commit.
 */
export async function post(tx: Tx, posting: Posting & { reverses?: string }): Promise<Posted | undefined> {
  const lines = checked(posting.lines)
  if (!lines.length) return undefined
  const { bizType, bizNo, about = bizNo, eventId, at, parkCode, business, memo = null, reverses = null } = posting
  const [claimed] = await run<{ entryId: Id<'EntryId'> }>(tx, { sql: CLAIM }, [eventId, at])
  if (!claimed) {
    const [earlier] = await run<{ entryId: Id<'EntryId'> }>(tx, { sql: EARLIER }, [eventId])
    return { entryId: earlier!.entryId, first: false }
  }
  await run(tx, { sql: ENTRY }, [claimed.entryId, at, parkCode, bizType, bizNo, about, eventId, memo, reverses, business])
  await run(tx, { sql: LINES }, [
    claimed.entryId,
    at,
    parkCode,
    lines.map(({ account }) => account),
    lines.map(({ sub = '' }) => sub),
    lines.map(({ debitFen = 0 }) => debitFen),
    lines.map(({ creditFen = 0 }) => creditFen),
    business,
  ])
  return { entryId: claimed.entryId, first: true }
}
const CLAIM = 'insert into ledger.event (event_id, entry_id, at) values ($1, uuidv7(), $2) on conflict do nothing returning entry_id'
const EARLIER = 'select entry_id from ledger.event where enterprise_id = scope_enterprise() and event_id = $1'
// A transaction tells its first entry, and by a comma that others follow: however many there are, no more is said of them.
const ENTRY = `insert into ledger.entry (id, at, park_code, biz_type, biz_no, about, event_id, memo, reverses, business)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  returning set_config('ledger.entries', coalesce(nullif(trim(current_setting('ledger.entries', true), ','), '') || ',', id::text), true) is not null as told`
const LINES = `insert into ledger.line (entry_id, seq, at, park_code, business, account, sub, debit_fen, credit_fen)
  select $1, l.seq, $2, $3, $8, l.account, l.sub, l.debit, l.credit
  from unnest($4::text[], $5::text[], $6::bigint[], $7::bigint[]) with ordinality l (account, sub, debit, credit, seq)`

function checked(all: readonly PostingLine[]): PostingLine[] {
  const lines = all.filter(({ debitFen = 0, creditFen = 0 }) => debitFen !== 0 || creditFen !== 0)
  let debit = 0
  let credit = 0
  for (const { account, debitFen = 0, creditFen = 0 } of lines) {
    const right = Number.isSafeInteger(debitFen) && Number.isSafeInteger(creditFen) && debitFen >= 0 && creditFen >= 0
    if (!right || (debitFen > 0 && creditFen > 0)) throw Unbalanced({ why: `${account} ${debitFen} / ${creditFen}` })
    debit += debitFen
    credit += creditFen
  }
  if (debit !== credit) throw Unbalanced({ why: `${debit} / ${credit}` })
  return lines
}

/** The same entry with its sides exchanged, for an event that should not have been posted. An entry is reversed once. */
export async function reverse(
  tx: Tx,
  entryId: string,
  { bizType, bizNo, at, memo }: Pick<Posting, 'bizType' | 'bizNo' | 'at'> & { memo: string },
): Promise<Posted> {
  const lines = await run<{ account: AccountCode; sub: string; debitFen: Fen; creditFen: Fen; parkCode: string; business: Business; about: string }>(
    tx,
    {
      sql: `select l.account, l.sub, l.debit_fen, l.credit_fen, e.park_code, e.business, e.about
        from ledger.entry e join ledger.line l on l.enterprise_id = e.enterprise_id and l.entry_id = e.id and l.at = e.at
        where e.enterprise_id = scope_enterprise() and e.id = $1 order by l.seq`,
    },
    [entryId],
  )
  const first = lines[0]
  if (!first) throw NotFound()
  const posted = await post(tx, {
    bizType,
    bizNo,
    at,
    memo,
    parkCode: first.parkCode,
    business: first.business,
    about: first.about,
    eventId: `reversal:${entryId}`,
    reverses: entryId,
    lines: lines.map(({ account, sub, debitFen, creditFen }) => ({ account, sub, debitFen: creditFen, creditFen: debitFen })),
  })
  return posted!
}
