import type { Fen, Id, Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { PurseLeg } from '../../settlement/server/api.ts'
import { type MovementKind, NO_PARK, type PurseId, PurseKind } from '../contract/asset.ts'

export const TOO_LITTLE = 'owner.too-little'
export const TooLittle = refusal(
  TOO_LITTLE,
  41501,
  '储值余额不足：可用 ¥{left}，需 ¥{needed}；请先充值',
  'Not enough stored value: ¥{left} available, ¥{needed} needed: recharge first',
  422,
)

/** The balance of a purse. Frozen money waits for a refund, or is set aside for a charge. */
export interface Purse {
  id: Id<PurseId>
  kind: 1 | 2
  ownerId: string | null
  principalFen: Fen
  bonusFen: Fen
  frozenPrincipalFen: Fen
  frozenBonusFen: Fen
}
const PURSE = 'id, kind, owner_id, principal_fen, bonus_fen, frozen_principal_fen, frozen_bonus_fen'
export const freeOf = (purse: Purse) => ({
  principalFen: purse.principalFen - purse.frozenPrincipalFen,
  bonusFen: purse.bonusFen - purse.frozenBonusFen,
})

/** Held until the transaction is over: changes of one purse are one after the other. */
export async function lockPurse(tx: Tx, id: string): Promise<Purse> {
  const [purse] = await run<Purse>(tx, LOCK, [id])
  if (!purse) throw NotFound()
  return purse
}
const LOCK = { sql: `select ${PURSE} from owner.purse where enterprise_id = scope_enterprise() and id = $1 for no key update` }
/** In one order, so that two that need the same ones never wait in a ring. */
export async function lockPurses(tx: Tx, ids: readonly string[]): Promise<Map<string, Purse>> {
  const found = await run<Purse>(
    tx,
    { sql: `select ${PURSE} from owner.purse where enterprise_id = scope_enterprise() and id = any($1) order by id for no key update` },
    [ids],
  )
  return new Map(found.map((purse) => [purse.id as string, purse]))
}

/** The purse of an owner's account; the first time it is asked for it is made. */
export async function accountPurse(tx: Tx, ownerId: string): Promise<string> {
  await run(
    tx,
    {
      sql: `insert into owner.purse (kind, owner_id) values (${PurseKind.account}, $1) on conflict (enterprise_id, owner_id) where kind = ${PurseKind.account} do nothing`,
    },
    [ownerId],
  )
  const [found] = await run<{ id: string }>(
    tx,
    { sql: `select id from owner.purse where enterprise_id = scope_enterprise() and owner_id = $1 and kind = ${PurseKind.account}` },
    [ownerId],
  )
  return found!.id
}
export async function newCardPurse(tx: Tx, ownerId: string | null): Promise<string> {
  const [made] = await run<{ id: string }>(tx, { sql: `insert into owner.purse (kind, owner_id) values (${PurseKind.card}, $1) returning id` }, [
    ownerId,
  ])
  return made!.id
}

type Kind = keyof typeof MovementKind.entries
/** A change of a purse; fields left out stay. */
export interface Change {
  kind: Kind
  principalFen?: number
  bonusFen?: number
  frozenPrincipalFen?: number
  frozenBonusFen?: number
  bizNo: string
  orderId?: string | null
  plateNo?: string | null
  plateColor?: PlateColorCode | null
  parkCode?: string
  payMethod?: number | null
  operatorName?: string | null
  remark?: string | null
  at: Instant
}

/** Changes a purse and writes the movement with what stands in it afterwards. The table refuses what would go below nothing, or below what is frozen. */
export async function book(tx: Tx, purseId: string, change: Change): Promise<Purse> {
  const { kind, principalFen = 0, bonusFen = 0, frozenPrincipalFen = 0, frozenBonusFen = 0, bizNo, at } = change
  const [after] = await run<Purse & { seq: number }>(tx, { sql: CHANGE }, [purseId, principalFen, bonusFen, frozenPrincipalFen, frozenBonusFen, at])
  if (!after) throw NotFound()
  const { orderId = null, plateNo = null, plateColor = null, parkCode = NO_PARK, payMethod = null, operatorName = null, remark = null } = change
  await run(tx, { sql: MOVE }, [
    purseId,
    after.seq,
    after.ownerId,
    kind,
    principalFen,
    bonusFen,
    frozenPrincipalFen + frozenBonusFen,
    after.principalFen,
    after.bonusFen,
    after.frozenPrincipalFen + after.frozenBonusFen,
    bizNo,
    orderId,
    plateNo,
    plateColor,
    parkCode,
    payMethod,
    operatorName,
    remark,
    at,
  ])
  return after
}
const CHANGE = `update owner.purse set principal_fen = principal_fen + $2, bonus_fen = bonus_fen + $3, frozen_principal_fen = frozen_principal_fen + $4, frozen_bonus_fen = frozen_bonus_fen + $5,
  seq = seq + 1, version = version + 1, updated_at = $6 where enterprise_id = scope_enterprise() and id = $1 returning ${PURSE}, seq`
const MOVE = `insert into owner.movement (purse_id, seq, owner_id, kind, principal_fen, bonus_fen, frozen_fen, principal_after_fen, bonus_after_fen, frozen_after_fen, biz_no, order_id, plate_no, plate_color,
  park_code, pay_method, operator_name, remark, at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`

export interface Mix {
  principalFen: number
  bonusFen: number
}
/**
 * Splits an amount out of the free balance, by proportion: spending keeps the same share of bonus, and a refund is fair whenever it is asked for. The fen that is left over is
 * principal's.
 */
export function mixOf({ principalFen, bonusFen }: Mix, amountFen: number): Mix {
  const whole = principalFen + bonusFen
  const bonus = whole === 0 ? 0 : Number((BigInt(amountFen) * BigInt(bonusFen)) / BigInt(whole))
  return { principalFen: amountFen - bonus, bonusFen: bonus }
}
export const legsOf = (purseId: string, { principalFen, bonusFen }: Mix): PurseLeg[] => [
  { account: 'liability.stored', sub: purseId, fen: principalFen },
  { account: 'liability.stored-bonus', sub: purseId, fen: bonusFen },
]
export const yuanOf = (fen: number) => (fen / 100).toFixed(2)
