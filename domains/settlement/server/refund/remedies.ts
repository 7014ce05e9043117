import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { RefundState } from '../../contract/refund.ts'
import { WaiverState } from '../../contract/waiver.ts'

/** Money that went back to a payer, or that nobody has to pay any more. */
export interface Remedy {
  id: string
  kind: 'refund' | 'waiver'
  /** A refund's own number; a waiver has its order's. */
  no: string
  orderNo: string
  amountFen: number
  /** Approved at least: rejected and failed ones help nobody. */
  good: boolean
  appliedAt: Instant
}
const GOOD_REFUND = `r.state in (${RefundState.approved}, ${RefundState.sending}, ${RefundState.done})`
const ALL = `select * from (
    select r.id, 'refund' as kind, r.refund_no as no, o.order_no, r.amount_fen, ${GOOD_REFUND} as good, r.applied_at
      from settlement.refund r join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id where r.enterprise_id = scope_enterprise() and `
const WAIVED = ` union all select w.id, 'waiver', o.order_no, o.order_no, w.amount_fen, w.state = ${WaiverState.granted}, w.applied_at
      from settlement.waiver w join settlement.order o on o.enterprise_id = w.enterprise_id and o.id = w.order_id where w.enterprise_id = scope_enterprise() and `
const MOST = 50

/** Refunds and waivers of an order, the newest first. */
export const remediesOf = (tx: Tx, orderNo: string): Promise<Remedy[]> =>
  run(tx, { sql: `${ALL} o.order_no = $1 ${WAIVED} o.order_no = $1) q order by applied_at desc, id limit ${MOST}` }, [orderNo])
/** One by its id; undefined where the scope has none. */
export const remedyOf = async (tx: Tx, id: string): Promise<Remedy | undefined> =>
  (await run<Remedy>(tx, { sql: `${ALL} r.id = $1 ${WAIVED} w.id = $1) q` }, [id]))[0]
