import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { post } from '../../ledger/server/api.ts'
import { Waiver, waiver, waiverSearch } from '../contract/waiver.ts'
import { bookDue } from './opening.ts'
import { NotPayable } from './receiving.ts'
import { SelfApproval } from './refund.ts'
import { change, moved, orderOf, refuseMove, soldAs, tellSettled } from './row.ts'

export type WaiverRow = Of<typeof Waiver>
const waivers = listOver(Waiver, 'settlement.waiver', waiverSearch)
export const WAIVER = Object.keys(Waiver.properties).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ') // prettier-ignore
type Person = { userId: string; userName: string }

export const calls = serve(waiver, {
  list: ({ tx, input }) => page(tx, waivers, input),
  async apply({ tx, input, actor, at }) {
    const order = await orderOf(tx, input.orderId)
    if (order.status !== 0 && order.status !== 4) throw IllegalMove({ status: order.status })
    if (order.payableFen !== input.amountFen) throw NotPayable()
    const sql = `insert into settlement.waiver (order_id, park_code, amount_fen, reason, applicant_id, applicant_name, applied_at) values ($1, $2, $3, $4, $5, $6, $7) returning ${WAIVER}`
    const [made] = await run<WaiverRow>(tx, { sql }, [order.id, order.parkCode, input.amountFen, input.reason, actor.userId, actor.userName, at])
    return made!
  },
  async approve({ tx, input, actor, at }) {
    const granted = await decide(tx, input, actor, at, 1)
    await waive(tx, granted, at)
    return granted
  },
  reject: ({ tx, input, actor, at }) => decide(tx, input, actor, at, 2),
})

async function decide(
  tx: Tx,
  { id, version, verdict }: { id: string; version: number; verdict?: string },
  actor: Person,
  at: Instant,
  state: 1 | 2,
): Promise<WaiverRow> {
  const sql = `update settlement.waiver set state = $3, approver_id = $4, approver_name = $5, verdict = $6, decided_at = $7, version = version + 1, updated_at = now()
    where enterprise_id = scope_enterprise() and id = $1 and version = $2 and state = 0 and applicant_id <> $4::uuid returning ${WAIVER}`
  const [decided] = await run<WaiverRow>(tx, { sql }, [id, version, state, actor.userId, actor.userName, verdict ?? null, at])
  if (decided) return decided
  const found = await find(tx, waivers, id)
  if (!found) throw NotFound()
  if (found.state !== 0) throw IllegalMove({ state: found.state })
  throw found.version === version ? SelfApproval() : Stale({ ...found })
}

/** 0 or 4 → 8. What was asked must still be asked: an order that was paid or got another amount meanwhile is refused. */
async function waive(tx: Tx, { orderId, amountFen, reason }: WaiverRow, at: Instant): Promise<void> {
  const order = await change(
    tx,
    orderId,
    'status = 8, waived_fen = payable_fen, pay_time = $3',
    'status in (0, 4) and paid_fen = 0 and payable_fen = $2',
    [amountFen, at],
  )
  if (!order) return void (await refuseMove(tx, orderId))
  await moved(tx, order, order.was, 8, 'waived', at, reason)
  const off = { account: 'contra.waiver', debitFen: amountFen } as const
  if (!order.owed) await bookDue(tx, order, 'order.waived', at, [off])
  else
    await post(tx, {
      bizType: 'order.waived', bizNo: order.orderNo, about: order.orderNo, eventId: `waived:${order.orderNo}`, at, parkCode: order.parkCode, business: soldAs(order.type).business,
      lines: [off, { account: 'asset.arrears', creditFen: amountFen }],
    }) // prettier-ignore
  await tellSettled(tx, order, at)
}
