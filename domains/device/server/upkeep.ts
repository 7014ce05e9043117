import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { Device, deviceMaintenance, deviceSearch } from '../contract/device.ts'
import './tables.ts'

const rows = listOver(Device, 'device.device', deviceSearch)
const BY_NO = 'select id from device.device where enterprise_id = scope_enterprise() and device_no = $1'

interface Upkeep {
  deviceNo: string
  move: keyof typeof deviceMaintenance
  at: Instant
}
/** Takes a device into repair or gives it back; returns its use before. A device that the move does not concern stays as it is. @throws NotFound */
export async function maintain(tx: Tx, { deviceNo, move, at }: Upkeep): Promise<Of<typeof Device>['useStatus']> {
  const [key] = await run<{ id: Id<'DeviceId'> }>(tx, { sql: BY_NO }, [deviceNo])
  if (!key) throw NotFound({ deviceNo })
  const found = await lockRow(tx, rows, key)
  const useStatus = deviceMaintenance[move](found.useStatus)
  if (useStatus !== undefined) await setRow(tx, rows, found, { useStatus }, at)
  return found.useStatus
}
