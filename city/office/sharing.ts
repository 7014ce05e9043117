import { account } from '../../domains/owner/contract/account.ts'
import { booking, BookingState, reservation, ReservationKind } from '../../domains/share/contract/booking.ts'
import { FeesKind, sharing, OfferState, UseState } from '../../domains/share/contract/sharing.ts'
import { order } from '../../domains/settlement/contract/order.ts'
import { wasUsed } from '../../domains/share/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS, startOf } from '../../platform/contract/time.ts'
import { run, type Tx } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Client } from '../client.ts'
import { PlateColor } from '../../platform/contract/plate.ts'

const HOUR_MS = 60 * MINUTE_MS
const PHONES = ['16007101201', '16007101202', '16007101203', '16007101204', '16007101205']
const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
const WORKDAYS = [1, 2, 3, 4, 5].map((day) => ({ day, from: '08:00', to: '18:00' }))

/** A park that shares bays and keeps places, as people set it up and drivers book it. What lies in the past is moved there afterwards, and the clock of the domain does the rest. */
export async function addSharing(house: House, enterprise: number, client: Client, parkCode: string, nowMs: number): Promise<void> {
  const terms = { parkCode, graceMin: 10, overtimePermille: 1500, cancelFreeMin: 60, splitPermille: 600 }
  await client.ask(sharing.insertFees, { ...terms, name: '写字楼时租', kind: FeesKind.hourly, priceFen: 600 as never, capFen: 3_000 as never })
  await client.ask(sharing.insertFees, { ...terms, name: '写字楼月卡', kind: FeesKind.monthly, priceFen: 38_000 as never })
  const { records } = await client.ask(sharing.fees, { parkCode, kind: FeesKind.hourly })
  await client.ask(sharing.updatePark, { parkCode, status: UseState.on, feesId: records[0]!.id, maxBays: 30 })
  const owners = []
  for (const [n, ownerName] of ['陈静', '赵磊', '徐杰'].entries()) {
    const phone = PHONES[n]!
    const { ownerId } = await client.ask(account.register, { phone, nickname: ownerName })
    owners.push({ ownerId, ownerName, phone, splitPermille: 600 })
  }
  const bays = []
  for (let n = 0; n < 8; n++) {
    const owner = n < 6 ? owners[n % owners.length]! : {}
    const bay = await client.ask(sharing.insertOffer, { parkCode, seatNo: `B1-${String(101 + n)}`, windows: n === 5 ? WORKDAYS : ALWAYS, ...owner })
    // One waits for its approval, one is paused.
    if (n < 5) await client.ask(sharing.updateMemberPost, { id: bay.id, state: OfferState.offered })
    if (n === 4) await client.ask(sharing.updateMemberPost, { id: bay.id, state: OfferState.paused, reason: '业主出差自用' })
    if (n !== 5) bays.push(bay)
  }
  await client.ask(reservation.insert, {
    kind: ReservationKind.rules,
    parkCode,
    quota: 10,
    openAheadHours: 48,
    holdMin: 30,
    cancelFreeMin: 60,
    depositFen: 500 as never,
    maxActive: 1,
    defaultLimit: 3,
    banDays: 7,
  })
  await bookBays(house, enterprise, client, bays, nowMs)
  await keepPlaces(house, enterprise, client, parkCode, nowMs)
}

async function bookBays(house: House, enterprise: number, client: Client, bays: readonly { id: string }[], nowMs: number): Promise<void> {
  const made: { id: string; minutesAgo: number; state: keyof typeof PAST }[] = []
  for (let n = 0; n < 14; n++) {
    const bay = bays[[0, 1, 2, 3, 5, 6][n % 6]!]!
    const from = nowMs + (2 + Math.floor(n / 6) * 6) * HOUR_MS
    const startAt = instantAt(from)
    const booked = await client.ask(booking.book, {
      offerId: bay.id as never,
      kind: FeesKind.hourly,
      plateNo: `鄂F6${String(3100 + n * 7)}`,
      plateColor: PlateColor.blue,
      phone: PHONES[n % PHONES.length]!,
      startAt,
      endAt: instantAt(from + (2 + (n % 3)) * HOUR_MS),
    })
    if (n === 13) continue
    await client.ask(order.cash, { id: booked.orderId!, amountFen: booked.prepaidFen })
    if (n === 12) await client.ask(booking.cancel, { id: booked.id, version: booked.version + 1, reason: '行程改变' })
    else if (n < 9) made.push({ id: booked.id, minutesAgo: 1_500 + n * 200, state: n === 7 ? 'absent' : n === 8 ? 'late' : 'used' })
  }
  await house.writing(enterprise, 'demo', async (tx) => {
    for (const { id, minutesAgo, state } of made) await PAST[state](tx, id, nowMs - minutesAgo * MINUTE_MS, instantAt(nowMs))
  })
}
const OF = 'where enterprise_id = scope_enterprise() and id = $1'
const SHIFT = {
  sql: `update share.booking set start_at = $2, end_at = $2::timestamptz + (end_at - start_at), created_at = $2::timestamptz - interval '3 hours' ${OF}`,
}
const ENDED = { sql: `update share.booking set completed_at = left_at ${OF}` }
const STANDS = {
  sql: `update share.booking set end_at = start_at + interval '2 hours', state = ${BookingState.inUse}, entered_at = start_at + interval '6 minutes' ${OF}`,
}
// A booking of the past: who used it came a little late and left in time; who was absent is found by the clock; who is late stands there still.
const PAST = {
  async used(tx: Tx, id: string, fromMs: number, at: Instant) {
    await run(tx, SHIFT, [id, instantAt(fromMs)])
    await wasUsed(tx, { id, enteredAt: instantAt(fromMs + 6 * MINUTE_MS), leftAt: instantAt(fromMs + 111 * MINUTE_MS) }, at)
    await run(tx, ENDED, [id])
  },
  absent: (tx: Tx, id: string, fromMs: number) => run(tx, SHIFT, [id, instantAt(fromMs)]),
  async late(tx: Tx, id: string) {
    await run(tx, SHIFT, [id, instantAt(Date.now() - 170 * MINUTE_MS)])
    await run(tx, STANDS, [id])
  },
}

async function keepPlaces(house: House, enterprise: number, client: Client, parkCode: string, nowMs: number): Promise<void> {
  const tomorrow = Date.parse(startOf(dayOf(instantAt(nowMs + DAY_MS))))
  for (let n = 0; n < 6; n++) {
    const plateNo = `鄂F8${String(5200 + n * 3)}`
    const from = n < 3 ? nowMs + (n + 1) * HOUR_MS : tomorrow + (9 + n) * HOUR_MS
    await client.ask(reservation.insert, {
      kind: ReservationKind.booking,
      parkCode,
      plateNo,
      plateColor: PlateColor.blue,
      phone: PHONES[n % PHONES.length]!,
      startAt: instantAt(from),
      endAt: instantAt(from + 2 * HOUR_MS),
    })
    if (n !== 0) continue
    // A car that stayed away three times: the third is found by the clock, and suspends it.
    await house.writing(enterprise, 'demo', async (tx) => {
      for (const days of [9, 4, 0]) {
        await run(tx, { sql: ABSENT }, [plateNo, instantAt(nowMs - days * DAY_MS - HOUR_MS), days === 0 ? BookingState.booked : BookingState.noShow])
      }
    })
  }
}
const ABSENT = `insert into share.booking (booking_no, kind, park_code, plate_no, plate_color, phone, start_at, end_at, state, prepaid_fen, price_fen, grace_min, overtime_permille, cancel_free_min, hold_min, split_permille, created_at, completed_at, split_at)
  select platform.business_no('GY'), kind, park_code, '鄂F85777', plate_color, phone, $2::timestamptz, $2::timestamptz + interval '40 minutes', $3::smallint, 0, 0, 0, 0, cancel_free_min, hold_min, 0, $2::timestamptz - interval '5 hours',
    case when $3::smallint = ${BookingState.noShow} then $2::timestamptz + interval '30 minutes' end, case when $3::smallint = ${BookingState.noShow} then $2::timestamptz + interval '30 minutes' end
  from share.booking where enterprise_id = scope_enterprise() and plate_no = $1 limit 1`
