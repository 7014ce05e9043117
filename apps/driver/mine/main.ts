import { Trouble } from '../ask.ts'
import { node } from '../node.ts'
import { english, say, speak, type Text } from '../say.ts'
import {
  type Back,
  bestCoupons,
  type Bills,
  bills,
  type Booking,
  bookings,
  type Charge,
  charges,
  type Coupon,
  coupons,
  type Gift,
  gifts,
  type Home,
  home,
  type Keeping,
  keepingParks,
  type Movement,
  movements,
  type Offer,
  offers,
  type Parked,
  parked,
  type Pass,
  passes,
  type PassKind,
  passKinds,
  type Points,
  points,
  refunds,
  signOut,
  type Weighed,
} from './ask.ts'
import { closeBays } from './bays.ts'
import { billsPart } from './bills.ts'
import { bookingsPart } from './bookings.ts'
import { carsPart } from './cars.ts'
import { chargingPart, forgetCharging } from './charging.ts'
import { couponsPart } from './coupons.ts'
import type { Page } from './parts.ts'
import { passesPart } from './passes.ts'
import { forgetRent, rentPart } from './rent.ts'
import { closeGoods, goodsPart, refreshGoods, seesGoods } from './points.ts'
import { signInForm } from './signIn.ts'
import { walletPart } from './wallet.ts'

const door = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=door]')!.content) as { company: number; name: string }
const NOT_SIGNED_IN = 401

interface Mine {
  home: Home
  parked: Parked[]
  bills: Bills
  charges: Charge[]
  offers: Offer[]
  movements: Movement[]
  coupons: Coupon[]
  gifts: Gift[]
  points: Points
  passes: Pass[]
  kinds: PassKind[]
  bookings: Booking[]
  parks: Keeping[]
  backs: Back[]
  /** Of each parked car, its coupons beside one another. */
  weighed: Weighed[][]
}
const TABS = {
  bills: ['账单', 'Bills'],
  cars: ['车辆', 'Cars'],
  charging: ['充电', 'Charge'],
  passes: ['月卡', 'Passes'],
  bookings: ['预约', 'Bookings'],
  coupons: ['券包', 'Coupons'],
  wallet: ['钱包', 'Wallet'],
  rent: ['租赁', 'Rentals'],
} as const satisfies Record<string, Text>
type Tab = keyof typeof TABS

/** The driver's data; undefined before the first request, null when nobody is signed in. */
let mine: Mine | null | undefined
let tab: Tab = location.hash.slice(1) in TABS ? (location.hash.slice(1) as Tab) : 'bills'
let trouble = ''
/** The work under way: signing out waits for it. */
let underWay = Promise.resolve()
const begin = (work: () => Promise<unknown>, again: boolean) => void (page.busy || (underWay = doing(work, again)))
const page: Page = { busy: false, redraw: draw, doing: (work) => begin(work, true), looking: (work) => begin(work, false) }
const leave = () => void underWay.then(() => page.doing(signOut))

async function doing(work: () => Promise<unknown>, again: boolean): Promise<void> {
  ;[page.busy, trouble] = [true, '']
  draw()
  try {
    await work()
    if (again) mine = await all()
  } catch (error) {
    if (error instanceof Trouble && error.status === NOT_SIGNED_IN) mine = null
    else trouble = (error as Error).message
  }
  page.busy = false
  draw()
}
/** Everything that the page shows; nobody who is not signed in is asked twice. */
async function all(): Promise<Mine | null> {
  const own = await home().catch((error: Error) => {
    if (error instanceof Trouble && error.status === NOT_SIGNED_IN) return null
    throw error
  })
  if (!own) return null
  await refreshGoods()
  const [now, due, charged, offered, moved, held, given, earned, monthly, kinds, booked, parks, backs] = await Promise.all([
    parked(),
    bills(),
    charges(),
    offers(),
    movements(),
    coupons(),
    gifts(),
    points(),
    passes(),
    passKinds(),
    bookings(),
    keepingParks(),
    refunds(),
  ])
  return {
    home: own,
    parked: now,
    bills: due,
    charges: charged,
    offers: offered,
    movements: moved.records,
    coupons: held,
    gifts: given,
    points: earned,
    passes: monthly,
    kinds,
    bookings: booked,
    parks,
    backs,
    weighed: await Promise.all(now.map((one) => bestCoupons(one))),
  }
}

function draw(): void {
  document.title = `${say(['我的停车', 'My parking'])} · ${door.name}`
  const at = document.activeElement instanceof HTMLInputElement ? document.activeElement.ariaLabel : null
  document
    .querySelector('main')!
    .replaceChildren(header(), ...(trouble === '' ? [] : [node('p', { role: 'alert', textContent: trouble })]), ...shown())
  // Drawn anew, the field that somebody types into keeps its cursor.
  if (at) [...document.querySelectorAll('input')].find((one) => one.ariaLabel === at)?.focus()
}
const header = () =>
  node(
    'header',
    {},
    node('h1', { textContent: say(['我的停车', 'My parking']) }),
    node(
      'div',
      {},
      node('button', { type: 'button', className: 'quiet', textContent: english ? '中文' : 'English', onclick: () => (speak(!english), draw()) }),
      mine ? node('button', { type: 'button', className: 'quiet', textContent: say(['退出', 'Sign out']), onclick: leave }) : false,
    ),
    node('p', { textContent: mine ? `${door.name} · ${mine.home.phone}` : door.name }),
  )

function shown(): Node[] {
  if (mine === undefined)
    return trouble === ''
      ? [node('p', { role: 'status', className: 'aside', textContent: say(['正在加载…', 'Loading…']) })]
      : [node('button', { type: 'button', className: 'second', textContent: say(['重试', 'Try again']), onclick: () => page.doing(async () => {}) })]
  if (mine === null) return signInForm(door.company, page)
  const storedFen = mine.home.principalFen + mine.home.bonusFen - mine.home.frozenFen
  const parts = {
    bookings: () => bookingsPart(page, { ...mine!, cars: mine!.home.cars }),
    coupons: () => (seesGoods() ? goodsPart(page, mine!.points) : couponsPart(page, { ...mine!, cars: mine!.home.cars })),
    bills: () => billsPart(page, { ...mine!, storedFen, cars: mine!.home.cars }),
    cars: () => carsPart(page, mine!.home.cars),
    charging: () => chargingPart(page, { cars: mine!.home.cars, storedFen }),
    passes: () => passesPart(page, { ...mine!, cars: mine!.home.cars }),
    wallet: () => walletPart(page, mine!),
    rent: () => rentPart(page),
  }
  return [node('div', { className: 'parts' }, ...parts[tab]()), nav(mine)]
}
const nav = ({ home: { debts } }: Mine) =>
  node(
    'nav',
    { ariaLabel: say(['栏目', 'Sections']) },
    ...(Object.keys(TABS) as Tab[]).map((one) => {
      const to = node('a', { href: `#${one}`, textContent: say(TABS[one]) + (one === 'bills' && debts > 0 ? ` (${debts})` : '') })
      if (one === tab) to.ariaCurrent = 'page'
      return to
    }),
  )

addEventListener('hashchange', () => {
  const wanted = location.hash.slice(1)
  if (!(wanted in TABS)) return
  tab = wanted as Tab
  forgetRent()
  forgetCharging()
  closeBays()
  closeGoods()
  scrollTo(0, 0)
  // Another part shows the known data first, and then refreshes it.
  if (mine) page.doing(async () => {})
})
speak(english)
page.doing(async () => {})
// Back from the payment channel: what is due may have changed.
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && mine && page.doing(async () => {}))
