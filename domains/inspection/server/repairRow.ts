import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { setRow } from '../../../platform/server/row.ts'
import { followOrder } from '../../after-sale/server/api.ts'
import { KeptRepair, Repair, repairCan, repairSearch, RepairState } from '../contract/repair.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

export const repairs = listOver(Repair, 'inspection.repair', repairSearch)
/** The columns of a stored repair: rows are written by this list. */
export const kept = listOver(KeptRepair, 'inspection.repair', repairSearch)
export type Kept = Of<typeof KeptRepair>
export const repairTopic = topic('inspection.repair', 'inspection:repair:view')
export const tellRepair = (tx: Tx, { id, parkCode }: Pick<Kept, 'id' | 'parkCode'>) =>
  tell(tx, repairTopic, { ...(parkCode && { park: parkCode }), ids: [id] })

/** Serializes reports, repairs and scraps of one device. */
export const inTurn = (tx: Tx, deviceNo: string) => run(tx, { sql: IN_TURN }, [deviceNo])
const IN_TURN = `select pg_advisory_xact_lock(hashtextextended('inspection.repair ' || $1, scope_enterprise()))`
const OPEN = `(${RepairState.unassigned}, ${RepairState.assigned}, ${RepairState.working}, ${RepairState.handedIn}, ${RepairState.returned})`
export async function openRepair(tx: Tx, deviceNo: string): Promise<Kept['id'] | undefined> {
  return (await run<{ id: Kept['id'] }>(tx, { sql: OPEN_OF }, [deviceNo]))[0]?.id
}
const OPEN_OF = `select id from inspection.repair where enterprise_id = scope_enterprise() and device_no = $1 and state in ${OPEN}`

const StillRepaired = refusal(
  'inspection.still-repaired',
  42068,
  '{deviceNo} 的维修单 {repairNo} 尚未完成，不能转为库存；请先完成维修',
  '{deviceNo} cannot be put in stock while its repair {repairNo} is open: finish the repair first',
)
/** Its acceptance brings a device back to where it was: until then nobody puts it into the store by hand, whichever parks they see. @throws StillRepaired */
export async function refuseShelving(tx: Tx, { deviceNo }: { deviceNo: string }): Promise<void> {
  const [{ repairNo }] = (await run<{ repairNo: string | null }>(tx, { sql: IN_HAND }, [deviceNo])) as [{ repairNo: string | null }]
  if (repairNo !== null) throw StillRepaired({ deviceNo, repairNo })
}
const IN_HAND = 'select inspection.repair_in_hand($1) as repair_no'

interface Said extends Doer {
  whom?: string | null | undefined
  reason?: string | null | undefined
  images?: string | null | undefined
}
/** The one way by which a held repair changes its state; every step is kept. @throws IllegalMove */
export async function moveRepair(
  tx: Tx,
  found: Kept,
  move: keyof typeof repairCan,
  changes: Partial<Kept>,
  { at, by, byId, whom = null, reason = null, images = null }: Said,
): Promise<Kept> {
  const state = repairCan[move](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state, repairNo: found.repairNo })
  await run(tx, { sql: STEP }, [found.id, at, found.state, state, by, whom, reason, images])
  const made = await setRow(tx, kept, found, { ...changes, state }, at)
  await tellRepair(tx, made)
  await takeOrderAlong(tx, made, { at, by, byId })
  return made
}

interface Doer {
  at: Instant
  by: string
  byId: Kept['workerId']
}
/** The work order that a repair has made goes along with it, and ends with it. If the repairer has no account, the order is with the person who assigned the repair. */
export async function takeOrderAlong(tx: Tx, { orderId, state, repairNo, workerId, tollName }: Kept, { at, by, byId }: Doer): Promise<void> {
  if (orderId === null) return
  const who = workerId ? { id: workerId, name: tollName ?? by } : byId ? { id: byId, name: by } : undefined
  const told = { at, by }
  if (state === RepairState.unassigned || state === RepairState.returned) return followOrder(tx, orderId, { is: 'waiting' }, told)
  if (state === RepairState.done) return followOrder(tx, orderId, { is: 'over', who, opinion: Said.accepted({ repairNo }) }, told)
  if (state === RepairState.scrapped)
    return followOrder(tx, orderId, { is: 'over', who: workerId ? who : undefined, opinion: Said.scrapped({ repairNo }) }, told)
  if (who) await followOrder(tx, orderId, { is: 'inHand', who }, told)
}
const STEP = `insert into inspection.repair_step (repair_id, seq, at, "from", "to", who, whom, reason, images)
  select $1, coalesce((select max(seq) from inspection.repair_step where enterprise_id = scope_enterprise() and repair_id = $1), 0) + 1, $2, $3, $4, $5, $6, $7, $8`
