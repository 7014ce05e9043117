import { run, type Tx } from '../../../platform/server/database.ts'
import type { PostingLine } from '../../ledger/server/api.ts'
import type { PurseLeg } from './events.ts'
import { assetOf, type PaymentRow } from './row.ts'

/** The channels of money that never leaves the house: it comes out of accounts that the ledger keeps, and goes back to them at once. */
const PURSES = new Set(['stored', 'points'])
export const isPurse = ({ channel }: Pick<PaymentRow, 'channel'>) => PURSES.has(channel)

export const writeLegs = (tx: Tx, { id, parkCode }: Pick<PaymentRow, 'id' | 'parkCode'>, legs: readonly PurseLeg[]) =>
  run(tx, LEGS, [id, parkCode, legs.map(({ account }) => account), legs.map(({ sub }) => sub), legs.map(({ fen }) => fen)])
const LEGS = {
  sql: `insert into settlement.leg (payment_id, seq, park_code, account, sub, amount_fen)
    select $1, l.seq, $2, l.account, l.sub, l.fen from unnest($3::text[], $4::text[], $5::bigint[]) with ordinality l (account, sub, fen, seq)`,
}

/** The ledger's lines for an amount of a payment that came in. */
export async function cameBy(tx: Tx, payment: PaymentRow, amountFen: number): Promise<PostingLine[]> {
  if (!isPurse(payment)) return [{ ...assetOf(payment), debitFen: amountFen }]
  return (await take(tx, payment, BOOKED, amountFen)).map(({ account, sub, fen }) => ({ account, sub, debitFen: fen }))
}
/** Splits an amount that goes back over the accounts that a purse payment was taken from. */
export const backTo = (tx: Tx, payment: PaymentRow, amountFen: number): Promise<PurseLeg[]> => take(tx, payment, RETURNED, amountFen)

/**
 * How many fen each leg has borne once `doneFen` of the whole are done: by proportion, and of every further fen no leg ever bears less than before.
 * The whole is every leg whole.
 */
export function shares(legs: readonly number[], doneFen: number): number[] {
  let whole = legs.reduce((sum, fen) => sum + fen, 0)
  let rest = doneFen
  return legs.map((fen) => {
    const share = whole === 0 ? 0 : Number((BigInt(fen) * BigInt(rest)) / BigInt(whole))
    whole -= fen
    rest -= share
    return share
  })
}

type Leg = Omit<PurseLeg, 'fen'> & { seq: number; amountFen: number; doneFen: number }
async function take(tx: Tx, { id }: PaymentRow, { read, write }: typeof BOOKED, amountFen: number): Promise<PurseLeg[]> {
  const legs = await run<Leg>(tx, { sql: read }, [id])
  const doneFen = legs.reduce((sum, leg) => sum + leg.doneFen, 0) + amountFen
  const after = shares(
    legs.map((leg) => leg.amountFen),
    doneFen,
  )
  await run(tx, { sql: write }, [id, legs.map(({ seq }) => seq), after])
  return legs.map(({ account, sub, doneFen: before }, place) => ({ account, sub, fen: after[place]! - before })).filter(({ fen }) => fen > 0)
}
const OF_PAYMENT = 'from settlement.leg where enterprise_id = scope_enterprise() and payment_id = $1 order by seq for update'
const BY_SEQ =
  'from unnest($2::smallint[], $3::bigint[]) t (seq, fen) where enterprise_id = scope_enterprise() and payment_id = $1 and leg.seq = t.seq'
const BOOKED = {
  read: `select seq, account, sub, amount_fen, booked_fen as done_fen ${OF_PAYMENT}`,
  write: `update settlement.leg set booked_fen = t.fen ${BY_SEQ}`,
}
const RETURNED = {
  read: `select seq, account, sub, amount_fen, refund_fen as done_fen ${OF_PAYMENT}`,
  write: `update settlement.leg set refund_fen = t.fen ${BY_SEQ}`,
}
