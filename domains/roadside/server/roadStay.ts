import type { Fen, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { impliedColor, type PlateColorCode } from '../../../platform/contract/plate.ts'
import { cityTime } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { type CallContext, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { SessionAbnormal, SessionStatus, type StayId } from '../../parking/contract/stay.ts'
import { type AnyStay, dueOf, editStay, heldEvents, plateTyped, priceOf } from '../../parking/server/api.ts'
import { orderOf } from '../../settlement/server/api.ts'
import { Detector } from '../contract/berth.ts'
import { ConfirmState, EvidenceKind, RoadStay, roadSearch, roadStay, type RoadStory } from '../contract/roadStay.ts'
import { arrives } from './arriving.ts'
import { holdBerth, holdPlace } from './binding.ts'
import { billAt, leavesOf, placeOfStay } from './leaving.ts'
import { freeInWords } from './free.ts'
import { refuseLocked } from './handheld.ts'
import { nameByPerson } from './naming.ts'
import { merge, split } from './parts.ts'
import { type Place, placeOf } from './place.ts'
import { evidenceOf, keep, lacking, type Seen } from './seen.ts'
import { bill, collect } from './toll.ts'
import { lockRoadStay, setVisit, staysAround, visitOf } from './visit.ts'
import './tables.ts'

const BerthTaken = refusal(
  'roadside.berth-taken',
  41117,
  '泊位「{seatCode}」已停 {plateNo}，请先登记其驶离',
  'Berth “{seatCode}” is occupied by {plateNo}: record its departure first',
)
const BerthClosed = refusal('roadside.berth-closed', 41118, '该泊位已停用，已按违停登记', 'This berth is disabled; an illegal stop has been recorded')
const NotYet = refusal('roadside.not-yet', 41119, '时间不能晚于现在', 'The time cannot be in the future', 422)
const NotGone = refusal(
  'roadside.not-gone',
  41120,
  '之后仍有设备看到该车在停，请核对驶离时间',
  'A device detected the car after that time: check the departure time',
  422,
)
const StoodThen = refusal(
  'roadside.stood-then',
  41141,
  '当时泊位「{seatCode}」停的是 {plateNo}：请核对泊位和驶入时间',
  'At that time {plateNo} stood on berth “{seatCode}”: check the berth and the arrival time',
)
const StoodAfter = refusal(
  'roadside.stood-after',
  41142,
  '泊位「{seatCode}」在这之后停过 {plateNo}：请核对驶入时间，车已离开的请同时填写驶离时间（早于后车驶入）',
  '{plateNo} stood on berth “{seatCode}” after that: check the arrival time; if the car has left, give its departure too (before the next arrival)',
)
const StandsElsewhere = refusal(
  'roadside.stands-elsewhere',
  41149,
  '该车在泊位「{seatCode}」有未结束的停车（{since} 驶入）：请先登记其驶离；仍要登记的，请填写原因',
  'This car has an open stay on berth “{seatCode}” (since {since}): record its departure there first, or give a reason for recording it here anyway',
)
const OnlyPictures = refusal('roadside.only-pictures', 41121, '请上传图片', 'Upload a picture', 422)

type RoadRow = Of<typeof RoadStay>
const sums = ['receivableFen', 'discountFen', 'paidFen', 'arrearsFen'] as const
const ended = listOver(RoadStay, 'roadside.stay', roadSearch, { only: `status = ${SessionStatus.left}`, sums })
const present = listOver(RoadStay, 'roadside.stay', roadSearch, { only: `status in (${SessionStatus.present}, ${SessionStatus.leaving})`, sums })
const byId = listOver(RoadStay, 'roadside.stay', roadSearch)

export const calls = serve(roadStay, {
  roadOut: ({ tx, input }) => page(tx, ended, input),
  present: ({ tx, input }) => page(tx, present, input),
  story: ({ tx, input, at }) => storyOf(tx, input.id, at),
  async arrive(context) {
    const { tx, input, at, actor } = context
    await refuseLocked(tx, actor, input.at ?? at)
    const place = await placeOf(tx, input)
    await holdBerth(tx, place)
    const plateNo = plateTyped(input.plateNo, input.special)
    const plateColor = input.plateColor ?? impliedColor(plateNo)
    const [taken] = await run<{ plateNo: string }>(tx, TAKEN, [place.parkCode, place.seatCode, plateNo, input.leftAt ?? at])
    if (taken) throw BerthTaken({ seatCode: place.seatCode, plateNo: taken.plateNo })
    const came = { ...byHand(context, EvidenceKind.arrive, input.at ?? at), plateNo, plateColor, by: actor.userName }
    await refuseOccupied(tx, place, came)
    if (input.reason?.trim()) await because(tx, input.reason)
    else if (!input.leftAt) await refuseElsewhere(tx, place, came)
    if (input.leftAt) await keep(tx, place, goneAgain(context, came, input.leftAt), null)
    const stay = await arrives(tx, place, came)
    if (!stay) throw BerthClosed()
    if (stay.abnormalType === SessionAbnormal.offlineConflict) throw await stoodAfter(tx, place, came)
    if (input.leftAt && stay.exitTime === null) throw NotGone()
    return shownOf(tx, stay.id)
  },
  async leave(context) {
    const { tx, input, actor, at } = context
    await refuseLocked(tx, actor, input.at ?? at)
    const place = await placeOfStay(tx, await lockRoadStay(tx, input.id, input.version))
    await holdPlace(tx, place)
    const stay = await lockRoadStay(tx, input.id, input.version)
    if (stay.status !== SessionStatus.present) throw IllegalMove({ status: stay.status })
    const left = input.at ?? at
    if (Date.parse(left) < Date.parse(stay.entryTime!)) throw BadInput({ zh: '驶离不能早于驶入', en: 'departure cannot be before arrival' })
    const { plateNo, plateColor } = stay
    const gone = await leavesOf(tx, place, stay, { ...byHand(context, EvidenceKind.leave, left), plateNo, plateColor })
    if (gone?.status === SessionStatus.present) throw NotGone()
    return shownOf(tx, stay.id)
  },
  async bill({ tx, input, at }) {
    const { stay, orderId, orderNo, dueFen } = await bill(tx, input.id, input.version, at)
    return { version: stay.version, orderId, orderNo, dueFen: dueFen as Fen }
  },
  collect: ({ tx, input, actor, at }) => collect(tx, input, actor, at),
  async fillPlate(context) {
    const { tx, input, actor, at } = context
    await refuseLocked(tx, actor, at)
    const plateNo = plateTyped(input.plateNo, input.special)
    if (input.reason) await because(tx, input.reason)
    const place = await placeOfStay(tx, await lockRoadStay(tx, input.id, input.version))
    await holdPlace(tx, place)
    const stay = await lockRoadStay(tx, input.id, input.version)
    if (stay.status === SessionStatus.void) throw IllegalMove({ status: stay.status })
    const plateColor: PlateColorCode | null = input.plateColor ?? impliedColor(plateNo)
    const named = await nameByPerson(tx, place, stay, { plateNo, plateColor })
    if (input.image)
      await keep(tx, place, { ...byHand(context, EvidenceKind.stands, at), plateNo, plateColor, image: input.image, by: actor.userName }, stay.id)
    return shownOf(tx, named.id)
  },
  async addEvidence(context) {
    const { tx, input, actor } = context
    await refuseLocked(tx, actor, input.at)
    if (!input.image) throw OnlyPictures()
    const stay = await lockRoadStay(tx, input.id, input.version)
    const place = await placeOfStay(tx, stay)
    const { plateNo, plateColor } = stay
    await keep(tx, place, { ...byHand(context, input.kind, input.at), plateNo, plateColor }, stay.id)
    await editStay(tx, stay, {})
    return shownOf(tx, stay.id)
  },
  async confirm({ tx, input }) {
    const stay = await lockRoadStay(tx, input.id, input.version)
    const { confirmState } = await visitOf(tx, stay.id)
    if (stay.plateNo === null || confirmState !== ConfirmState.unconfirmed) throw IllegalMove({ confirmState })
    await setVisit(tx, stay.id, { confirmState: ConfirmState.confirmed })
    await editStay(tx, stay, {})
    return shownOf(tx, stay.id)
  },
  async split({ tx, input: { id, version, at: splitAt, reason }, actor, at }) {
    const parts = await split(tx, { id, version, splitAt }, { actor, at, reason })
    return Promise.all(parts.map((one) => shownOf(tx, one.id)))
  },
  merge: async ({ tx, input, actor, at }) => shownOf(tx, (await merge(tx, input.ids, { actor, at, reason: input.reason })).id),
  export: exporting(roadStay.export, ended),
  presentExport: exporting(roadStay.presentExport, present),
})
const TAKEN = {
  sql: `select p.plate_no from parking.present p join parking.stay s on s.enterprise_id = p.enterprise_id and s.id = p.stay_id
    where p.enterprise_id = scope_enterprise() and p.park_code = $1 and p.seat_code = $2 and p.plate_no is not null and p.plate_no <> $3 and p.status = ${SessionStatus.present}
      and (s.entry_time is null or s.entry_time < $4::timestamptz)`,
}

/** One car stands on one berth: a person who records it on a second gives a reason. @throws StandsElsewhere */
async function refuseElsewhere(tx: Tx, { parkCode, seatCode }: Place, { plateNo, plateColor }: Seen): Promise<void> {
  const [other] = await run<{ seatCode: string; entryTime: Instant }>(tx, ELSEWHERE, [parkCode, seatCode, plateNo, plateColor])
  if (other) throw StandsElsewhere({ seatCode: other.seatCode, since: cityTime(other.entryTime).slice(0, 16) })
}
const ELSEWHERE = {
  sql: `select s.seat_code, s.entry_time from parking.present p join parking.stay s on s.enterprise_id = p.enterprise_id and s.id = p.stay_id
    where p.enterprise_id = scope_enterprise() and p.park_code = $1 and p.seat_code <> $2 and p.plate_no = $3
      and ($4::smallint is null or p.plate_color is null or p.plate_color = $4) and p.status = ${SessionStatus.present} and s.entry_time is not null
    order by s.entry_time limit 1`,
}

/** Refuses a car where another stood at that moment and has gone: a person's report of this one says nothing about that. @throws StoodThen */
async function refuseOccupied(tx: Tx, place: Place, { at, plateNo }: Seen): Promise<void> {
  const { prior } = await staysAround(tx, place, at)
  const stood = prior?.plateNo && prior.plateNo !== plateNo && prior.exitTime !== null && Date.parse(at) <= Date.parse(prior.exitTime)
  if (stood) throw StoodThen({ seatCode: place.seatCode, plateNo: prior.plateNo! })
}
/** The refusal of a car that came before one that is known already, while nobody says when it went. */
async function stoodAfter(tx: Tx, place: Place, { at }: Seen) {
  const { next } = await staysAround(tx, place, at)
  return StoodAfter({ seatCode: place.seatCode, plateNo: next?.plateNo ?? '--' })
}
/** A person who records a visit that is over also gives the time of departure. @throws BadInput, NotYet */
function goneAgain(context: Parameters<typeof byHand>[0], came: Seen, leftAt: Instant): Seen {
  if (Date.parse(leftAt) <= Date.parse(came.at)) throw BadInput({ zh: '驶离应晚于驶入', en: 'departure must be after arrival' })
  return {
    ...byHand(context, EvidenceKind.leave, leftAt),
    image: null,
    showsBerth: false,
    showsPlate: false,
    plateNo: came.plateNo,
    plateColor: came.plateColor,
  }
}

/** A person's report of a berth, with or without a picture. @throws NotYet */
function byHand(
  { input, at, actor }: Pick<CallContext<{ image?: string; showsBerth?: boolean; showsPlate?: boolean }>, 'input' | 'at' | 'actor'>,
  kind: Seen['kind'],
  when: Instant,
): Seen {
  if (Date.parse(when) > Date.parse(at)) throw NotYet()
  const { image = null, showsBerth = false, showsPlate = false } = input
  return {
    ...{
      kind,
      at: when,
      receivedAt: at,
      image,
      showsBerth: image !== null && showsBerth,
      showsPlate: image !== null && showsPlate,
      by: actor.userName,
    },
    ...{ detector: Detector.handheld, deviceNo: null, plateNo: null, plateColor: null, confidence: null, messageId: null },
  }
}

async function shownOf(tx: Tx, id: Id<StayId>): Promise<RoadRow> {
  const found = await find(tx, byId, id)
  if (!found) throw NotFound()
  return found
}

async function storyOf(tx: Tx, id: Id<StayId>, at: Instant): Promise<Of<typeof RoadStory>> {
  const stay = await shownOf(tx, id)
  const [whole] = await run<AnyStay>(tx, { sql: 'select * from parking.stay where enterprise_id = scope_enterprise() and id = $1' }, [id])
  const place = await placeOfStay(tx, whole!)
  const until = whole!.exitTime ?? at
  const [names, evidence, checks, priced, due, visit] = await Promise.all([
    run<{ name: string }>(tx, { sql: 'select name from parking.park where enterprise_id = scope_enterprise() and park_code = $1' }, [stay.parkCode]),
    evidenceOf(tx, id),
    heldEvents(tx, [id]),
    priceOf(tx, place.park, whole!, until),
    billAt(tx, place, whole!, until),
    visitOf(tx, id),
  ])
  const free = await freeInWords(tx, place, whole!, priced?.quote, until)
  const open = stay.status === SessionStatus.present || stay.status === SessionStatus.leaving
  const order = stay.orderId ? await orderOf(tx, stay.orderId) : undefined
  return {
    stay,
    parkName: names[0]!.name,
    sectionName: place.sectionName,
    berthNo: place.berthNo,
    evidence,
    lacks: lacking(evidence),
    checks,
    quote: free ? null : (priced?.quote ?? null),
    free: free ?? null,
    dueFen: (open && due ? dueOf(whole!, due) : stay.arrearsFen) as Fen,
    orderNo: order?.orderNo ?? null,
    takenBy: order?.operatorName ?? null,
    cameOf: visit.cameOf as Id<StayId>[],
    became: visit.became as Id<StayId>[],
  }
}
