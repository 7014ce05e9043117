import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { LaneEvent } from '../../device/server/api.ts'
import { statusOf } from '../../device/server/api.ts'
import { DeviceType } from '../../device/contract/device.ts'
import { Detector } from '../contract/berth.ts'
import { EvidenceKind } from '../contract/roadStay.ts'
import { arrives } from './arriving.ts'
import { holdPlace } from './binding.ts'
import { leaves } from './leaving.ts'
import { type Place, placeIf } from './place.ts'
import { picturesIn, plateIn } from './reading.ts'
import type { Seen } from './seen.ts'
import { DOME_EVENT, sighted } from './sighting.ts'

/** Events of berth devices; any other is a lane's. */
const KINDS: Record<string, Seen['kind']> = { occupied: EvidenceKind.arrive, seen: EvidenceKind.stands, vacant: EvidenceKind.leave }

/** The answer to `device.laneEvent`: what happened at a berth, or before a dome, is decided in the transaction that keeps the message. */
export async function hearStreet(tx: Tx, event: LaneEvent): Promise<void> {
  if (event.type === DOME_EVENT) return sighted(tx, event)
  const kind = KINDS[event.type]
  if (kind === undefined) return
  const watched = await watchedBy(tx, event)
  if (!watched) return // bound to nothing, or to no berth of that name: kept as a message
  // As it is once it is held: it may have been removed, or closed, a moment ago.
  const [, place] = await Promise.all([holdPlace(tx, watched.place), placeIf(tx, watched.place)])
  if (!place) return
  const seen = seenIn(event, kind, watched.detector)
  await (kind === EvidenceKind.leave ? leaves(tx, place, seen) : arrives(tx, place, seen))
}

type DetectorCode = Of<typeof import('../contract/roadStay.ts').Evidence>['detector']
/** The berth that the device meant, and how it sees it. One that goes about names any berth of its district; one that is fixed was bound to it at that time. */
async function watchedBy(tx: Tx, { sn, parkCode, body, deviceTime }: LaneEvent): Promise<{ place: Place; detector: DetectorCode } | undefined> {
  const named = typeof body['berth'] === 'string' ? body['berth'].slice(0, NAME_MAX) : null
  const bound = await run<{ seatCode: string; berthNo: string; kind: DetectorCode }>(tx, BOUND, [sn, deviceTime])
  const its = bound.length === 1 ? bound[0] : bound.find(({ seatCode, berthNo }) => seatCode === named || berthNo === named)
  if (its) return withPlace(await placeIf(tx, { parkCode, seatCode: its.seatCode }), its.kind)
  if (bound.length > 0 || named === null) return undefined
  const type = (await statusOf(tx, sn))?.type
  const detector = type === DeviceType.patrolCar ? Detector.patrol : type === DeviceType.handheld ? Detector.handheld : undefined
  return detector === undefined ? undefined : withPlace(await placeIf(tx, { parkCode, seatCode: named }), detector)
}
const withPlace = (place: Place | undefined, detector: DetectorCode) => place && { place, detector }
const NAME_MAX = 24
const BOUND = {
  sql: `select d.seat_code, b.berth_no, d.kind from roadside.binding d join roadside.berth b on b.enterprise_id = d.enterprise_id and b.park_code = d.park_code and b.seat_code = d.seat_code
    where d.enterprise_id = scope_enterprise() and d.device_no = $1 and d.from_at <= $2 and (d.to_at is null or d.to_at > $2) limit 50`,
}

function seenIn(event: LaneEvent, kind: Seen['kind'], detector: DetectorCode): Seen {
  const { body } = event
  const { plateNo, plateColor, confidence } = plateIn(event)
  const picture = picturesIn(event)[0] ?? null
  return {
    kind,
    detector,
    deviceNo: event.sn,
    at: event.deviceTime,
    receivedAt: event.receivedAt,
    image: picture,
    plateNo,
    plateColor,
    confidence,
    // A camera that reads a plate from its picture has both in it, unless it says otherwise.
    showsBerth: picture !== null && body['showsBerth'] !== false,
    showsPlate: picture !== null && plateNo !== null && body['showsPlate'] !== false,
    by: null,
    messageId: event.messageId,
  }
}
