import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { lockActive } from '../../owner/server/api.ts'
import { bays, parkOf } from '../../parking/server/api.ts'
import { BookingState } from '../contract/booking.ts'
import {
  feesSearch,
  offerCan,
  offerSearch,
  OfferState,
  parkSearch,
  SharedPark,
  ShareFees,
  ShareOffer,
  sharing,
  UseState,
  WINDOWS_MAX,
} from '../contract/sharing.ts'
import { byDay, type Window } from '../contract/windows.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

type Offer = Of<typeof ShareOffer>
export const fees = listOver(ShareFees, 'share.fees', feesSearch)
const parks = listOver(SharedPark, 'share.parkLine', parkSearch)
export const offers = listOver(ShareOffer, 'share.offer', offerSearch)
const NameTaken = refusal(
  'share.fees-name',
  41801,
  '该车场已有名为「{name}」的计费，请换一个名称',
  'The car park already has rates called “{name}”: choose another name',
)
const OtherPark = refusal(
  'share.other-park',
  41802,
  '该计费不属于车场 {parkCode}，或已停用；请另选计费',
  'These rates do not belong to park {parkCode}, or are disabled: choose others',
  422,
)
const StillBooked = refusal(
  'share.still-booked',
  41803,
  '该车位还有 {count} 个未完成的预约，不能下架；请待其结束或取消后再下架',
  'The bay has {count:open booking}: wait for them to end, or cancel them, then withdraw it',
)
const BayTaken = refusal(
  'share.bay-taken',
  41804,
  '车位 {seatNo} 已登记共享，请编辑该车位',
  'Bay {seatNo} is already registered for sharing: edit that one',
)
const NoSuchBay = refusal(
  'share.no-such-bay',
  41812,
  '该车场没有车位 {seatNo}，请核对地面或证件上的车位号',
  'The car park has no bay {seatNo}: check the number on the ground or in your papers',
  422,
)
const NoMoreBays = refusal(
  'share.no-more-bays',
  41805,
  '共享车位已达上限 {maxBays}；请先下架其他车位',
  'The park has reached its limit of {maxBays:shared bay}: withdraw another one first',
  422,
)
const NotShared = refusal(
  'share.not-shared',
  41806,
  '车场 {parkCode} 尚未开放共享；请选择其他车场',
  'Park {parkCode} is not open for sharing: choose another car park',
  422,
)
const BadWindows = refusal(
  'share.bad-windows',
  41807,
  '开放时段应在 00:00 至 24:00 之间开始，请改正',
  'A window starts between 00:00 and 24:00: correct it',
  422,
)
const NoWindows = refusal('share.no-windows', 41810, '请至少选择一天开放', 'Choose at least one day on which the bay is open', 422)
const TooManyWindows = refusal(
  'share.too-many-windows',
  41811,
  '开放时段最多 {most} 段，请合并相邻时段',
  'A bay takes {most} windows at most: join those that touch',
  422,
)
const OwnersPart = refusal(
  'share.owners-part',
  41808,
  '运营方自有车位不分成，请去掉分成比例或填写车主',
  'The operator’s own bay has no owner’s share: remove it or enter an owner',
  422,
)
const CapTooLow = refusal(
  'share.cap-too-low',
  41809,
  '封顶金额不能低于单价，请修改其中之一',
  'The cap cannot be less than the price: change one of them',
  422,
)
/** An active booking: the bay is promised. */
export const ACTIVE = `state in (${BookingState.unpaid}, ${BookingState.booked}, ${BookingState.inUse}, ${BookingState.overrun})`

export const calls = serve(sharing, {
  pickParks: ({ tx }) => run(tx, { sql: PICK }, []),
  parks: ({ tx, input }) => page(tx, parks, input),
  async updatePark({ tx, input: { parkCode, status, feesId = null, maxBays = null }, at }) {
    await parkOf(tx, parkCode)
    if (feesId) await feesOf(tx, feesId, parkCode)
    await run(tx, { sql: PUT_UP }, [parkCode, status, feesId, maxBays, at])
  },
  fees: ({ tx, input }) => page(tx, fees, input),
  async insertFees({ tx, input }) {
    await parkOf(tx, input.parkCode)
    await nameFree(tx, input.parkCode, input.name)
    capped(input)
    await addRow(tx, fees, { ...input, capFen: input.capFen ?? null })
  },
  updateFees: ({ tx, input, at }) => changeFees(tx, input, at),
  updateFeesPost: ({ tx, input, at }) => changeFees(tx, input, at),
  members: ({ tx, input }) => page(tx, offers, input),
  updateMember: ({ tx, input, at }) => byOperator(tx, input, at),
  updateMemberPost: ({ tx, input, at }) => byOperator(tx, input, at),
  memberExport: exporting(sharing.memberExport, offers),
  insertOffer: ({ tx, input, at }) => insertOffer(tx, input, at),
  calendar: ({ tx, input }) => run(tx, { sql: CALENDAR }, [input.parkCode, input.from, input.to, input.offerId ?? null]),
})
const PICK = `select p.park_code, p.name, case when s.status = ${UseState.on} then 1 else 0 end as shared from parking.park p left join share.park s on s.enterprise_id = p.enterprise_id and s.park_code = p.park_code
  where p.enterprise_id = scope_enterprise() and not p.deleted order by p.park_code limit 2000`
const PUT_UP = `insert into share.park as p (park_code, status, fees_id, max_bays, created_at, updated_at) values ($1, $2, $3, coalesce($4, 20), $5, $5)
  on conflict (enterprise_id, park_code) do update set status = excluded.status, fees_id = coalesce($3, p.fees_id), max_bays = coalesce($4, p.max_bays), version = p.version + 1, updated_at = $5`
const CALENDAR = `select b.id as booking_id, b.booking_no, b.offer_id, b.seat_no, b.plate_no, b.phone, b.start_at, b.end_at, b.state from share.booking b
  where b.enterprise_id = scope_enterprise() and b.park_code = $1 and b.start_at < $3 and b.end_at > $2 and b.offer_id is not null and ($4::uuid is null or b.offer_id = $4) and b.state <> ${BookingState.cancelled}
  order by b.seat_no, b.start_at limit 2000`

async function nameFree(tx: Tx, parkCode: string, name: string, but: string | null = null): Promise<void> {
  const sql = 'select 1 from share.fees where enterprise_id = scope_enterprise() and park_code = $1 and name = $2 and id is distinct from $3'
  if ((await run(tx, { sql }, [parkCode, name, but])).length) throw NameTaken({ name })
}
function capped({ priceFen, capFen }: { priceFen: number; capFen?: number | null }): void {
  if (capFen && capFen < priceFen) throw CapTooLow()
}
async function feesOf(tx: Tx, id: string, parkCode: string): Promise<Of<typeof ShareFees>> {
  const found = await lockRow(tx, fees, { id })
  if (found.parkCode !== parkCode || found.status !== UseState.on) throw OtherPark({ parkCode })
  return found
}
async function changeFees(tx: Tx, { id, version, ...changes }: Of<typeof sharing.updateFees.input>, at: Instant): Promise<void> {
  const found = await lockRow(tx, fees, { id, version })
  if (changes.name !== undefined) await nameFree(tx, found.parkCode, changes.name, id)
  capped({ ...found, ...changes })
  await setRow(tx, fees, found, changes, at)
}

/** Moves a bay as the operator. A pause always gets a reason: by it the owner cannot resume the bay. */
const byOperator = (tx: Tx, { id, state, reason }: Of<typeof sharing.updateMember.input>, at: Instant): Promise<void> =>
  moveOffer(tx, { id, state, ...(state === OfferState.paused ? { reason: reason ?? Said.askUs } : reason && { reason }) }, at)
/** Said again, it is so already. */
export async function moveOffer(tx: Tx, { id, state, reason }: Of<typeof sharing.updateMember.input>, at: Instant): Promise<void> {
  const found = await lockRow(tx, offers, { id })
  if (found.status === state) return
  const way = (Object.keys(offerCan) as (keyof typeof offerCan)[]).find((move) => offerCan[move](found.status) === state)
  if (!way) throw IllegalMove({ status: found.status })
  if (state === OfferState.offered) await roomFor(tx, found)
  if (state === OfferState.withdrawn) await nothingBooked(tx, found)
  await setRow(tx, offers, found, { status: state, reason: reason ?? null }, at)
}
async function nothingBooked(tx: Tx, { id }: Offer): Promise<void> {
  const [booked] = await run<{ count: number }>(tx, { sql: BOOKED }, [id])
  if (booked!.count > 0) throw StillBooked({ count: booked!.count })
}
const BOOKED = `select count(*)::int as count from share.booking where enterprise_id = scope_enterprise() and offer_id = $1 and ${ACTIVE}`

/** The park is open to sharing and shares fewer bays than it may; held, so that two that come at once are counted one after the other. */
async function roomFor(tx: Tx, { parkCode }: Pick<Offer, 'parkCode'>): Promise<{ splitPermille: number | null }> {
  const [park] = await run<{ status: number; maxBays: number; splitPermille: number | null }>(tx, { sql: PARK }, [parkCode])
  if (park?.status !== UseState.on) throw NotShared({ parkCode })
  const [offered] = await run<{ count: number }>(tx, { sql: OFFERED }, [parkCode])
  if (offered!.count >= park.maxBays) throw NoMoreBays({ maxBays: park.maxBays })
  return park
}
const PARK = `select p.status, p.max_bays, f.split_permille from share.park p left join share.fees f on f.enterprise_id = p.enterprise_id and f.id = p.fees_id
  where p.enterprise_id = scope_enterprise() and p.park_code = $1 for update of p`
const OFFERED = `select count(*)::int as count from share.offer where enterprise_id = scope_enterprise() and park_code = $1 and status in (${OfferState.offered}, ${OfferState.paused})`

/** An owner's bay waits to be approved; in the owner's own name where no other is given. */
export async function insertOffer(tx: Tx, input: Of<typeof sharing.insertOffer.input>, at: Instant): Promise<Offer> {
  const { parkCode, seatNo, windows, ownerId = null, proof = null } = input
  const open = openOn(windows)
  if (ownerId === null && input.splitPermille) throw OwnersPart()
  const owner = ownerId === null ? undefined : await lockActive(tx, ownerId)
  const park = await roomFor(tx, { parkCode })
  await refuseUnknown(tx, parkCode, seatNo)
  const splitPermille = ownerId === null ? 0 : (input.splitPermille ?? park.splitPermille ?? 0)
  const taken = `select 1 from share.offer where enterprise_id = scope_enterprise() and park_code = $1 and seat_no = $2 and status in (${OfferState.waiting}, ${OfferState.offered}, ${OfferState.paused})`
  if ((await run(tx, { sql: taken }, [parkCode, seatNo])).length) throw BayTaken({ seatNo })
  const status = ownerId === null ? OfferState.offered : OfferState.waiting
  const named = { ownerName: input.ownerName ?? owner?.nickname ?? Said.operator, phone: input.phone ?? owner?.phone ?? null }
  const values = { parkCode, seatNo, ownerId, ...named, proof, splitPermille, status, createdAt: at, updatedAt: at }
  return addRow(tx, offers, { ...values, windows: json(open) })
}
/** Where the bays of a park are on record, one that is none of them cannot be let. @throws NoSuchBay */
async function refuseUnknown(tx: Tx, parkCode: string, seatNo: string): Promise<void> {
  const isThere = async (more: object) => (await bays.ask(tx, { parkCode, from: 0, atMost: 1, ...more })).some(({ answer }) => answer.length > 0)
  if (!(await isThere({ seatCode: seatNo })) && (await isThere({}))) throw NoSuchBay({ seatNo })
}
/** A night is kept as its two days. @throws NoWindows, BadWindows, TooManyWindows */
function openOn(windows: readonly Window[]): Window[] {
  if (windows.length === 0) throw NoWindows()
  if (windows.some(({ from }) => from === '24:00')) throw BadWindows()
  const open = byDay(windows)
  if (open.length > WINDOWS_MAX) throw TooManyWindows({ most: WINDOWS_MAX })
  return open
}
