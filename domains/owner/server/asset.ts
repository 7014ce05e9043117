import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { asset, Movement, MovementKind, movementSearch } from '../contract/asset.ts'
import { HOLDERS, lockActive } from './owner.ts'
import { accountPurse } from './purse.ts'
import { checkWay, openRecharge, payUrlOf, takeCash } from './recharge.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

export const movements = listOver(Movement, 'owner.asset', movementSearch, {
  sums: ['amountFen', 'principalFen', 'bonusFen'],
  through: { phone: { column: 'whose', sql: `${HOLDERS} and phone ^@ $1` } },
})

export const calls = serve(asset, {
  info: ({ tx, input }) => page(tx, movements, input),
  export: exporting(asset.export, movements),
  sum: ({ tx, input }) => sumOf(tx, input),
  recharge: phased(async ({ input, actor, at, write }) => {
    const { ownerId, payFen, payMethod } = input
    checkWay(payMethod)
    const paid = { payMethod, actor, at }
    const order = await write(async (tx) => {
      const owner = await lockActive(tx, ownerId)
      const purseId = await accountPurse(tx, ownerId)
      return takeCash(tx, await openRecharge(tx, { purseId, ownerId, payFen, subject: Said.recharge({ name: owner.nickname }), at }), paid)
    })
    return (await payUrlOf(write, order, paid)) as Of<typeof asset.recharge.reply>
  }),
})

async function sumOf(tx: Tx, { ownerId, phone, purseKind, atFrom, atTo }: Of<typeof asset.sum.input>): Promise<Of<typeof asset.sum.reply>> {
  const [sums] = await run<Of<typeof asset.sum.reply>>(tx, { sql: SUM }, [
    ownerId ?? null,
    phone ?? null,
    purseKind ?? null,
    atFrom ?? null,
    atTo ?? null,
  ])
  return sums!
}
/** The identity holds line by line: the balance before, every kind of change, the balance after. */
const SUM = `select coalesce(sum(m.change) filter (where m.before), 0)::bigint as opening_fen, coalesce(sum(m.amount_fen) filter (where m.kind = ${MovementKind.recharged} and m.within), 0)::bigint as recharged_fen, coalesce(sum(m.amount_fen) filter (where m.kind = ${MovementKind.given} and m.within), 0)::bigint as given_fen,
    coalesce(-sum(m.amount_fen) filter (where m.kind = ${MovementKind.spent} and m.within), 0)::bigint as spent_fen, coalesce(-sum(m.amount_fen) filter (where m.kind = ${MovementKind.refunded} and m.within), 0)::bigint as refunded_fen, coalesce(-sum(m.amount_fen) filter (where m.kind = ${MovementKind.takenBack} and m.within), 0)::bigint as taken_back_fen, coalesce(sum(m.amount_fen) filter (where m.kind = ${MovementKind.merged} and m.within), 0)::bigint as merged_fen,
    coalesce(sum(m.change) filter (where m.before or m.within), 0)::bigint as closing_fen, coalesce(sum(m.principal_fen) filter (where m.before or m.within), 0)::bigint as principal_fen,
    coalesce(sum(m.bonus_fen) filter (where m.before or m.within), 0)::bigint as bonus_fen, coalesce(sum(m.frozen_fen), 0)::bigint as frozen_fen,
    count(distinct m.owner_id) filter (where m.latest and m.balance_after_fen > 0)::integer as owners
  from (select m.*, m.principal_fen + m.bonus_fen as change, m.at < coalesce($4::timestamptz, '-infinity') as before, m.at between coalesce($4::timestamptz, '-infinity') and coalesce($5::timestamptz, 'infinity') as within
    from owner.asset m where m.enterprise_id = scope_enterprise() and ($1::uuid is null or m.owner_id = $1) and ($2::text is null or m.whose in (${HOLDERS} and phone ^@ $2)) and ($3::smallint is null or m.purse_kind = $3)) m`
