import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, Stale } from '../../../../platform/server/refusal.ts'
import { RefundState } from '../../../settlement/contract/refund.ts'
import { withdrawRefund } from '../../../settlement/server/api.ts'
import { passOf, type Held } from './pass.ts'

/**
 * Withdraws a cancellation made by mistake, while nobody has decided: the applicant withdraws each of its refunds, and with the last one the pass goes on as in `hearRefund`.
 * Refunds are locked before money and the pass, as deciding on them does. @throws NotYours when somebody else asked for one
 */
export async function takeGiveBackBack(
  tx: Tx,
  { id, version }: { id: string; version: number },
  actor: { userId: string; userName: string },
  at: Instant,
): Promise<Held> {
  const open = await run<{ id: string; version: number }>(tx, OPEN, [id])
  const pass = await passOf(tx, id)
  if (pass.version !== version) throw Stale({ ...pass })
  if (open.length === 0) throw IllegalMove({ status: pass.status })
  for (const refund of open) await withdrawRefund(tx, refund, actor, at)
  return passOf(tx, id)
}
const OPEN = {
  sql: `select f.id, f.version from settlement.refund f where f.enterprise_id = scope_enterprise() and f.state = ${RefundState.waiting}
      and f.id in (select p.refund_id from member.period p where p.enterprise_id = scope_enterprise() and p.pass_id = $1) order by f.id for update`,
}
