import { node } from '../node.ts'
import { lasting, say, type Text, yuan } from '../say.ts'
import { type Booking, cancelBooking, type Car, type Keeping, payBooking } from './ask.ts'
import { baysPart, openBays, seesBays } from './bays.ts'
import { keptOnCancel, looking, lookForm, startLooking } from './bookingLook.ts'
import { button, empty, moment, type Page, payButtons, row, words } from './parts.ts'

/** As in the contract's `BookingKind` and `BookingState`. */
const KINDS: Record<number, Text> = { 1: ['共享车位', 'Shared bay'], 2: ['共享车位月租', 'Shared bay, monthly'], 3: ['停车预约', 'Reservation'] }
const STATES: Record<number, Text> = {
  0: ['待支付', 'To pay'],
  1: ['已预约', 'Booked'],
  2: ['使用中', 'In use'],
  3: ['已完成', 'Completed'],
  4: ['已取消', 'Cancelled'],
  5: ['违约（未到场）', 'No-show'],
  6: ['超时', 'Overrun'],
  7: ['已退款', 'Refunded'],
}
const [UNPAID, BOOKED, IN_USE, NO_SHOW, OVERRUN] = [0, 1, 2, 5, 6]
const PLACE = 3
const REJECTED = 2

/** The booking that is about to be cancelled. */
let asked: string | undefined

interface Known {
  bookings: readonly Booking[]
  parks: readonly Keeping[]
  cars: readonly Car[]
}
export function bookingsPart(page: Page, { bookings, parks, cars }: Known): Node[] {
  const own = cars.filter(({ verifyState }) => verifyState !== REJECTED)
  if (looking()) return lookForm(page, parks, own)
  if (seesBays()) return baysPart(page)
  const until = bookings
    .flatMap(({ bannedUntil }) => bannedUntil ?? [])
    .sort()
    .at(-1)
  return [
    until !== undefined &&
      words([`多次违约，暂停预约至 ${moment(until)}`, `Repeated no-shows: suspended from booking until ${moment(until)}`], 'wrong'),
    own.length > 0
      ? node(
          'section',
          {},
          words(
            ['按小时或按月预约共享车位，或在到达前预约车位。', 'Book a shared bay by the hour or month, or reserve a place before you arrive.'],
            'aside',
          ),
          button(['找共享车位', 'Find a shared bay'], page, () => (startLooking('bay', own, parks), page.redraw()), 'main'),
          parks.length > 0 && button(['预约停车位', 'Reserve a place'], page, () => (startLooking('place', own, parks), page.redraw()), 'second'),
        )
      : words(['绑定车牌后可预约', 'Add a plate to book'], 'aside'),
    button(['共享我的车位', 'Share my bay'], page, () => page.looking(openBays), 'second'),
    ...(bookings.length > 0 ? bookings.map((one) => card(page, one)) : [empty(['没有预约', 'No bookings'])]),
  ].filter((one) => one !== false)
}

function card(page: Page, one: Booking): HTMLElement {
  const { kind, parkName, seatNo, plateNo, startAt, endAt, state, prepaidFen, refundFen, overMin, overFen, payUntil, freeUntil, bookingNo } = one
  return node(
    'section',
    {},
    node('h2', { textContent: [parkName, seatNo].filter(Boolean).join(' · ') }),
    node('p', {
      className: `told s${[BOOKED, IN_USE].includes(state) ? 3 : [NO_SHOW, OVERRUN].includes(state) ? 5 : 0}`,
      textContent: `${say(KINDS[kind] ?? ['', ''])} · ${say(STATES[state] ?? ['', ''])}`,
    }),
    node(
      'dl',
      {},
      row(say(['车辆', 'Car']), plateNo),
      row(say(kind === PLACE ? ['预约到场时间', 'Arrival time'] : ['开始', 'From']), moment(startAt)),
      kind !== PLACE && row(say(['结束', 'To']), moment(endAt)),
      prepaidFen > 0 && row(say(kind === PLACE ? ['保证金', 'Deposit'] : ['预约金额', 'Price']), yuan(prepaidFen)),
      refundFen > 0 && row(say(['应退', 'To be refunded']), yuan(refundFen)),
      overMin > 0 && row(say(['超时费', 'Overrun fee']), say([`${lasting(overMin)}，${yuan(overFen)}`, `${lasting(overMin)}, ${yuan(overFen)}`])),
      row(say(['预约单号', 'Booking number']), bookingNo, 'aside'),
    ),
    state === NO_SHOW && words(NOT_COME[prepaidFen === 0 ? 'free' : kind === PLACE ? 'deposit' : 'prepaid'], 'aside'),
    ...(state === UNPAID
      ? [
          payUntil !== null && words([`请在 ${moment(payUntil)} 前支付`, `Pay by ${moment(payUntil)}`], 'aside'),
          ...keptOnCancel(prepaidFen > 0 && Date.parse(freeUntil) < Date.now(), kind === PLACE ? 'deposit' : 'prepaid'),
          ...payButtons(page, prepaidFen, (way) => payBooking(one.id, way)),
        ]
      : []),
    (state === UNPAID || state === BOOKED) && cancelling(page, one, Date.parse(freeUntil) >= Date.now() || state === UNPAID),
  )
}

const NOT_COME: Record<'free' | 'deposit' | 'prepaid', Text> = {
  free: ['未按约到达', 'The car did not arrive'],
  deposit: ['未按约到达，保证金不退', 'The car did not arrive; the deposit is not refunded'],
  prepaid: ['未按约到达，预付款不退', 'The car did not arrive; the prepayment is not refunded'],
}

function cancelling(page: Page, one: Booking, free: boolean): HTMLElement {
  const begin = () => ((asked = one.id), page.redraw())
  if (asked !== one.id) return node('div', { className: 'chips' }, button(['取消预约', 'Cancel booking'], page, begin))
  const paid = one.state !== UNPAID && one.prepaidFen > 0
  const [zh, en] = one.kind === PLACE ? ['保证金', 'deposit'] : ['预付款', 'prepayment']
  const said: Text = !paid
    ? ['确定取消？', 'Cancel it?']
    : free
      ? [`确定取消？${zh}原路退回。`, `Cancel it? Your ${en} is refunded the original way.`]
      : [
          `已过免费取消时间（${moment(one.freeUntil)}），${zh}不退。确定取消？`,
          `Free cancellation ended at ${moment(one.freeUntil)}; the ${en} is not refunded. Cancel it?`,
        ]
  return node(
    'div',
    { className: 'chips' },
    words(said, free ? '' : 'wrong'),
    button(['确定取消', 'Yes, cancel'], page, () => page.doing(async () => void (await cancelBooking(one), (asked = undefined)))),
    button(['保留', 'Keep it'], page, () => ((asked = undefined), page.redraw())),
  )
}
