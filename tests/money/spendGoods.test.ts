import { afterAll, beforeAll, expect, test } from 'vitest'
import { aShop, type Shop } from '../../domains/coupon/server/testing.ts'
import { anOffice, type Office } from '../../domains/member/server/testing.ts'
import { tally } from '../../scripts/tally.ts'
import { type Flow, type Outcome, SPENDERS, spendAtOnce } from './spend.ts'

/** `SPENDS=50` repeats each flow. */
const ROUNDS = Number(process.env['SPENDS'] ?? 1)
/** There is enough for so many, whatever it is. */
const ENOUGH = 10

let shop: Shop
let office: Office
beforeAll(async () => {
  ;[shop, office] = await Promise.all([aShop(), anOffice()])
  // One person grants as many points as these flows need.
  await shop.business('/pointsGrant/setLimit', { alone: 1_000_000 })
})
afterAll(() => Promise.all([shop.close(), office.server.close()]))

/** A rule refuses by its own number; any other answer means that a guard is gone or that somebody waited too long. */
const byRule =
  (...rules: number[]) =>
  ({ code, message }: { code: number; message: string }): Outcome => {
    if (code === 200) return 'passed'
    if (rules.includes(code)) return 'refused'
    throw new Error(`A spend was answered with ${code}: ${message}`)
  }
/** Asks again when the wait for a connection took too long: such a refusal comes before anything was done. */
async function insisting(ask: () => Promise<any>): Promise<any> {
  for (let tries = 0; tries < SPENDERS; tries++) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
  throw new Error('Nobody was served any more.')
}
const differs = (what: string, seen: unknown, wanted: unknown) =>
  JSON.stringify(seen) === JSON.stringify(wanted) ? [] : [`${what}: ${JSON.stringify(seen)}`]
const books = async () => ((await shop.replay()) ? [] : ['a replay of the ledger differs'])

const article = async (qty: number, priceFen = 100) => {
  const template = await shop.template({ totalQty: 10_000 })
  return (await shop.call('/couponsGoodsinfo/insert', { templateId: template.id, name: template.name, priceFen, qty })).data
}
/** Coupons for 1 yuan, bought by a merchant with 5 yuan and a credit of 5. */
function merchantsCredit(): Flow {
  let [mchId, goodId] = ['', '']
  return {
    name: 'a merchant’s balance and credit',
    affordable: ENOUGH,
    async setUp() {
      mchId = (await shop.merchant({ balanceFen: 500, creditFen: 500 })).id
      goodId = (await article(1_000)).id
    },
    spend: async () => byRule(41710)(await insisting(() => shop.call('/couponSoldRecord/buyCoupons', { mchId, goodId, qty: 1, payableFen: 100 }))),
    async check() {
      const { balanceFen, usedFen } = await shop.merchantOf(mchId)
      return [...differs('balance and used credit', [balanceFen, usedFen], [0, 500]), ...(await books())]
    },
  }
}
function couponsOnSale(): Flow {
  let [mchId, goodId] = ['', '']
  return {
    name: 'coupons that are on sale',
    affordable: ENOUGH,
    async setUp() {
      mchId = (await shop.merchant({ balanceFen: 1_000_000 })).id
      goodId = (await article(ENOUGH)).id
    },
    spend: async () => byRule(41611)(await insisting(() => shop.call('/couponSoldRecord/buyCoupons', { mchId, goodId, qty: 1, payableFen: 100 }))),
    async check() {
      const { balanceFen } = await shop.merchantOf(mchId)
      return [...differs('balance', balanceFen, 1_000_000 - ENOUGH * 100), ...(await books())]
    },
  }
}
/** Each to another car, of a template of which there are so many. */
function couponsOfTemplate(): Flow {
  let templateId = ''
  return {
    name: 'coupons of a template',
    affordable: ENOUGH,
    setUp: async () => void (templateId = (await shop.template({ totalQty: ENOUGH })).id),
    spend: async () => byRule(41604)(await insisting(() => shop.send({ templateId, plates: [shop.aPlate()] }))),
    check: async () =>
      differs('coupons', (await shop.sql('select count(*)::int as n from coupon.coupon where template_id = $1', [templateId]))[0].n, ENOUGH),
  }
}
let phones = 0
async function anAccount(points: number): Promise<string> {
  const { data } = await shop.business('/pointsAccount/open', { phone: `1380000${String(++phones).padStart(4, '0')}`, name: '王女士', plates: [] })
  await shop.business('/pointsAccount/grant', { accountId: data.id, points, reason: '活动' })
  return data.id
}
const goods = async (stock: number) => (await shop.business('/pointsGoods/add', { name: '杯子', pointsPrice: 100, stock })).data.id
const exchanging = (name: string, { points, stock }: { points: number; stock: number }): Flow => {
  let [accountId, goodId] = ['', '']
  return {
    name,
    affordable: ENOUGH,
    async setUp() {
      ;[accountId, goodId] = [await anAccount(points), await goods(stock)]
    },
    spend: async () => byRule(41650, 41661)(await insisting(() => shop.business('/pointsOrder/exchange', { accountId, goodId, qty: 1 }))),
    async check() {
      const [account] = await shop.sql('select balance, total_spent from coupon.points_account where id = $1', [accountId])
      return [...differs('balance and spent', [account.balance, account.totalSpent], [points - ENOUGH * 100, ENOUGH * 100]), ...(await books())]
    },
  }
}
/** Each to another member. */
function passesOfPlan(): Flow {
  let made: Awaited<ReturnType<Office['aGroup']>>
  const members: string[] = []
  return {
    name: 'passes of a plan with a limit',
    affordable: ENOUGH,
    async setUp() {
      made = await office.aGroup({ plan: { quota: ENOUGH } })
      while (members.length < SPENDERS) members.push(await office.aCustomer())
    },
    async spend(i) {
      const asked = { memberId: members[i], groupId: made.group.id, carFeesId: made.plan.id, periods: 1, plates: [{ plateNo: `鄂C${10_000 + i}` }] }
      return byRule(41431)(await insisting(() => office.call('/pass/sell', { ...asked, seats: 1, payableFen: 30_000, payMethod: 4 })))
    },
    check: async () =>
      differs('passes', (await office.sql('select count(*)::int as n from member.held where group_id = $1', [made.group.id]))[0].n, ENOUGH),
  }
}

test.each([
  merchantsCredit(),
  couponsOnSale(),
  couponsOfTemplate(),
  exchanging('points of an account', { points: ENOUGH * 100, stock: 1_000 }),
  exchanging('goods for points', { points: 1_000_000, stock: ENOUGH }),
  passesOfPlan(),
])('two hundred at once: $name', async (flow) => {
  for (let round = 0; round < ROUNDS; round++) expect(await spendAtOnce(flow)).toEqual([])
  tally({ check: `spend: ${flow.name}`, numbers: { rounds: ROUNDS, spends: ROUNDS * SPENDERS, affordable: flow.affordable } })
})
