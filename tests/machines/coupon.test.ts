import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CouponState } from '../../domains/coupon/contract/coupon.ts'
import { aShop, type Shop } from '../../domains/coupon/server/testing.ts'
import { expireSome } from '../../domains/coupon/server/upkeep.ts'
import { SettleMode } from '../../domains/merchant/contract/merchant.ts'
import { discounts, discountsHeld } from '../../domains/parking/server/api.ts'
import { cancelOrder, leaveUnpaid, openOrder, payCash, type OrderRow } from '../../domains/settlement/server/api.ts'
import { now } from '../../domains/settlement/server/testing.ts'
import { exercise, LIFE_MS, type Machine, type Move, SEED, STEPS } from './machine.ts'

const { issued, locked, used, expired, withdrawn } = CouponState
const VALUE = 700
const PRICE = 200
const LONG_FEN = 1_000
/** Less than what a coupon takes off. */
const SHORT_FEN = 500
/** Little, so that credit is used and repaid. */
const BALANCE = 500
const QUOTA = 1_000
const LOT = 2
let shop: Shop
let second: string
let templateId: string
let stayId: string
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  shop = await aShop()
  await shop.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await shop.ground.server.signIn('auditor')
  // The cash for refunds lies in the till from its beginning.
  await shop.business('/shift/open', { openingFloatFen: 100_000_000 })
  templateId = (await shop.template({ value: VALUE, totalQty: 1_000_000 })).id
  const plateNo = shop.aPlate()
  await shop.field.enters(plateNo, 0)
  stayId = (await shop.field.stay(plateNo)).id
})
afterAll(() => shop.close())

interface Coupon {
  state: number
  sale: number
  /** Its last day is over. */
  past: boolean
  heldFen: number
}
interface Coupons {
  actual: boolean
  expiredBack: boolean
  stock: number
  /** Of each sale, what is left to issue. */
  left: number[]
  coupons: Coupon[]
  /** As the database has them. */
  states: number[]
  /** Uses of each coupon that were not given back. */
  uses: number[]
  balanceFen: number
  usedFen: number
  heldFen: number
  ledger: { balance: number; coupon: number; credit: number }
  order: 'none' | 'open' | 'paid'
  /** The coupon that the order holds, or was paid with. */
  holds: number
}
interface Real {
  mchId: string
  goodId: string
  plateNo: string
  sales: string[]
  order: OrderRow | undefined
}
type CouponMove = Move<Coupons, Real>

const NONE = -1
function summed(model: Coupons): true {
  model.states = model.coupons.map(({ state }) => state)
  model.uses = model.coupons.map(({ state }) => (state === used ? 1 : 0))
  model.ledger = { balance: model.balanceFen, coupon: model.ledger.coupon, credit: model.usedFen }
  return true
}
/** Balance first, then credit. */
function pays(model: Coupons, fen: number): boolean {
  const ofBalance = Math.min(model.balanceFen, fen)
  if (model.usedFen + fen - ofBalance > QUOTA) return false
  model.balanceFen -= ofBalance
  model.usedFen += fen - ofBalance
  model.ledger.coupon += fen
  return true
}
/** Used credit first. */
function getsBack(model: Coupons, fen: number): void {
  const repaid = Math.min(model.usedFen, fen)
  model.usedFen -= repaid
  model.balanceFen += fen - repaid
}
const newest = ({ coupons }: Coupons, state: number) => coupons.findLastIndex((one) => one.state === state)
/** The one that a fee gets: of those that take as much off, the first. */
const chosen = ({ coupons }: Coupons) => coupons.findIndex(({ state, past, heldFen }) => state === issued && !past && heldFen >= 0)
function uses(model: Coupons, n: number, feeFen: number): void {
  const one = model.coupons[n]!
  one.state = used
  model.ledger.coupon -= one.heldFen
  if (!model.actual) return
  getsBack(model, one.heldFen - Math.min(feeFen, one.heldFen))
  model.heldFen -= one.heldFen
}
function lapses(model: Coupons, one: Coupon): void {
  one.state = expired
  model.ledger.coupon -= one.heldFen
  if (model.actual) model.heldFen -= one.heldFen
  if (model.expiredBack) getsBack(model, one.heldFen)
  one.heldFen = 0
}

const replenishes: CouponMove = {
  name: 'stocked',
  does: async ({ goodId }) => (await shop.call('/couponsGoodsRecord/replenish', { goodId, qty: LOT })).status,
  allowed(model) {
    model.stock += LOT
    return summed(model)
  },
}
const sells: CouponMove = {
  name: 'sold to the merchant',
  async does({ mchId, goodId, sales }, { actual }) {
    const { status, data } = await shop.call('/couponSoldRecord/buyCoupons', { mchId, goodId, qty: LOT, payableFen: actual ? 0 : LOT * PRICE })
    if (status === 200) sales.push(data.id)
    return status
  },
  allowed(model) {
    if (model.stock < LOT || (!model.actual && !pays(model, LOT * PRICE))) return false
    model.stock -= LOT
    model.left.push(LOT)
    return summed(model)
  },
}
const lastSale = async ({ sales }: Real) =>
  (await shop.sql<{ id: string; version: number }>('select id, version from coupon.sold_record where id = $1', [sales.at(-1) ?? randomUUID()]))[0]
const givesBack: CouponMove = {
  name: 'one of them goes back',
  async does(real) {
    const sale = await lastSale(real)
    return sale ? (await shop.call('/soldRecord/giveBack', { ...sale, qty: 1 })).status : 409
  },
  allowed(model) {
    if (!model.left.at(-1)) return false
    model.left[model.left.length - 1]!--
    model.stock++
    if (!model.actual) {
      model.ledger.coupon -= PRICE
      getsBack(model, PRICE)
    }
    return summed(model)
  },
}
const issues: CouponMove = {
  name: 'issued to the car',
  async does({ plateNo, sales }) {
    const soldId = sales.at(-1)
    return soldId ? (await shop.send({ soldId, plates: [plateNo] })).status : 409
  },
  allowed(model) {
    const sale = model.left.length - 1
    const isOut = model.coupons.some((one) => one.sale === sale && (one.state === issued || one.state === locked))
    if (!model.left[sale] || isOut || (model.actual && !pays(model, VALUE))) return false
    model.left[sale]--
    if (model.actual) model.heldFen += VALUE
    model.coupons.push({ state: issued, sale, past: false, heldFen: model.actual ? VALUE : PRICE })
    return summed(model)
  },
}
const withdraws: CouponMove = {
  name: 'withdrawn',
  async does({ plateNo }, model) {
    const one = (await shop.coupons(plateNo))[newest(model, issued)]
    return one ? (await shop.call('/coupon/withdraw', { id: one.id, version: one.version, reason: '发错' })).status : 409
  },
  allowed(model) {
    const one = model.coupons[newest(model, issued)]
    if (!one) return false
    one.state = withdrawn
    model.left[one.sale]!++
    if (model.actual) {
      model.ledger.coupon -= one.heldFen
      model.heldFen -= one.heldFen
      getsBack(model, one.heldFen)
    }
    one.heldFen = 0
    return summed(model)
  },
}

/** A fee at an exit, as a lane asks for it: what is offered is locked in the transaction that opens the order. */
const asked = ({ plateNo }: Real, receivableFen: number): Promise<OrderRow> =>
  shop.field.write(async (tx) => {
    const [id, at, parkCode] = [randomUUID(), now(), shop.field.parkCode]
    const amountIf = async () => receivableFen
    const wanted = {
      stayId,
      orderId: id,
      parkCode,
      plateNo,
      plateColor: 0,
      vehicleClass: 1,
      at,
      amountFen: receivableFen,
      quote: null,
      amountIf,
    } as const
    const offered = (await discounts.ask(tx, wanted)).flatMap(({ answer }) => answer)
    const discountFen = offered.reduce((sum, { amountFen }) => sum + amountFen, 0)
    if (offered.length) await discountsHeld.ask(tx, { orderId: id, stayId, discounts: offered, used: discountFen === receivableFen, at })
    return openOrder(tx, { id, type: 1, plateNo, plateColor: 0, parkCode, receivableFen, discountFen, at })
  })
const comes = (name: string, feeFen: number): CouponMove => ({
  name,
  async does(real, model) {
    if (model.order === 'open') return 409
    real.order = await asked(real, feeFen)
    const n = chosen(model)
    return real.order.discountFen === (n === NONE ? 0 : Math.min(feeFen, VALUE, model.actual ? model.coupons[n]!.heldFen : VALUE)) ? 200 : 500
  },
  allowed(model) {
    if (model.order === 'open') return false
    model.holds = chosen(model)
    const takes = model.holds === NONE ? 0 : Math.min(VALUE, model.actual ? model.coupons[model.holds]!.heldFen : VALUE)
    model.order = takes >= feeFen ? 'none' : 'open'
    if (model.holds === NONE) return true
    if (takes >= feeFen) uses(model, model.holds, feeFen)
    else model.coupons[model.holds]!.state = locked
    return summed(model)
  },
})
/** As a lane does it: what the order held is free again. */
const drops = ({ id: orderId }: OrderRow) =>
  shop.field.write(async (tx) => {
    await cancelOrder(tx, orderId, { reason: '试', at: now() })
    await discountsHeld.ask(tx, { orderId, stayId, discounts: [], used: false, at: now() })
  })
/** One of the two has the coupon; the other is told to look again, or asks the whole fee, and goes. */
const race: CouponMove = {
  name: 'at two exits at once',
  async does(real, model) {
    if (model.order === 'open') return 409
    const both = await Promise.allSettled([asked(real, LONG_FEN), asked(real, LONG_FEN)])
    const made = both.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
    const winners = made.filter(({ discountFen }) => discountFen > 0)
    real.order = winners[0] ?? made[0]
    for (const order of made) if (order !== real.order) await drops(order)
    return real.order && winners.length === (chosen(model) === NONE ? 0 : 1) ? 200 : 500
  },
  allowed: (model) => comes('', LONG_FEN).allowed(model),
}
const cash: CouponMove = {
  name: 'paid',
  async does({ order }, model) {
    if (model.order !== 'open') return 409
    const { id, payableFen } = order!
    await shop.field.write((tx) => payCash(tx, { orderId: id, amountFen: payableFen, actor: { userId: id, userName: '收费员' }, at: now() }))
    return 200
  },
  allowed(model) {
    if (model.order !== 'open') return false
    model.order = 'paid'
    if (model.holds !== NONE) uses(model, model.holds, LONG_FEN)
    return summed(model)
  },
}
const cancels: CouponMove = {
  name: 'the order is cancelled',
  async does({ order }, model) {
    if (model.order !== 'open') return 409
    await drops(order!)
    return 200
  },
  allowed(model) {
    if (model.order !== 'open') return false
    model.order = 'none'
    if (model.holds !== NONE) model.coupons[model.holds]!.state = issued
    return summed(model)
  },
}
const leaves: CouponMove = {
  name: 'left unpaid',
  async does({ order }, model) {
    if (model.order !== 'open') return 409
    await shop.field.write((tx) => leaveUnpaid(tx, order!.id, { at: now() }))
    return 200
  },
  allowed(model) {
    if (model.order !== 'open') return false
    model.order = 'none'
    if (model.holds !== NONE) uses(model, model.holds, LONG_FEN)
    return summed(model)
  },
}
/** By face value it is worth again what was paid for it; as deducted, what was taken is set apart anew. */
const refunds: CouponMove = {
  name: 'refunded whole',
  async does({ order }, model) {
    if (model.order !== 'paid') return 409
    const { data } = await shop.business('/orderRefund/apply', { orderId: order!.id, amountFen: order!.payableFen, reason: '试' })
    const approved = await shop.business('/orderRefund/approve', { id: data.id, version: data.version, verdict: '同意' }, 'POST', second)
    return (await shop.business('/orderRefund/payOut', { id: data.id, version: approved.data.version })).status
  },
  allowed(model) {
    if (model.order !== 'paid') return false
    model.order = 'none'
    const one = model.coupons[model.holds]
    if (!one) return true
    if (model.actual) model.heldFen += one.heldFen
    model.ledger.coupon += one.heldFen
    one.state = issued
    if (one.past) lapses(model, one)
    return summed(model)
  },
}
const ends: CouponMove = {
  name: 'its last day is over',
  async does({ plateNo }) {
    await shop.sql(
      `update coupon.coupon set valid_from = now() - interval '9 days', valid_to = now() - interval '1 second' where plate_no = $1 and state in (${issued}, ${locked}, ${used})`,
      [plateNo],
    )
    return 200
  },
  allowed(model) {
    for (const one of model.coupons) if (one.state === issued || one.state === locked || one.state === used) one.past = true
    return true
  },
}
const expires: CouponMove = {
  name: 'what is over expires',
  async does() {
    while (await shop.field.write((tx) => expireSome(tx, now())));
    return 200
  },
  allowed(model) {
    for (const one of model.coupons) if (one.state === issued && one.past) lapses(model, one)
    return summed(model)
  },
}

let lives = 0
const MERCHANTS = [SettleMode.face, SettleMode.actual].flatMap((settleMode) => [true, false].map((expiredBack) => ({ settleMode, expiredBack })))
const machine = (): Machine<Coupons, Real> => ({
  name: 'coupon',
  life: 20,
  async fresh() {
    const terms = MERCHANTS[lives++ % MERCHANTS.length]!
    const { id: mchId } = await shop.merchant({ ...terms, balanceFen: BALANCE, creditFen: QUOTA })
    const { data: article } = await shop.call('/couponsGoodsinfo/insert', { templateId, name: '停车券', priceFen: PRICE, qty: LOT })
    const ledger = { balance: BALANCE, coupon: 0, credit: 0 }
    const money = { balanceFen: BALANCE, usedFen: 0, heldFen: 0, ledger }
    return {
      model: {
        actual: terms.settleMode === SettleMode.actual,
        expiredBack: terms.expiredBack,
        stock: LOT,
        left: [],
        coupons: [],
        states: [],
        uses: [],
        ...money,
        order: 'none',
        holds: NONE,
      },
      real: { mchId, goodId: article.id, plateNo: shop.aPlate(), sales: [], order: undefined },
    }
  },
  async look({ mchId, goodId, plateNo }) {
    const [goods] = await shop.sql<{ stock: number }>('select stock from coupon.goods where id = $1', [goodId])
    const { stock } = goods!
    const sales = await shop.sql<{ leftQty: number }>('select left_qty from coupon.sold_record where mch_id = $1 order by id', [mchId])
    const coupons = await shop.coupons(plateNo)
    const inUse = await shop.sql<{ couponId: string }>('select coupon_id from coupon.use_record where plate_no = $1 and returned_at is null', [
      plateNo,
    ])
    const { balanceFen, usedFen, heldFen } = await shop.merchantOf(mchId)
    return {
      stock,
      left: sales.map(({ leftQty }) => leftQty),
      states: coupons.map(({ state }) => state),
      uses: coupons.map(({ id }) => inUse.filter(({ couponId }) => couponId === id).length),
      ...{ balanceFen, usedFen, heldFen, ledger: await shop.ledgerOf(mchId) },
    }
  },
  moves: [
    replenishes,
    sells,
    givesBack,
    issues,
    issues,
    withdraws,
    comes('stands at the exit', LONG_FEN),
    comes('a coupon is worth more than the fee', SHORT_FEN),
    race,
    cash,
    cancels,
    leaves,
    refunds,
    ends,
    expires,
  ],
})

test(
  'whatever is done with coupons in whatever order: each is used once, and stock, the merchant’s account and the ledger say the same',
  async () => {
    const { steps, refused } = await exercise(machine())
    expect(steps).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(10)
    expect(await shop.replay()).toBe(true)
  },
  LIFE_MS,
)
