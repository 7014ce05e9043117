import type { CodeOf, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, setRow } from '../../../platform/server/row.ts'
import { Level, type LevelCode } from '../../after-sale/contract/level.ts'
import { OrderSource, OrderType } from '../../after-sale/contract/workOrder.ts'
import { report } from '../../after-sale/server/api.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { Repair, RepairSource, RepairState } from '../contract/repair.ts'
import { inTurn, type Kept, kept, openRepair, takeOrderAlong, tellRepair } from './repairRow.ts'
import { thingOf } from './repairThing.ts'
import { Said } from '../contract/said.ts'

export const ScrappedAlready = refusal(
  'inspection.scrapped',
  42051,
  '{deviceNo} 已报废，不再维修',
  '{deviceNo} is scrapped and can no longer be repaired',
  422,
)

export interface Fault {
  deviceNo: string
  source: CodeOf<typeof RepairSource>
  level: LevelCode
  desc: string
  images?: string | null | undefined
  /** The reporter's name, as people read it. */
  by: string
  contact?: string | null | undefined
}
/**
 * A device was found bad: the report joins its open repair, or opens one. From level 高 on it also makes a work order of after-sale, one for each repair. Rounds, the console
 * and people who scan a
 * device report by this way. @throws NoSuchThing, ScrappedAlready
 */
export async function faultFound(tx: Tx, fault: Fault, at: Instant): Promise<Kept> {
  const { deviceNo, source, level, desc, images = null, by, contact = null } = fault
  await inTurn(tx, deviceNo)
  const thing = await thingOf(tx, deviceNo)
  if (thing.useStatus === DeviceUse.scrapped) throw ScrappedAlready({ deviceNo })
  const open = await openRepair(tx, deviceNo)
  const { deviceName, deviceType, parkCode } = thing
  const found = open
    ? await lockRow(tx, kept, { id: open })
    : ((await addRow(tx, kept, {
        deviceNo,
        deviceName,
        deviceType,
        parkCode,
        source,
        level,
        desc,
        images,
        openedName: by,
        createdAt: at,
        updatedAt: at,
      })) as Kept)
  const reports = found.reports + 1
  await run(tx, { sql: LINE }, [found.id, reports, at, source, level, desc, images, by, contact])
  const order = level >= Level.high ? await ordered(tx, found, fault, at) : {}
  const made = await setRow(tx, kept, found, { reports, level: Math.max(found.level, level) as LevelCode, ...order }, at)
  await tellRepair(tx, made)
  // An order of a repair that is already in hand needs nobody to assign it.
  if (made.orderId !== found.orderId && made.state !== RepairState.unassigned) await takeOrderAlong(tx, made, { at, by, byId: null })
  return made
}
const LINE =
  'insert into inspection.repair_line (repair_id, seq, at, source, level, "desc", images, who, contact) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)'

/** Of a device's long name so much stands in the title of its order. */
const TITLE_NAME = 50
/** One order for each repair: after-sale notes with it what comes again. */
async function ordered(tx: Tx, { repairNo, deviceNo, deviceName, parkCode }: Kept, { level, desc, images, source }: Fault, at: Instant) {
  const from = source === RepairSource.round ? OrderSource.inspection : source === RepairSource.warning ? OrderSource.device : OrderSource.console
  const { id, orderNo } = await report(
    tx,
    {
      sourceKey: `inspection.repair ${repairNo}`,
      type: OrderType.repair,
      source: from,
      level,
      title: Said.broken({ device: deviceName.slice(0, TITLE_NAME) }),
      content: desc,
      parkCode,
      deviceNo,
      images: images ?? null,
    },
    at,
  )
  return { orderId: id as Kept['orderId'], orderNo }
}

/** As people may see it: without the accounts behind it. */
export const shown = onlyFields(Repair) as (row: Kept) => Of<typeof Repair>
