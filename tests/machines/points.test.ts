import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireBatches } from '../../domains/coupon/server/pointsBook.ts'
import { aShop, type Shop } from '../../domains/coupon/server/testing.ts'
import { layPoints } from '../../domains/coupon/server/pointsPaying.ts'
import { PayMethod } from '../../domains/settlement/contract/payment.ts'
import { begin, endAttempt, noticePayment, openOrder, payCash } from '../../domains/settlement/server/api.ts'
import { now } from '../../domains/settlement/server/testing.ts'
import { exercise, LIFE_MS, type Machine, type Move, SEED, STEPS } from './machine.ts'

const FEE_FEN = 500
/** Ten points for a yuan. */
const EARNED = 50
const HALF_FEN = FEE_FEN / 2
const PRICE = 60
const OFFSET_FEN = 40
/** So many points beside the money of a fee. */
const [BESIDE, BESIDE_FEE_FEN] = [30, 100]
const CLOSED = 2 as const
const LONG = { points: 100, days: 30 }
const SHORT = { points: 70, days: 5 }
const FEE_DAYS = 15
const PASSES_DAYS = 4
let shop: Shop
let second: string
let goodId: string
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  shop = await aShop()
  await shop.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await shop.ground.server.signIn('auditor')
  // The cash for refunds lies in the till from its beginning.
  await shop.business('/shift/open', { openingFloatFen: 100_000_000 })
  await shop.business('/pointsAccount/setParks', { parks: [{ parkCode: shop.field.parkCode, earn: true, spend: true, capPermille: 1000 }] })
  const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
  await shop.business('/pointsRule/add', { name: '停车', event: 1, ratio: 10, startAt: day(-1), endAt: day(30) })
  goodId = (await shop.business('/pointsGoods/add', { name: '贴纸', pointsPrice: PRICE, stock: 1_000_000 })).data.id
})
afterAll(() => shop.close())

interface Batch {
  points: number
  left: number
  clawed: number
  days: number
}
/** Points that one spending took from a batch, and how many of them may come back. */
interface Taken {
  batch: number
  open: number
}
interface Spent {
  points: number
  taken: Taken[]
  back: boolean
}
interface Points {
  balance: number
  debt: number
  totalEarned: number
  totalSpent: number
  totalExpired: number
  totalClawed: number
  /** Set apart for payments under way. */
  frozen: number
  /** Of each batch, in the order in which they came. */
  left: number[]
  ledgerFen: number
  batches: Batch[]
  exchanges: Spent[]
  offsets: Spent[]
  /** Payments with points that are under way, and those that came. */
  laid: Spent[]
  beside: Spent[]
  fees: { batch: number; refundedFen: number }[]
}
interface Real {
  id: string
  plateNo: string
  exchanges: string[]
  offsets: string[]
  laid: { orderId: string; payNo: string; paymentId: string }[]
  beside: string[]
  fees: string[]
}
type PointsMove = Move<Points, Real>

/** The columns that the database has, out of the batches. */
function summed(model: Points): true {
  model.left = model.batches.map(({ left }) => left)
  model.balance = model.left.reduce((sum, left) => sum + left, 0) + model.frozen - model.debt
  model.ledgerFen = model.totalEarned - model.totalSpent - model.totalExpired - model.totalClawed
  return true
}
function earns(model: Points, { points, days }: { points: number; days: number }): number {
  const owed = Math.min(model.debt, points)
  model.debt -= owed
  model.totalEarned += points
  return model.batches.push({ points, left: points - owed, clawed: 0, days }) - 1
}
/** Those that expire first go first; `first` is taken before them, however old it is. Gives what each bore. */
function takes({ batches }: Points, points: number, first?: number): Taken[] {
  const turn = batches.map((batch, n) => ({ batch, n })).filter(({ batch, n }) => batch.left > 0 && (batch.days > 0 || n === first))
  turn.sort((a, b) => Number(b.n === first) - Number(a.n === first) || a.batch.days - b.batch.days || a.n - b.n)
  const taken: Taken[] = []
  let wanted = points
  for (const { batch, n } of turn) {
    const open = Math.min(wanted, batch.left)
    if (open === 0) break
    batch.left -= open
    wanted -= open
    taken.push({ batch: n, open })
  }
  return taken
}
const usable = ({ batches, balance, frozen }: Points) =>
  Math.min(
    batches.reduce((sum, { left, days }) => sum + (days > 0 ? left : 0), 0),
    Math.max(0, balance - frozen),
  )
function spends(model: Points, points: number, into: Spent[]): boolean {
  if (usable(model) < points) return false
  into.push({ points, taken: takes(model, points), back: false })
  model.totalSpent += points
  return summed(model)
}
/** Debt is paid first; what lasts longest comes back first. */
function goesBack(model: Points, spent: Spent): void {
  const turn = spent.taken.map((one, n) => ({ ...one, n })).sort((a, b) => model.batches[b.batch]!.days - model.batches[a.batch]!.days || b.n - a.n)
  for (const { batch, open } of turn) {
    const owed = Math.min(model.debt, open)
    model.debt -= owed
    model.batches[batch]!.left += open - owed
  }
}
function comesBack(model: Points, spent: Spent | undefined): boolean {
  if (!spent) return false
  goesBack(model, spent)
  model.totalSpent -= spent.points
  spent.back = true
  return summed(model)
}
const last = <T>(of: readonly T[], fits: (one: T) => boolean) => of.findLastIndex(fits)
const isOut = ({ back }: Spent) => !back

/** Its newest batch lasts so many days from now. */
const lasts = (id: string, days: number) =>
  shop.sql(
    `update coupon.points_batch set expire_at = now() + make_interval(days => $2) where id = (select id from coupon.points_batch where account_id = $1 order by id desc limit 1)`,
    [id, days],
  )
const grants = (name: string, of: typeof LONG): PointsMove => ({
  name,
  async does({ id }) {
    const { status } = await shop.business('/pointsAccount/grant', { accountId: id, points: of.points, reason: '活动' })
    await lasts(id, of.days)
    return status
  },
  allowed(model) {
    earns(model, of)
    return summed(model)
  },
})
const anOrder = (plateNo: string, receivableFen: number) =>
  shop.field.write((tx) => openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode: shop.field.parkCode, receivableFen, at: now() }))
const pays: PointsMove = {
  name: 'a fee is paid',
  async does({ id, plateNo, fees }) {
    const order = await anOrder(plateNo, FEE_FEN)
    await shop.field.write((tx) => payCash(tx, { orderId: order.id, amountFen: FEE_FEN, actor: { userId: order.id, userName: '收费员' }, at: now() }))
    await lasts(id, FEE_DAYS)
    fees.push(order.id)
    return 200
  },
  allowed(model) {
    model.fees.push({ batch: earns(model, { points: EARNED, days: FEE_DAYS }), refundedFen: 0 })
    return summed(model)
  },
}
async function refund(orderId: string | undefined, amountFen: number): Promise<number> {
  if (orderId === undefined) return 409
  const { data } = await shop.business('/orderRefund/apply', { orderId, amountFen, reason: '试' })
  const approved = await shop.business('/orderRefund/approve', { id: data.id, version: data.version, verdict: '同意' }, 'POST', second)
  if (approved.status !== 200 || approved.data.state === 3) return approved.status
  return (await shop.business('/orderRefund/payOut', { id: data.id, version: approved.data.version })).status
}
const clawsBack: PointsMove = {
  name: 'half of a fee is refunded',
  does: ({ fees }, model) => refund(fees[last(model.fees, ({ refundedFen }) => refundedFen < FEE_FEN)], HALF_FEN),
  allowed(model) {
    const fee = model.fees[last(model.fees, ({ refundedFen }) => refundedFen < FEE_FEN)]
    if (!fee) return false
    fee.refundedFen += HALF_FEN
    const batch = model.batches[fee.batch]!
    const points = Math.ceil((batch.points * fee.refundedFen) / FEE_FEN) - batch.clawed
    batch.clawed += points
    model.totalClawed += points
    model.debt += points - takes(model, points, fee.batch).reduce((sum, { open }) => sum + open, 0)
    return summed(model)
  },
}
const exchange = (id: string) => shop.business('/pointsOrder/exchange', { accountId: id, goodId, qty: 1 })
const exchanges: PointsMove = {
  name: 'exchanged for an article',
  async does(real) {
    const { status, data } = await exchange(real.id)
    if (status === 200) real.exchanges.push(data.id)
    return status
  },
  allowed: (model) => spends(model, PRICE, model.exchanges),
}
/** As many are as there are points for. */
const race: PointsMove = {
  name: 'two exchanges at once',
  async does(real, model) {
    const won = (await Promise.all([exchange(real.id), exchange(real.id)])).filter(({ status }) => status === 200)
    real.exchanges.push(...won.map(({ data }) => data.id).sort())
    return won.length === Math.min(2, Math.floor(usable(model) / PRICE)) ? 200 : 500
  },
  allowed(model) {
    for (const _ of [1, 2]) spends(model, PRICE, model.exchanges)
    return true
  },
}
const cancels: PointsMove = {
  name: 'an exchange is cancelled',
  async does(real, model) {
    const id = real.exchanges[last(model.exchanges, isOut)]
    if (id === undefined) return 409
    const [{ version }] = await shop.sql('select version from coupon.points_order where id = $1', [id])
    return (await shop.business('/pointsOrder/cancel', { id, version, reason: '缺货' })).status
  },
  allowed: (model) => comesBack(model, model.exchanges[last(model.exchanges, isOut)]),
}
const offsets: PointsMove = {
  name: 'points pay a fee',
  async does({ id, offsets: paid }) {
    const { id: orderId } = await anOrder(shop.aPlate(), OFFSET_FEN)
    const { status } = await shop.business('/pointsAccount/offset', { accountId: id, orderId })
    if (status === 200) paid.push(orderId)
    return status
  },
  allowed: (model) => spends(model, OFFSET_FEN, model.offsets),
}
const refunds: PointsMove = {
  name: 'a fee that points paid is refunded',
  does: (real, model) => refund(real.offsets[last(model.offsets, isOut)], OFFSET_FEN),
  allowed: (model) => comesBack(model, model.offsets[last(model.offsets, isOut)]),
}
const lay = (id: string, orderId: string) =>
  shop.field.write((tx) => begin(tx, orderId, PayMethod.wechat, now(), { lay: layPoints(id, BESIDE, now()) }))
/** As many are set apart as there are points for, in the order in which they took them. */
const lays: PointsMove = {
  name: 'points are set apart for two fees at once',
  async does(real, model) {
    const made = [await anOrder(shop.aPlate(), BESIDE_FEE_FEN), await anOrder(shop.aPlate(), BESIDE_FEE_FEN)]
    const tried = await Promise.allSettled(made.map(({ id }) => lay(real.id, id)))
    const won = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const turn = await shop.sql<{ bizNo: string }>(
      'select biz_no from coupon.points_taken where biz_no = any($1) group by 1 order by min(id::text)',
      [made.map(({ orderNo }) => orderNo)],
    )
    for (const { bizNo } of turn) {
      const { order, attempt } = won.find(({ order: { orderNo } }) => orderNo === bizNo)!
      real.laid.push({ orderId: order.id, payNo: attempt.payNo, paymentId: attempt.id })
    }
    return won.length === Math.min(2, Math.floor(usable(model) / BESIDE)) ? 200 : 500
  },
  allowed(model) {
    for (const _ of [1, 2]) {
      if (usable(model) < BESIDE) break
      model.laid.push({ points: BESIDE, taken: takes(model, BESIDE), back: false })
      model.frozen += BESIDE
      summed(model)
    }
    return true
  },
}
const comes: PointsMove = {
  name: 'the money beside points comes, told twice',
  async does(real) {
    const one = real.laid.pop()
    if (!one) return 409
    const notice = { payNo: one.payNo, channel: 'wechat', tradeNo: `T-${one.payNo}`, amountFen: BESIDE_FEE_FEN - BESIDE, paidAt: now(), at: now() }
    const told = await Promise.all([1, 2].map(() => shop.field.write((tx) => noticePayment(tx, notice))))
    real.beside.push(one.orderId)
    return told.toSorted().join() === 'paid,repeat' ? 200 : 500
  },
  allowed(model) {
    const one = model.laid.pop()
    if (!one) return false
    model.beside.push(one)
    model.frozen -= BESIDE
    model.totalSpent += BESIDE
    return summed(model)
  },
}
const lapses: PointsMove = {
  name: 'the money beside points does not come',
  async does(real) {
    const one = real.laid.pop()
    if (!one) return 409
    await shop.field.write((tx) => endAttempt(tx, one.paymentId, CLOSED, now()))
    return 200
  },
  allowed(model) {
    const one = model.laid.pop()
    if (!one) return false
    goesBack(model, one)
    model.frozen -= BESIDE
    return summed(model)
  },
}
const refundsBeside: PointsMove = {
  name: 'of a fee that points paid in part, their part is refunded',
  does: (real, model) => refund(real.beside[last(model.beside, isOut)], BESIDE),
  allowed: (model) => comesBack(model, model.beside[last(model.beside, isOut)]),
}
const passes: PointsMove = {
  name: 'days pass',
  async does({ id }) {
    await shop.sql('update coupon.points_batch set expire_at = expire_at - make_interval(days => $2) where account_id = $1', [id, PASSES_DAYS])
    return 200
  },
  allowed(model) {
    for (const batch of model.batches) batch.days -= PASSES_DAYS
    return true
  },
}
const expires: PointsMove = {
  name: 'what is over expires',
  async does() {
    while (await shop.field.write((tx) => expireBatches(tx, now())));
    return 200
  },
  allowed(model) {
    for (const batch of model.batches.filter(({ days }) => days <= 0)) {
      model.totalExpired += batch.left
      batch.left = 0
    }
    return summed(model)
  },
}

let people = 0
const LEDGER = `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where account = 'liability.points' and sub = $1`
const machine = (): Machine<Points, Real> => ({
  name: 'points',
  life: 16,
  async fresh() {
    const plateNo = shop.aPlate()
    const phone = `138${String(++people).padStart(8, '0')}`
    const { data } = await shop.business('/pointsAccount/open', { phone, name: '王女士', plates: [plateNo] })
    return {
      model: {
        balance: 0,
        debt: 0,
        totalEarned: 0,
        totalSpent: 0,
        totalExpired: 0,
        totalClawed: 0,
        frozen: 0,
        left: [],
        ledgerFen: 0,
        batches: [],
        exchanges: [],
        offsets: [],
        laid: [],
        beside: [],
        fees: [],
      },
      real: { id: data.id, plateNo, exchanges: [], offsets: [], laid: [], beside: [], fees: [] },
    }
  },
  async look({ id }) {
    const [{ balance, debt, frozen, totalEarned, totalSpent, totalExpired, totalClawed }] = await shop.sql(
      'select * from coupon.points_account where id = $1',
      [id],
    )
    const batches = await shop.sql<{ remaining: number }>('select remaining from coupon.points_batch where account_id = $1 order by id', [id])
    const [{ fen: ledgerFen }] = await shop.sql(LEDGER, [id])
    return { balance, debt, frozen, totalEarned, totalSpent, totalExpired, totalClawed, left: batches.map(({ remaining }) => remaining), ledgerFen }
  },
  moves: [
    grants('granted', LONG),
    grants('granted for few days', SHORT),
    pays,
    clawsBack,
    exchanges,
    race,
    cancels,
    offsets,
    refunds,
    lays,
    comes,
    lapses,
    refundsBeside,
    passes,
    expires,
  ],
})

test(
  'whatever is done with points in whatever order: what expires first is spent first, balance is batches less debt, and the ledger says the same',
  async () => {
    const { steps, refused } = await exercise(machine())
    expect(steps).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(10)
    expect(await shop.replay()).toBe(true)
  },
  LIFE_MS,
)
