import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, Refusal, refusal } from '../../../platform/server/refusal.ts'
import { type PhasedContext, phased, serve } from '../../../platform/server/serve.ts'
import { myCar } from '../../owner/server/api.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { startPayment } from '../../settlement/server/api.ts'
import { BookingState } from '../contract/booking.ts'
import { mine, type MyBooking } from '../contract/mine.ts'
import { Booked, bookBay, cancel } from './booking.ts'
import { freeBays, keepingParks } from './mineSearch.ts'
import { keepPlace } from './reservation.ts'
import { type Booking, lockBooking, lockWithMoney } from './row.ts'
import { Said } from '../contract/said.ts'

const NoWay = refusal('share.mine-way', 41850, '请用微信或支付宝支付', 'Pay by WeChat or Alipay', 422)
const Taken = refusal(
  'share.mine-taken',
  41851,
  '该车位在此时段已被预约，请换一个车位或时间',
  'The bay is already booked for that time: choose another bay or time',
)
const PriceMoved = refusal('share.mine-price', 41852, '价格已变化，现为 ¥{yuan}，请重新查询', 'The price is now ¥{yuan}: search again')
const Unpaid = refusal(
  'share.mine-unpaid',
  41853,
  '您有 {count} 个预约待支付，请先支付或取消',
  'You have {count:unpaid booking}: pay or cancel first',
)
const NothingWaits = refusal(
  'share.mine-nothing-waits',
  41854,
  '该预约没有待支付的款项，请刷新列表',
  'This booking has nothing to pay: refresh the list',
)
/** Ways by which a telephone pays. */
const WAYS: readonly PayMethodCode[] = [PayMethod.wechat, PayMethod.alipay]
/** The most unpaid bookings at once, because they hold bays from others. */
const UNPAID_MOST = 2

type Mine = Of<typeof MyBooking>
type Context = Pick<PhasedContext<unknown>, 'actor' | 'asSteps' | 'at' | 'house'>
const asHouse = ({ actor, asSteps, house }: Context, via: string) => asSteps((work) => house.writing(actor.enterprise, via, work))

export const calls = serve(mine, {
  search: phased(({ input, actor, at, house }) => house.reading(actor.enterprise, (tx) => freeBays(tx, input, at))),
  places: phased(({ actor, house }) => house.reading(actor.enterprise, keepingParks)),
  orders: ({ tx }) => bookings(tx, null),
  book: phased(async (context) => {
    const {
      input: { plateNo: typed, prepaidFen, payMethod, ...wanted },
      at,
    } = context
    return asked(context, { typed, payMethod, prepaidFen, via: mine.book.id }, (tx, car) => bookBay(tx, { ...wanted, ...car }, at))
  }),
  keep: phased(async (context) => {
    const {
      input: { parkCode, plateNo: typed, startAt, prepaidFen, payMethod },
      at,
    } = context
    return asked(context, { typed, payMethod, prepaidFen, via: mine.keep.id }, async (tx, car) =>
      lockBooking(tx, await keepPlace(tx, { parkCode, startAt, deposit: true, ...car }, at)),
    )
  }),
  pay: phased(async (context) => {
    const {
      input: { id, payMethod },
      read,
    } = context
    if (!WAYS.includes(payMethod)) throw NoWay()
    await read((tx) => mineOf(tx, id))
    const write = asHouse(context, mine.pay.id)
    const found = await write((tx) => lockBooking(tx, id))
    if (found.state !== BookingState.unpaid) throw NothingWaits()
    return payAt(context, write, found, payMethod)
  }),
  cancel: phased(async (context) => {
    const {
      input: { id, version },
      at,
      read,
    } = context
    await read((tx) => mineOf(tx, id))
    await asHouse(
      context,
      mine.cancel.id,
    )(async (tx) => cancel(tx, await lockWithMoney(tx, id, version), { reason: Said.byDriver, at, whole: false }))
    return read((tx) => mineOf(tx, id))
  }),
})

interface Asked {
  typed: string
  payMethod: PayMethodCode
  prepaidFen: number
  via: string
}
type Car = Pick<Booking, 'plateNo' | 'phone'> & { plateColor: NonNullable<Booking['plateColor']> }
/** For a car that the driver has bound, in their own name, at the price that they were told. */
async function asked<Input>(
  context: PhasedContext<Input>,
  { typed, payMethod, prepaidFen, via }: Asked,
  make: (tx: Tx, car: Car) => Promise<Opened>,
) {
  if (!WAYS.includes(payMethod)) throw NoWay()
  const { actor, read } = context
  const car = await read(async (tx) => {
    const { plateNo, plateColor } = await myCar(tx, actor.userId, ordinaryPlate(typed))
    const [owner] = await run<{ phone: string }>(
      tx,
      { sql: 'select phone from owner.account where enterprise_id = scope_enterprise() and id = $1' },
      [actor.userId],
    )
    return { plateNo, plateColor, phone: owner!.phone }
  })
  const write = asHouse(context, via)
  const made = await write(async (tx) => {
    await refuseUnpaid(tx, car.phone)
    const booking = await unnamed(() => make(tx, car))
    if (booking.prepaidFen !== prepaidFen) throw PriceMoved({ yuan: (booking.prepaidFen / 100).toFixed(2), prepaidFen: booking.prepaidFen })
    return booking
  })
  return payAt(context, write, made, payMethod)
}
type Opened = Pick<Booking, 'id' | 'bookingNo' | 'prepaidFen' | 'payUntil' | 'orderId'>
/** After it has committed: the driver's page at the channel. */
async function payAt(
  { actor, at }: Context,
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  { id, bookingNo, prepaidFen, payUntil, orderId }: Opened,
  payMethod: PayMethodCode,
) {
  const opened = { id, bookingNo, prepaidFen, payUntil, payUrl: null }
  if (!orderId) return opened
  const { payUrl } = await startPayment(write, { orderId, payMethod, merchant: actor.enterprise, at })
  return { ...opened, payUrl }
}
/** Of one telephone, one after the other. @throws Unpaid */
async function refuseUnpaid(tx: Tx, phone: string): Promise<void> {
  await run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('share.mine ' || $1, scope_enterprise()))` }, [phone])
  const [waiting] = await run<{ count: number }>(tx, { sql: WAITING }, [phone])
  if (waiting!.count >= UNPAID_MOST) throw Unpaid({ count: waiting!.count })
}
const WAITING = `select count(*)::int as count from share.booking where enterprise_id = scope_enterprise() and phone = $1 and state = ${BookingState.unpaid}`
/** Somebody else's booking is not named to a driver. */
async function unnamed<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: Error) => {
    throw error instanceof Refusal && error.id === Booked().id ? Taken() : error
  })
}

/** Returns the bookings in the driver's name, the latest first. */
const bookings = (tx: Tx, id: string | null): Promise<Mine[]> => run<Mine>(tx, { sql: MINE }, [id])
const MINE = `select b.id, b.version, b.booking_no, b.kind, b.park_code, b.seat_no, b.plate_no, b.start_at, b.end_at, b.state, b.prepaid_fen, b.refund_fen, b.over_min, b.over_fen, case when b.state = ${BookingState.unpaid} then b.pay_until end as pay_until, b.reason,
    coalesce(k.name, b.park_code) as park_name, b.start_at - b.cancel_free_min * interval '1 minute' as free_until,
    (select max(n.until) from share.ban n where n.enterprise_id = b.enterprise_id and (n.phone = b.phone or (n.with_car and n.plate_no = b.plate_no)) and n.lifted_at is null and n.until > now()) as banned_until
  from share.booking b left join parking.park k on k.enterprise_id = b.enterprise_id and k.park_code = b.park_code
  where b.enterprise_id = scope_enterprise() and b.phone = share.phone_of_driver() and ($1::uuid is null or b.id = $1) order by b.state in (${BookingState.unpaid}, ${BookingState.booked}, ${BookingState.inUse}, ${BookingState.overrun}) desc, b.start_at desc, b.id limit 50`
/** @throws NotFound for anybody else's */
async function mineOf(tx: Tx, id: string): Promise<Mine> {
  const [found] = await bookings(tx, id)
  if (!found) throw NotFound()
  return found
}
