import type { Id, Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'
import type { QuoteOf } from '../../fee/contract/quote.ts'
import type { StayId } from '../contract/stay.ts'

/** A car before a lane of a park. Colour `null` matches any. */
export interface CarAt {
  parkCode: string
  plateNo: string
  plateColor: PlateColorCode | null
  /** Of a lane; none where only the park is asked about. */
  gateCode?: string
  at: Instant
}
/** Facts that the domains of lists, passes and reservations know of a car here and now. Each answers its part; no answer means an unknown car. */
export interface Standing {
  /** Fire engines, rescue and the like, by list; police and army are known by their plates. */
  special?: boolean
  /** 1 may not enter; 2 may enter, does not leave without a person; 3 only a warning. */
  black?: { action: 1 | 2 | 3; zh: string; en: string }
  white?: boolean
  pass?: {
    passId: string
    /** Valid around the clock: admits outside the park's hours too. */ allDay: boolean
    /** All its seats are taken: this car is a temporary one. */ full: boolean
  }
  reserve?: { reserveId: string }
  /** The kind of pass that the car belongs to, whether or not it covers it now: it may have a tariff of its own. */
  memberGroup?: string
  /** A rule of the park says that it may not come in here and now. */
  barred?: Words
  /** By which entry, pass or rule, as the decision tells it. */
  because?: { special?: Words; white?: Words; pass?: Words }
}
interface Words {
  zh: string
  en: string
}
/** Asked at entrances and exits alike, in the lane's transaction. */
export const admission = question<CarAt, Standing>('parking.admission')
export const standingOf = async (tx: Parameters<typeof admission.ask>[0], car: CarAt): Promise<Standing> =>
  Object.assign({}, ...(await admission.ask(tx, car)).map(({ answer }) => answer))

export interface Debts {
  count: number
  amountFen: number
}
/** Asks for a vehicle's collectable debts from before, anywhere in the enterprise. */
export const debts = question<{ plateNo: string; plateColor: PlateColorCode | null; before: Instant; atMost: number }, Debts>('parking.debts')

/** Another amount that a car owes before it may go, in an order of its own. Its words are for the lane and fit a line of its sign. */
export interface AlsoDue {
  orderId: string
  dueFen: number
  zh: string
  en: string
}
/** Asked wherever the amount that a car inside owes is told; the domain that answers brings its order up to `at` on the way. */
export const alsoDue = question<{ stayId: string; at: Instant }, AlsoDue[]>('parking.alsoDue')
export const alsoDueOf = async (tx: Parameters<typeof alsoDue.ask>[0], stayId: string, at: Instant): Promise<AlsoDue[]> =>
  (await alsoDue.ask(tx, { stayId, at })).flatMap(({ answer }) => answer)
/** A person lets the car out without it: nothing of it is asked any more. */
export const alsoLetOff = question<{ stayId: string; at: Instant }, true>('parking.alsoLetOff')

/** Time of a stay that was paid for otherwise: a pass, a reservation, a charging order. The fee leaves it out. */
export interface Covered {
  from: Instant
  to: Instant
}
export const cover = question<Parked, Covered[]>('parking.cover')
export interface Parked {
  parkCode: string
  /** Null: off the street. */
  seatCode: string | null
  /** Null: nobody knows it yet. */
  plateNo: string | null
  plateColor: PlateColorCode | null
  passId: string | null
  from: Instant
  to: Instant
}

/**
 * A discount on a stay's fee: a coupon, a charging customer's free hour. Its words stand in the explanation of the fee. A discount of 0 is one that cannot be used now:
 * its words say why, to the driver at the exit too.
 */
export interface Discount {
  /** The domain that gives it, and its own reference. */
  by: string
  ref: string
  amountFen: number
  zh: string
  en: string
}
export interface DiscountWanted {
  stayId: string
  /** The stay's order, while it asks for money: discounts that this order holds already may be offered again. */
  orderId: string | null
  parkCode: string
  plateNo: string
  plateColor: PlateColorCode | null
  vehicleClass: number
  at: Instant
  /** The amount still asked, before any discount. */
  amountFen: number
  /** The fee's breakdown; null where no rule priced the stay. */
  quote: QuoteOf | null
  /** Returns the amount that would be asked if the car had left so many minutes sooner. */
  amountIf(minutesLess: number): Promise<number>
}
/**
 * Asked wherever a stay's fee is worked out, also only to be shown: it changes nothing and costs one look where there is nothing. Of all that is offered, in the order
 * of those who answer, as much counts as there is to pay.
 */
export const discounts = question<DiscountWanted, Discount[]>('parking.discounts')
/**
 * Tells which discounts an order holds from now on, in the transaction that opens or requotes it; others that it held are released. `used`: nothing is left to pay, so they are
 * used up at once. @throws Stale where one of them was taken by another order meanwhile.
 */
export const discountsHeld = question<{ orderId: string; stayId: string; discounts: readonly Discount[]; used: boolean; at: Instant }, true>(
  'parking.discountsHeld',
)

/** A car stands at an exit and is to pay: a domain that can take the money there without the driver begins now, in the lane's transaction. */
export const exitWaits = question<{ parkCode: string; gateCode: string; stayId: string; orderId: string; dueFen: number; at: Instant }, true>(
  'parking.exitWaits',
)

/** A person has decided about a stay of a berth, that its bill is right or that its car has gone: the domain that keeps the berths goes on from where it waited. */
export const berthDecided = question<{ stayId: Id<StayId>; at: Instant }, true>('parking.berthDecided')

/** Asks for the advertisement that the signs of a park's lanes show now: a line of text. The domain that answers counts it as shown. */
export const advertised = question<{ parkCode: string }, string>('parking.advertised')

/** Asks for reasons, in words, why a park cannot be deleted: valid passes, for example. */
export const parkHeld = question<{ parkCode: string }, { zh: string; en: string }>('parking.parkHeld')

/** Of a lane and of a berth alike; on the street the plate may come later. */
export const entered = event<Passing>('parking.entered')
export const left = event<Passing>('parking.left')
interface Passing {
  stayId: string
  parkCode: string
  plateNo: string | null
  plateColor: PlateColorCode | null
}

/** Places that are kept for cars to come, by park: the free bays are less by them, wherever they are shown. Parks without any are left out. */
export const held = question<{ parkCodes: readonly string[] }, { parkCode: string; held: number }[]>('parking.held')

export const stayTopic = topic('parking.stay', 'parking:stay:view')
/** The bays of parks, for pickers: the domain that keeps the berths answers. */
export const bays = question<
  { parkCode?: string | undefined; seatCode?: string | undefined; from: number; atMost: number },
  { parkCode: string; seatCode: string; areaCode: string | null }[]
>('parking.bays')

export const laneTopic = topic('parking.lane', 'parking:board:view')
export const parkTopic = topic('parking.park', 'parking:park:view')
