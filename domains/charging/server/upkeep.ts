import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { adminMaintenance, Equipment, equipmentSearch } from '../contract/pile.ts'
import { OperateKind } from '../contract/operateLog.ts'
import { loadMoved } from './loadShare.ts'
import { logged } from './pile.ts'
import { tellInUse } from './pileCommand.ts'
import './tables.ts'

const equipments = listOver(Equipment, 'charging.equipment', equipmentSearch)
type Row = Of<typeof Equipment>
interface Kept {
  equipmentId: string
  at: Instant
  by: string
}

/** Whoever repairs takes a pile in hand or gives it back; answers with its status until then. One that the move does not concern stays as it is. @throws NotFound */
export async function maintainPile(tx: Tx, { move, ...kept }: Kept & { move: 'repair' | 'mend' | 'wait' }): Promise<Row['adminStatus']> {
  const found = await held(tx, kept.equipmentId)
  const adminStatus = adminMaintenance[move](found.adminStatus)
  if (adminStatus !== undefined) await put(tx, found, adminStatus, move, kept)
  return found.adminStatus
}
/** For good, by an approval of maintenance: nothing begins there any more, its secret opens nothing, and what was under way ends by itself. @throws IllegalMove while it is in use */
export async function scrapPile(tx: Tx, kept: Kept): Promise<void> {
  const found = await held(tx, kept.equipmentId)
  const adminStatus = adminMaintenance.scrap(found.adminStatus)
  if (adminStatus === undefined) throw IllegalMove({ equipmentId: kept.equipmentId, adminStatus: found.adminStatus })
  await put(tx, found, adminStatus, 'scrap', kept)
  await run(tx, { sql: VOID }, [kept.equipmentId])
}
const VOID =
  'update charging.link set secret_hash = null, next_hash = null, next_salt = null where enterprise_id = scope_enterprise() and equipment_id = $1'

async function held(tx: Tx, equipmentId: string): Promise<Row> {
  const [key] = await run<{ id: Id<'EquipmentId'> }>(tx, { sql: BY_ID }, [equipmentId])
  if (!key) throw NotFound({ equipmentId })
  return lockRow(tx, equipments, key)
}
const BY_ID = 'select id from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1'
async function put(tx: Tx, found: Row, adminStatus: Row['adminStatus'], action: string, { at, by }: Kept): Promise<void> {
  const made = await setRow(tx, equipments, found, { adminStatus }, at)
  await loadMoved(tx, { equipmentId: made.equipmentId })
  const told = { before: { adminStatus: found.adminStatus }, after: { adminStatus } }
  const wish = await tellInUse(tx, made, { from: found.adminStatus, to: adminStatus, byName: by, reason: null })
  await logged(tx, made, { kind: OperateKind.status, action, who: by, reason: null, ...told, ...wish, at })
}
