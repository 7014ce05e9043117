import type { Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime, DAY_MS, dayOf, instantAt, msOf } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { DeviceType, DeviceUse, WarningType } from '../../device/contract/device.ts'
import { type LaneEvent, raise, statusOf } from '../../device/server/api.ts'
import { UseStatus } from '../../parking/contract/park.ts'
import { type Preset, presetWarning } from '../contract/dome.ts'
import { IllegalSource } from '../contract/illegalStop.ts'
import { caught } from './caught.ts'
import { picturesIn, plateIn } from './reading.ts'
import './tables.ts'

/** The event by which a dome reports a car that stands where it looks. */
export const DOME_EVENT = 'illegalStop'

/**
 * A dome saw a car at one of its presets: in the days and hours of its ban that is an illegal stop. A sighting without a plate cannot be reviewed: it is
 * kept as a message, as is that of a dome that is not in use. A preset that nobody has set up raises a warning.
 */
export async function sighted(tx: Tx, event: LaneEvent): Promise<void> {
  const { sn, parkCode, body, deviceTime: at } = event
  const dome = await statusOf(tx, sn)
  if (dome?.type !== DeviceType.dome || dome.useStatus !== DeviceUse.inUse) return
  const { plateNo, plateColor, confidence } = plateIn(event)
  if (plateNo === null) return
  const presetNo = Number(body['preset'])
  const preset = await presetOf(tx, { deviceNo: sn, parkCode, presetNo })
  if (!preset) return raise(tx, sn, WarningType.unhandled, presetWarning(presetNo), { messageId: event.messageId })
  if (preset.status !== UseStatus.inUse || !forbids(preset, at)) return
  const shows = { showsPlate: body['showsPlate'] !== false, showsPlace: body['showsPlace'] !== false }
  await caught(tx, {
    ...{ parkCode, plateNo, plateColor, confidence, at, filedBy: null, deviceNo: sn },
    ...{ type: preset.type, holdMin: preset.holdMin, source: IllegalSource.dome },
    // Zones of two domes may be called alike.
    place: `${dome.name} ${preset.zone}`,
    images: picturesIn(event).map((image) => ({ image, at, ...shows })),
  })
}

/** Finds a preset of the dome where it stood when the preset was set up: a moved dome is set up anew. */
const presetOf = (tx: Tx, { deviceNo, parkCode, presetNo }: { deviceNo: string; parkCode: string; presetNo: number }) =>
  Number.isInteger(presetNo)
    ? tx
        .selectFrom('roadside.preset')
        .select(['type', 'zone', 'holdMin', 'dayMask', 'timeFrom', 'timeTo', 'status'])
        .where('deviceNo', '=', deviceNo)
        .where('parkCode', '=', parkCode)
        .where('presetNo', '=', presetNo)
        .executeTakeFirst()
    : undefined

/** Whether stopping is forbidden then. Hours that pass midnight belong to the day on which they began. */
export function forbids({ dayMask, timeFrom, timeTo }: Pick<Of<typeof Preset>, 'dayMask' | 'timeFrom' | 'timeTo'>, at: Instant): boolean {
  const clock = cityTime(at).slice(11, 16)
  const over = timeFrom > timeTo
  if (timeFrom !== timeTo && !(over ? clock >= timeFrom || clock < timeTo : clock >= timeFrom && clock < timeTo)) return false
  const begun = over && clock < timeTo ? instantAt(msOf(at) - DAY_MS) : at
  return (dayMask & (1 << weekdayOf(begun))) !== 0
}
/** 0 is Monday. */
const weekdayOf = (at: Instant) => (new Date(`${dayOf(at)}T00:00:00Z`).getUTCDay() + 6) % 7
