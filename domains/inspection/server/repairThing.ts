import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { maintainPile, scrapPile } from '../../charging/server/api.ts'
import { DeviceType, DeviceUse } from '../../device/contract/device.ts'
import { AdminStatus } from '../../charging/contract/pile.ts'
import { maintain, scrap } from '../../device/server/api.ts'
import type { KeptRepair, Thing } from '../contract/repair.ts'

export const NoSuchThing = refusal(
  'inspection.no-such-device',
  42050,
  '没有编号为 {deviceNo} 的设备或充电桩，请重新选择',
  'No device or pile has number {deviceNo}: choose another',
  422,
)

export interface Found extends Of<typeof Thing> {
  isPile: boolean
}
/** A device by its number, or a pile by its own. @throws NoSuchThing */
export async function thingOf(tx: Tx, deviceNo: string): Promise<Found> {
  const [found] = await run<Found>(tx, { sql: ONE }, [deviceNo])
  if (!found) throw NoSuchThing({ deviceNo })
  return found
}
/** Those whose number or name begins so, at most so many. */
export const thingsLike = (tx: Tx, keyword: string): Promise<Of<typeof Thing>[]> => run(tx, { sql: LIKE }, [keyword, THINGS_SHOWN])
const THINGS_SHOWN = 50
/** A pile's administrative status, expressed as a use status. */
const USE = `case e.admin_status when ${AdminStatus.scrapped} then ${DeviceUse.scrapped} when ${AdminStatus.maintained} then ${DeviceUse.inRepair} when ${AdminStatus.waiting} then ${DeviceUse.waiting}
  when ${AdminStatus.disabled} then ${DeviceUse.faulty} else ${DeviceUse.inUse} end::smallint`
const ONE = `select device_no, name as device_name, type as device_type, park_code, use_status, false as is_pile from device.device where enterprise_id = scope_enterprise() and device_no = $1
  union all select e.equipment_id, e.equipment_name, ${DeviceType.pile}::smallint, e.park_code, ${USE}, true from charging.equipment e where e.enterprise_id = scope_enterprise() and e.equipment_id = $1 limit 1`
const LIKE = `(select device_no, name as device_name, type as device_type, park_code, use_status from device.device
    where enterprise_id = scope_enterprise() and use_status <> ${DeviceUse.scrapped} and (device_no ^@ $1 or name ^@ $1) order by device_no limit $2)
  union all (select e.equipment_id, e.equipment_name, ${DeviceType.pile}::smallint, e.park_code, ${USE} from charging.equipment e
    where e.enterprise_id = scope_enterprise() and e.admin_status <> ${AdminStatus.scrapped} and (e.equipment_id ^@ $1 or e.equipment_name ^@ $1) order by e.equipment_id limit $2) limit $2`

interface Done {
  at: Instant
  by: string
}
/** Where a thing goes back to that was not in use when its repair began; nothing: it is in use again. */
type UseBefore = Of<typeof KeptRepair>['useBefore']
/** In repair while somebody works on it, wherever it was. Answers with where it goes back to, and with nothing to keep where it was in repair already. */
export async function takeInHand(tx: Tx, deviceNo: string, { at, by }: Done): Promise<UseBefore | undefined> {
  const { isPile } = await thingOf(tx, deviceNo)
  if (isPile) {
    const was = await maintainPile(tx, { equipmentId: deviceNo, move: 'repair', at, by })
    return was === AdminStatus.maintained ? undefined : was === AdminStatus.waiting ? DeviceUse.waiting : null
  }
  const was = await maintain(tx, { deviceNo, move: 'repair', at })
  return was === DeviceUse.inRepair ? undefined : was === DeviceUse.waiting || was === DeviceUse.inStock ? was : null
}
/** In use again when it is accepted; a device that waited or was in the store is so again. One that was taken out of repair by hand meanwhile stays there. */
export async function giveBack(tx: Tx, deviceNo: string, before: UseBefore, { at, by }: Done): Promise<void> {
  const { isPile } = await thingOf(tx, deviceNo)
  const waits = before === DeviceUse.waiting
  if (isPile) await maintainPile(tx, { equipmentId: deviceNo, move: waits ? 'wait' : 'mend', at, by })
  else await maintain(tx, { deviceNo, move: waits ? 'wait' : before === DeviceUse.inStock ? 'shelve' : 'mend', at })
}
/** For good: it lets go of everything and its secret opens nothing any more. */
export const scrapThing = (tx: Tx, { deviceNo, isPile }: Found, { at, by }: Done): Promise<void> =>
  isPile ? scrapPile(tx, { equipmentId: deviceNo, at, by }) : scrap(tx, { deviceNo, at })
