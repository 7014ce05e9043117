import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { parksOf, run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver } from '../../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../../platform/server/refusal.ts'
import { onlyFields } from '../../../../platform/server/row.ts'
import { post, type PostingLine } from '../../../ledger/server/api.ts'
import { ShiftDetail, ShiftRow, shiftSearch, ShiftMoveKind, type ShiftState, type ShiftWay } from '../../contract/shift.ts'
import { onDebit } from '../report/onDebit.ts'
import '../tables.ts'

const NoPark = refusal(
  'settlement.shift-without-park',
  40580,
  '该班次没有在任何车场收过款，长短款无处入账，请重新清点',
  'This shift has taken no cash at any car park, so a difference cannot be booked: count again',
  422,
)
/** A row of the table, as far as closing reads it. */
export interface Till {
  id: string
  version: number
  shiftNo: string
  personId: string
  personName: string
  state: keyof typeof ShiftState.entries
  openingFloatFen: number
  openedAt: Instant
  closedAt: Instant | null
  countedFen: number | null
  expectedFen: number | null
  openFen: number
  lateFen: number
  takerId: string | null
  takerName: string | null
  takenAt: Instant | null
  settledById: string | null
  settledWay: keyof typeof ShiftWay.entries | null
  confirmedById: string | null
  begunIn: string | null
}
const COLUMNS = `id, version, shift_no, person_id, person_name, state, opening_float_fen, opened_at, closed_at, counted_fen, expected_fen, open_fen, late_fen, taker_id, taker_name, taken_at, settled_by_id, settled_way, confirmed_by_id, begun_in`

/**
 * Its row, held until the call is over: no receipt comes in meanwhile. A reader who does not see all the parks of its cash (without cash, the park where it was begun) does not
 * see it, unless they are `person`, who keeps it or was handed it.
 */
export async function lockTill(tx: Tx, { id, version }: { id: string; version?: number }, person?: string): Promise<Till> {
  const [till] = await run<Till>(tx, { sql: LOCK }, [id])
  if (!till || !((person && [till.personId, till.takerId].includes(person)) || (await seesAll(tx, id)))) throw NotFound()
  if (version !== undefined && till.version !== version) throw Stale({ version: till.version, sent: version })
  return till
}
const LOCK = `select ${COLUMNS} from settlement.shift where enterprise_id = scope_enterprise() and id = $1 for update`
export async function seesAll(tx: Tx, id: string): Promise<boolean> {
  if (parksOf(tx) === null) return true
  const [told] = await run<{ all: boolean | null }>(tx, { sql: 'select settlement.sees_all_cash($1) as all' }, [id])
  return told?.all === true
}

/** Changes it to its next version. */
export async function setTill(tx: Tx, till: Till, set: string, values: readonly unknown[], at: Instant): Promise<Of<typeof ShiftRow>> {
  const sql = `update settlement.shift set ${set}, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = $1 returning *`
  const [row] = await run<Of<typeof ShiftRow>>(tx, { sql }, [till.id, at, ...values])
  return onlyFields(ShiftRow)(row!)
}

const details = listOver(ShiftDetail, 'settlement.shiftLine', shiftSearch)
const BESIDE: readonly string[] = ['moves', 'takings']
const detailed = { ...details, columns: details.columns.filter((column) => !BESIDE.includes(column as string)) } as typeof details
export const lineOf = (tx: Tx, id: string) => find(tx, detailed, id)
type Detail = Of<typeof ShiftDetail>
/** The till that somebody has open and those that wait for them to take over, as they see them themselves: whole. */
export const ownTills = (tx: Tx, person: string) =>
  run<Omit<Detail, 'moves' | 'takings'>>(tx, { sql: 'select * from settlement.own_tills($1) order by closed_at' }, [person])
export async function ownDetail(tx: Tx, person: string, id: string): Promise<Detail | undefined> {
  const till = (await ownTills(tx, person)).find((one) => one.id === id)
  const sql = `select ${MOVE_COLUMNS} from settlement.own_moves($1) where shift_id = $2 order by at, id`
  if (!till) return undefined
  const [moves, takings] = await Promise.all([run<Detail['moves'][number]>(tx, { sql }, [person, id]), takingsOf(tx, id)])
  return onlyFields(ShiftDetail)({ ...till, moves, takings })
}
/** Returns the last payments into a till, newest first; older ones are found among the orders. */
export const takingsOf = (tx: Tx, id: string) => run<Detail['takings'][number]>(tx, TAKINGS, [id])
const TAKINGS = {
  sql: `select p.id, p.order_id, o.order_no, o.plate_no, p.park_code, p.pay_method, p.received_fen, p.refund_fen, p.paid_at
    from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
    where p.enterprise_id = scope_enterprise() and p.shift_id = $1 and p.received_fen > 0 order by p.paid_at desc, p.id desc limit 200`,
}
const MOVE_COLUMNS = 'id, kind, park_code, debit_fen, credit_fen, voucher_no, by_name, at'
export const MOVES = `select ${MOVE_COLUMNS} from settlement.shift_move where enterprise_id = scope_enterprise() and shift_id = $1 order by at, id`

export interface Cash {
  parkCode: string
  fen: number
}
/** Returns the cash in a till by the ledger, park by park, the largest first; without its float, which is not in the ledger. */
export const cashOf = (tx: Tx, id: string): Promise<Cash[]> => run<Cash>(tx, { sql: 'select park_code, fen from settlement.shift_cash($1)' }, [id])
export const sumOf = (cash: readonly Cash[]): number => cash.reduce((sum, { fen }) => sum + fen, 0)

/** Of each park its part of an amount, from where most of it lies. */
export function partsOf(cash: readonly Cash[], amountFen: number): Cash[] {
  let left = amountFen
  return cash.flatMap(({ parkCode, fen }) => {
    const part = Math.min(Math.max(fen, 0), left)
    left -= part
    return part > 0 ? [{ parkCode, fen: part }] : []
  })
}

type Kind = keyof typeof ShiftMoveKind.entries
interface Moving {
  till: Pick<Till, 'id' | 'shiftNo'>
  kind: Kind
  parkCode: string
  /** The change of the till in fen; below zero, cash leaves it. */
  fen: number
  /** The other side. */
  against: { account: PostingLine['account']; sub: string }
  voucherNo?: string
  by: { userId: string; userName: string }
  at: Instant
}
/** Cash moves and the ledger says so, as money of no income. */
export async function moveCash(tx: Tx, { till, kind, parkCode, fen, against, voucherNo, by, at }: Moving): Promise<void> {
  if (fen === 0) return
  const values = [till.id, parkCode, kind, Math.max(fen, 0), Math.max(-fen, 0), voucherNo ?? null, by.userId, by.userName, at]
  const [made] = await run<{ id: string }>(tx, { sql: MOVE }, values)
  // Of a hand-over the taker's side is written with the giver's entry.
  if (kind === ShiftMoveKind.takenOver) return
  await post(tx, {
    bizType: BIZ[kind],
    bizNo: till.shiftNo,
    eventId: `shift-move:${made!.id}`,
    at,
    parkCode,
    business: 'clearing',
    ...(voucherNo && { memo: voucherNo }),
    lines: [onDebit('asset.cash', till.id, fen), onDebit(against.account, against.sub, -fen)],
  })
}
/** Several of one moment are told in the order in which they were made. */
const MOVE = `insert into settlement.shift_move (id, shift_id, park_code, kind, debit_fen, credit_fen, voucher_no, by_id, by_name, at) values (uuidv7(), $1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`
const BIZ: Record<Kind, string> = {
  [ShiftMoveKind.deposit]: 'shift.deposit',
  [ShiftMoveKind.handedOver]: 'shift.handed-over',
  [ShiftMoveKind.takenOver]: 'shift.taken-over',
  [ShiftMoveKind.short]: 'shift.short',
  [ShiftMoveKind.over]: 'shift.over',
  [ShiftMoveKind.broughtIn]: 'shift.brought-in',
}

/** The company's money in the bank, and what was too much in a till, are kept by their channel: cash. */
export const BANK = { account: 'asset.bank', sub: 'cash' } as const

/** Books a till's difference from the ledger: a shortage as a loss, a surplus set apart. @returns the till's cash by the ledger afterwards */
export async function bookDifference(tx: Tx, till: Till, cash: readonly Cash[], fen: number, by: Moving['by'], at: Instant): Promise<Cash[]> {
  if (fen === 0) return [...cash]
  const parkCode = cash[0]?.parkCode ?? (await someParkOf(tx, till.personId))
  const kind = fen < 0 ? ShiftMoveKind.short : ShiftMoveKind.over
  const against = fen < 0 ? ({ account: 'expense.cash-short', sub: '' } as const) : ({ account: 'clearing.over-short', sub: 'cash' } as const)
  await moveCash(tx, { till, kind, parkCode, fen, against, by, at })
  const rest = cash.filter((one) => one.parkCode !== parkCode)
  return [{ parkCode, fen: (cash.find((one) => one.parkCode === parkCode)?.fen ?? 0) + fen }, ...rest]
}
async function someParkOf(tx: Tx, personId: string): Promise<string> {
  const [known] = await run<{ parkCode: string }>(tx, { sql: SOME_PARK }, [personId])
  if (!known) throw NoPark()
  return known.parkCode
}
const SOME_PARK = `select p.park_code from settlement.shift s join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id
  where s.enterprise_id = scope_enterprise() and s.person_id = $1 order by p.paid_at desc limit 1`

/** Returns the counted cash that the ledger does not have yet: a small difference is booked only once somebody else has seen the cash. */
export async function unbooked(tx: Tx, till: Till, cash: readonly Cash[]): Promise<number> {
  const [gone] = await run<{ fen: number }>(tx, { sql: GONE }, [till.id])
  return (till.countedFen ?? 0) - till.openingFloatFen - sumOf(cash) - gone!.fen
}
const GONE = `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from settlement.shift_move
  where enterprise_id = scope_enterprise() and shift_id = $1 and kind in (${ShiftMoveKind.handedOver}, ${ShiftMoveKind.broughtIn})`
