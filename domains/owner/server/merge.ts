import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { setRow } from '../../../platform/server/row.ts'
import { post } from '../../ledger/server/api.ts'
import { mergeOwners as mergeCharging } from '../../charging/server/api.ts'
import { creditInstead } from '../../settlement/server/api.ts'
import { type account, OwnerStatus } from '../contract/account.ts'
import { MovementKind, NO_PARK, PurseKind } from '../contract/asset.ts'
import { CARS_MAX, VerifyState } from '../contract/car.ts'
import { StoredRefundState } from '../contract/refund.ts'
import { isCharging } from './charging.ts'
import { accounts, lockActive } from './owner.ts'
import { accountPurse, book, lockPurses } from './purse.ts'
import { ownersMerged } from './questions.ts'
import { Said } from '../contract/said.ts'

const Same = refusal('owner.merge-same', 41513, '请选择两个不同的车主', 'Choose two different owners', 422)
const TooManyCars = refusal(
  'owner.merge-cars',
  41514,
  '合并后车辆超过 5 辆，请先解绑',
  'Merged, they would have more than five cars: unbind some first',
)
const OpenRefund = refusal('owner.merge-refund', 41515, '有进行中的储值退款，办结后再合并', 'A refund is under way: merge when it is finished')
const OpenCharge = refusal(
  'owner.merge-charging',
  41518,
  '有进行中的充电占用储值，结束后再合并',
  'A running charging session holds stored value: merge when it ends',
)
const SomeParks = refusal(
  'owner.merge-parks',
  41517,
  '车主的资料可能在其他车场，请由可查看全部车场的人员合并',
  'The owners may have records in other car parks: someone who sees all car parks must merge them',
  403,
)

type Merge = Of<typeof account.merge.reply>
/** All that one owner has becomes another's: cars, cards, money, its history, and the rows of other domains by their id. The purse that is empty then stays for the books. */
export async function mergeInto(
  tx: Tx,
  { keepId, goneId, dryRun }: { keepId: string; goneId: string; dryRun: boolean },
  actor: { userName: string },
  at: Instant,
): Promise<Merge> {
  if (keepId === goneId) throw Same()
  if (parksOf(tx) !== null) throw SomeParks()
  const held = new Map<string, Awaited<ReturnType<typeof lockActive>>>()
  for (const id of [keepId, goneId].sort()) held.set(id, await lockActive(tx, id))
  const [{ cars, cards }] = (await run<{ cars: number; cards: number }>(tx, { sql: COUNT }, [keepId, goneId])) as [{ cars: number; cards: number }]
  if (cars > CARS_MAX) throw TooManyCars()
  if ((await run(tx, { sql: REFUNDS }, [[keepId, goneId]])).length > 0) throw OpenRefund()
  if (await isCharging(tx, [keepId, goneId])) throw OpenCharge()
  const { phone: keepPhone } = held.get(keepId)!
  const { phone: gonePhone } = held.get(goneId)!
  const merging = { keepId, goneId, keepPhone, gonePhone, at }
  await ownersMerged.ask(tx, { ...merging, dryRun })
  if (!dryRun) await mergeCharging(tx, merging)
  await run(tx, { sql: CARDS }, [goneId])
  const [keep, gone] = [await accountPurse(tx, keepId), await accountPurse(tx, goneId)]
  const { principalFen, bonusFen } = (await lockPurses(tx, [keep, gone])).get(gone)!
  const merge: Merge = { cars, cards, principalFen: principalFen as Fen, bonusFen: bonusFen as Fen, done: !dryRun }
  if (dryRun) return merge
  await moveMoney(tx, { keep, gone, principalFen, bonusFen, bizNo: `HB-${goneId.slice(-12)}`, operatorName: actor.userName, at })
  for (const sql of MOVE_ALL) await run(tx, { sql }, [keepId, goneId])
  await run(tx, { sql: CARD_PHONES }, [keepId, keepPhone, gonePhone])
  await creditInstead(tx, { from: gone, to: keep })
  await run(tx, { sql: 'update owner.recharge set purse_id = $2 where enterprise_id = scope_enterprise() and purse_id = $1' }, [gone, keep])
  await setRow(tx, accounts, held.get(goneId)!, { status: OwnerStatus.merged, mergedInto: keepId }, at)
  return merge
}
/** A plate that both have is one car. */
const COUNT = `select (select count(distinct (plate_no, plate_color)) from owner.car where enterprise_id = scope_enterprise() and owner_id in ($1, $2) and verify_state <> ${VerifyState.unbound})::integer as cars,
  (select count(*) from owner.card where enterprise_id = scope_enterprise() and owner_id = $2)::integer as cards`
/** Locked before the purses, as giving money back to one of them does. */
const CARDS = 'select id from owner.card where enterprise_id = scope_enterprise() and owner_id = $1 order by id for update'
const REFUNDS = `select 1 from owner.refund where enterprise_id = scope_enterprise() and owner_id = any($1) and state in (${StoredRefundState.waiting}, ${StoredRefundState.firstPassed}, ${StoredRefundState.secondPassed}, ${StoredRefundState.paying}) limit 1`
// A plate of both stays with whom it is verified; the other's is unbound. Slots are given anew, out of those that are free.
const MOVE_ALL = [
  `update owner.car g set verify_state = ${VerifyState.unbound}, slot = null, auto_debit = false, unbound_at = now(), unbind_reason = '${Said.merged}', version = g.version + 1 from owner.car k
    where g.enterprise_id = scope_enterprise() and k.enterprise_id = g.enterprise_id and k.plate_no = g.plate_no and k.plate_color = g.plate_color and k.verify_state <> ${VerifyState.unbound} and g.verify_state <> ${VerifyState.unbound}
      and ((g.owner_id = $2 and k.owner_id = $1 and g.verify_state <> ${VerifyState.verified}) or (g.owner_id = $1 and k.owner_id = $2 and k.verify_state = ${VerifyState.verified}))`,
  `update owner.car g set owner_id = $1, is_default = false, slot = f.slot, version = g.version + 1 from (
      select c.id, row_number() over (order by c.bind_at) as turn from owner.car c where c.enterprise_id = scope_enterprise() and c.owner_id = $2 and c.verify_state <> ${VerifyState.unbound}) c
    join (select s as slot, row_number() over (order by s) as turn from generate_series(1, ${CARS_MAX}) s
      where not exists (select from owner.car k where k.enterprise_id = scope_enterprise() and k.owner_id = $1 and k.slot = s and k.verify_state <> ${VerifyState.unbound})) f on f.turn = c.turn
    where g.enterprise_id = scope_enterprise() and g.id = c.id`,
  'update owner.car set owner_id = $1 where enterprise_id = scope_enterprise() and owner_id = $2',
  'update owner.card set owner_id = $1, version = version + 1 where enterprise_id = scope_enterprise() and owner_id = $2',
  `update owner.purse set owner_id = $1 where enterprise_id = scope_enterprise() and owner_id = $2 and kind = ${PurseKind.card}`,
  'update owner.movement set owner_id = $1 where enterprise_id = scope_enterprise() and owner_id = $2',
  'update owner.recharge set owner_id = $1 where enterprise_id = scope_enterprise() and owner_id = $2',
  'update owner.refund set owner_id = $1 where enterprise_id = scope_enterprise() and owner_id = $2',
]
const CARD_PHONES = 'update owner.card set phone = $2 where enterprise_id = scope_enterprise() and owner_id = $1 and phone = $3'

interface Moved {
  keep: string
  gone: string
  principalFen: number
  bonusFen: number
  bizNo: string
  operatorName: string
  at: Instant
}
async function moveMoney(tx: Tx, { keep, gone, principalFen, bonusFen, bizNo, operatorName, at }: Moved): Promise<void> {
  if (principalFen + bonusFen === 0) return
  await post(tx, {
    bizType: 'stored.merged',
    bizNo,
    eventId: `stored-merged:${gone}`,
    at,
    parkCode: NO_PARK,
    business: 'stored',
    lines: [
      { account: 'liability.stored', sub: gone, debitFen: principalFen },
      { account: 'liability.stored', sub: keep, creditFen: principalFen },
      { account: 'liability.stored-bonus', sub: gone, debitFen: bonusFen },
      { account: 'liability.stored-bonus', sub: keep, creditFen: bonusFen },
    ],
  })
  await book(tx, gone, { kind: MovementKind.merged, principalFen: -principalFen, bonusFen: -bonusFen, bizNo, operatorName, at })
  await book(tx, keep, { kind: MovementKind.merged, principalFen, bonusFen, bizNo, operatorName, at })
}
