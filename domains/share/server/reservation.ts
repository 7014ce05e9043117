import { randomUUIDv7 } from 'node:crypto'
import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { insideOf, occupancyOf, ordinaryPlate, parkOf } from '../../parking/server/api.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import { openOrder } from '../../settlement/server/api.ts'
import { BookingKind, BookingState, Reservation, reservation, ReservationKind, reservationSearch, type Supervised } from '../contract/booking.ts'
import { UseState } from '../contract/sharing.ts'
import { cancel, free, InThePast, numberOf, refuseStretch, voidDefault } from './booking.ts'
import { plus } from './hours.ts'
import { lockWithMoney, notSuspended, PAY_WITHIN_MIN } from './row.ts'
import { ACTIVE } from './sharing.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

type Row = Of<typeof Reservation>
const reservations = listOver(Reservation, 'share.reservation', reservationSearch, { sums: ['depositFen', 'refundFen'] })
const NoPlaces = refusal(
  'share.no-places',
  41840,
  '车场 {parkCode} 未开放停车预约；请选择其他车场',
  'Park {parkCode} is not open for reservations: choose another car park',
  422,
)
const TooEarly = refusal('share.too-early', 41841, '最多可提前 {hours} 小时预约', 'Reserve {hours:hour} ahead at most', 422)
const Full = refusal(
  'share.places-full',
  41842,
  '该时段预约车位已满（{quota} 个），请换一个时间',
  'All {quota:place} taken at that time: choose another time',
)
const TooMany = refusal(
  'share.too-many',
  41843,
  '该车已有 {count} 个有效预约；请先取消一个',
  'The car already has {count:active reservation}: cancel one first',
  422,
)
const TooManyOfPhone = refusal(
  'share.too-many-of-phone',
  41847,
  '您已有 {count} 个有效预约；请先取消一个',
  'You already have {count:active reservation}: cancel one first',
  422,
)
const WhyNeeded = refusal('share.why-needed', 41844, '作废违约须说明原因', 'Enter a reason for voiding the no-show', 422)
const NotSuspended = refusal('share.not-suspended', 41846, '该用户未被暂停预约，无需恢复', 'This user is not suspended', 422)

export const calls = serve(reservation, {
  query: ({ tx, input }) => page(tx, reservations, input),
  async one({ tx, input }) {
    const found = await find(tx, reservations, input.id)
    if (!found) throw NotFound()
    return found
  },
  insert: ({ tx, input, at }) => (input.kind === ReservationKind.rules ? setRules(tx, input, at) : atCounter(tx, input, at)),
  updateStatus: ({ tx, input, at }) => updateStatus(tx, input, at),
  updateStatusPost: ({ tx, input, at }) => updateStatus(tx, input, at),
  export: exporting(reservation.export, reservations),
  supervise: ({ tx, input }) => supervise(tx, input.parkCode),
  async liftBan({ tx, input, actor, at }) {
    const lifted = await run(tx, { sql: LIFT }, [input.id, actor.userName, input.reason, at])
    if (lifted.length === 0) throw NotSuspended()
  },
})
/** Lifts the bans of a booking's person: those of their phone, and of their car if it is theirs. A stranger may have typed its plate. */
const LIFT = `update share.ban n set lifted_at = greatest($4::timestamptz, n.created_at), lifted_name = $2, reason = $3, version = n.version + 1, updated_at = $4
  from share.booking b where b.enterprise_id = scope_enterprise() and b.id = $1 and n.enterprise_id = b.enterprise_id and n.lifted_at is null and n.until > $4
    and (n.phone = b.phone or (n.with_car and n.plate_no = b.plate_no)) returning n.id`

type Given = Of<typeof reservation.insert.input>
/** The park's rules, in the place of those before. A rule left out has the house's default. */
async function setRules(tx: Tx, input: Given, at: Instant): Promise<void> {
  await parkOf(tx, input.parkCode)
  const { quota = 10, openAheadHours = 24, holdMin = 30, cancelFreeMin = 60, depositFen = 0, maxActive = 1, defaultLimit = 3, banDays = 7 } = input
  await run(tx, { sql: RULES }, [input.parkCode, quota, openAheadHours, holdMin, cancelFreeMin, depositFen, maxActive, defaultLimit, banDays, at])
}
const RULES = `insert into share.place as p (park_code, quota, open_ahead_hours, hold_min, cancel_free_min, deposit_fen, max_active, default_limit, ban_days, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
  on conflict (enterprise_id, park_code) do update set quota = excluded.quota, open_ahead_hours = excluded.open_ahead_hours, hold_min = excluded.hold_min, cancel_free_min = excluded.cancel_free_min,
    deposit_fen = excluded.deposit_fen, max_active = excluded.max_active, default_limit = excluded.default_limit, ban_days = excluded.ban_days, version = p.version + 1, updated_at = $10`

async function atCounter(tx: Tx, { parkCode, plateNo, plateColor, phone, startAt, endAt }: Given, at: Instant): Promise<void> {
  if (!plateNo || !phone || !startAt) throw BadInput({ zh: '请填写车牌、手机和预约时间', en: 'enter the plate, phone and time' })
  await keepPlace(
    tx,
    { parkCode, plateNo: ordinaryPlate(plateNo), plateColor: plateColor ?? null, phone, startAt, ...(endAt && { endAt }), deposit: false },
    at,
  )
}
interface Wanted {
  parkCode: string
  plateNo: string
  plateColor: PlateColorCode | null
  phone: string
  startAt: Instant
  endAt?: Instant
  /** Whether a deposit is taken: a driver who books for themselves leaves one; the counter takes none. */
  deposit: boolean
}
interface Rules {
  quota: number
  openAheadHours: number
  holdMin: number
  cancelFreeMin: number
  depositFen: number
  maxActive: number
  status: number
}
/** Keeps a place. The park's rules are held meanwhile, so that the last place is given once. */
export async function keepPlace(
  tx: Tx,
  { parkCode, plateNo, plateColor, phone, startAt, endAt = plus(startAt, STAY_MIN), deposit }: Wanted,
  at: Instant,
): Promise<string> {
  const [rules] = await run<Rules>(tx, { sql: 'select * from share.place where enterprise_id = scope_enterprise() and park_code = $1 for update' }, [
    parkCode,
  ])
  if (rules?.status !== UseState.on) throw NoPlaces({ parkCode })
  if (msOf(startAt) < msOf(at)) throw InThePast()
  refuseStretch(startAt, endAt)
  if (msOf(startAt) > msOf(plus(at, rules.openAheadHours * 60))) throw TooEarly({ hours: rules.openAheadHours })
  await notSuspended(tx, { plateNo, phone }, at)
  await free(tx, { offerId: null, parkCode, plateNo, startAt, endAt })
  const [counted] = await run<{ own: number; ofPhone: number; kept: number }>(tx, { sql: COUNTED }, [parkCode, plateNo, startAt, endAt, phone])
  if (counted!.own >= rules.maxActive) throw TooMany({ count: counted!.own })
  if (deposit && counted!.ofPhone >= OF_PHONE_MOST) throw TooManyOfPhone({ count: counted!.ofPhone })
  if (counted!.kept >= rules.quota) throw Full({ quota: rules.quota })
  const id = randomUUIDv7()
  const prepaidFen = deposit ? rules.depositFen : 0
  const order =
    prepaidFen > 0
      ? await openOrder(tx, {
          type: OrderType.reservation,
          creditedTo: id,
          subject: Said.deposit({ plateNo }),
          plateNo,
          plateColor,
          parkCode,
          receivableFen: prepaidFen,
          at,
        })
      : undefined
  await tx
    .insertInto('share.booking')
    .values({
      id,
      bookingNo: await numberOf(tx),
      kind: BookingKind.place,
      parkCode,
      offerId: null,
      seatNo: null,
      ownerId: null,
      plateNo,
      plateColor,
      phone,
      startAt,
      endAt,
      prepaidFen: prepaidFen as Fen,
      priceFen: 0 as Fen,
      graceMin: 0,
      overtimePermille: 0,
      cancelFreeMin: rules.cancelFreeMin,
      holdMin: rules.holdMin,
      splitPermille: 0,
      createdAt: at,
      updatedAt: at,
      ...(order ? { orderId: order.id, payUntil: plus(at, PAY_WITHIN_MIN) } : { state: BookingState.booked }),
    })
    .execute()
  return id
}
/** A place is for coming; how long the car then stays is its own matter. */
const STAY_MIN = 120
/** The most places that one phone number holds: anybody may type any plate, and a household has no more cars. */
const OF_PHONE_MOST = 3
const WAITS = `state in (${BookingState.unpaid}, ${BookingState.booked})`
const COUNTED = `select (count(*) filter (where plate_no = $2 and ${WAITS}))::int as own, (count(*) filter (where phone = $5 and ${WAITS}))::int as of_phone, (count(*) filter (where park_code = $1 and start_at < $4 and end_at > $3))::int as kept
  from share.booking where enterprise_id = scope_enterprise() and kind = ${BookingKind.place} and ${ACTIVE} and (park_code = $1 or plate_no = $2 or phone = $5)`

/** Said again, it is so already. */
async function updateStatus(tx: Tx, { id, status, reason }: Of<typeof reservation.updateStatus.input>, at: Instant): Promise<void> {
  const found = await find(tx, reservations, id)
  if (!found) throw NotFound()
  if (reason) await because(tx, reason)
  if (found.kind === ReservationKind.rules) return setUse(tx, found, status, at)
  const held = await lockWithMoney(tx, id)
  if (held.state === status) return
  if (status !== BookingState.cancelled) throw IllegalMove({ state: held.state })
  if (held.state !== BookingState.noShow) return void (await cancel(tx, held, { reason: reason ?? Said.byOperator, at, whole: true }))
  if (!reason) throw WhyNeeded()
  await voidDefault(tx, held, reason, at)
}
async function setUse(tx: Tx, { id, status: was }: Row, status: number, at: Instant): Promise<void> {
  if (status !== UseState.on && status !== UseState.off) throw IllegalMove({ status: was ?? status })
  if (was === status) return
  await run(
    tx,
    { sql: 'update share.place set status = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1' },
    [id, status, at],
  )
}

/** Of each park that keeps places: its quota, how many are kept, and the free bays as every list and lane has them. */
async function supervise(tx: Tx, parkCode: string | undefined) {
  const places = await run<{ parkCode: string; quota: number; active: number; held: number }>(tx, { sql: PLACES }, [parkCode ?? null])
  const inside = await insideOf(
    tx,
    places.map((one) => one.parkCode),
  )
  const records = await Promise.all(
    places.map(async (one): Promise<Of<typeof Supervised>> => ({
      id: one.parkCode,
      ...one,
      free: occupancyOf(await parkOf(tx, one.parkCode), inside.get(one.parkCode)).remainingBays,
    })),
  )
  return { records, total: records.length, totalExact: true }
}
const PLACES = `select p.park_code, p.quota, (count(b.id))::int as active, (count(b.id) filter (where b.state = ${BookingState.booked}))::int as held from share.place p
    left join share.booking b on b.enterprise_id = p.enterprise_id and b.park_code = p.park_code and b.kind = ${BookingKind.place} and b.state in (${BookingState.unpaid}, ${BookingState.booked}, ${BookingState.inUse})
  where p.enterprise_id = scope_enterprise() and p.status = ${UseState.on} and ($1::text is null or p.park_code = $1) group by p.park_code, p.quota order by p.park_code limit 500`
