import type { Id, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { Device, deviceCan, deviceSearch } from '../contract/device.ts'
import './tables.ts'

const rows = listOver(Device, 'device.device', deviceSearch)
const BY_NO = 'select id from device.device where enterprise_id = scope_enterprise() and device_no = $1'

/** Whoever repairs takes a device in hand (`repair`) or gives it back (`mend`). One that is not in use, or is there already, stays as it is. @throws NotFound */
export async function maintain(tx: Tx, { deviceNo, move, at }: { deviceNo: string; move: 'repair' | 'mend'; at: Instant }): Promise<void> {
  const [key] = await run<{ id: Id<'DeviceId'> }>(tx, { sql: BY_NO }, [deviceNo])
  if (!key) throw NotFound({ deviceNo })
  const found = await lockRow(tx, rows, key)
  const useStatus = deviceCan[move](found.useStatus)
  if (useStatus !== undefined) await setRow(tx, rows, found, { useStatus }, at)
}
