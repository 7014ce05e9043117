import sharp from 'sharp'
import { coupon } from '../../domains/coupon/contract/coupon.ts'
import { goods } from '../../domains/coupon/contract/goods.ts'
import { pointsAccount } from '../../domains/coupon/contract/pointsAccount.ts'
import { pointsGoods, pointsOrder } from '../../domains/coupon/contract/pointsGoods.ts'
import { PointsEvent, pointsRule } from '../../domains/coupon/contract/pointsRule.ts'
import { sold } from '../../domains/coupon/contract/sold.ts'
import { CouponType, template, TemplateStatus, ValidType } from '../../domains/coupon/contract/template.ts'
import { account } from '../../domains/merchant/contract/account.ts'
import { AdAct, AdSlot, advertisement } from '../../domains/merchant/contract/advertisement.ts'
import { credit } from '../../domains/merchant/contract/credit.ts'
import { merchant, MerchantType, SettleMode } from '../../domains/merchant/contract/merchant.ts'
import { file } from '../../domains/system/contract/file.ts'
import { order } from '../../domains/settlement/contract/order.ts'
import { PayMethod } from '../../domains/settlement/contract/payment.ts'
import { DAY_MS, instantAt } from '../../platform/contract/time.ts'
import { type Client, digestOf } from '../client.ts'
import { phoneOf } from './customers.ts'
import type { Lane } from '../lane.ts'
import type { Plate } from '../random.ts'
import { PlateColor } from '../../platform/contract/plate.ts'

const fen = (yuan: number) => (yuan * 100) as never
const SHOPS = [
  {
    name: '万汇影城',
    type: MerchantType.shop,
    contact: '王店长',
    phone: '16007101101',
    settleMode: SettleMode.face,
    rechargeYuan: 2_000,
    creditYuan: 500,
  },
  {
    name: '汉江国际酒店',
    type: MerchantType.hotel,
    contact: '李经理',
    phone: '16007101102',
    settleMode: SettleMode.face,
    rechargeYuan: 5_000,
    creditYuan: 2_000,
  },
  {
    name: '爱心口腔门诊',
    type: MerchantType.hospital,
    contact: '张主任',
    phone: '16007101103',
    settleMode: SettleMode.actual,
    rechargeYuan: 1_000,
    creditYuan: 0,
  },
  {
    name: '襄州文创园',
    type: MerchantType.company,
    contact: '陈主管',
    phone: '16007101104',
    settleMode: SettleMode.actual,
    rechargeYuan: 800,
    creditYuan: 300,
  },
] as const
const shared = { validType: ValidType.afterIssue, validDays: 30, totalQty: 2_000, status: TemplateStatus.enabled } as const
const TEMPLATES = [
  { name: '消费满 100 减 5 元', type: CouponType.amount, value: 500, priceYuan: 4 },
  { name: '免费停车 2 小时', type: CouponType.time, value: 120, maxDiscountFen: fen(12), priceYuan: 6 },
  { name: '住店八折', type: CouponType.discount, value: 800, maxDiscountFen: fen(20), priceYuan: 3 },
  { name: '开业全免券', type: CouponType.free, value: 0, maxDiscountFen: fen(30), priceYuan: 10 },
] as const

/** Shops that give coupons, and come in at their page with the demo's password, which they then change: what they brought, owe and bought, what they issued, and what was used of it. */
export async function addMerchants(client: Client, parkCode: string, lane: Lane, password: string): Promise<void> {
  const articles: { id: never; templateId: never; priceFen: number }[] = []
  for (const { priceYuan, ...terms } of TEMPLATES) {
    const { id } = await client.ask(template.insert, { ...shared, ...terms })
    const made = await client.ask(goods.insert, { templateId: id, name: terms.name, priceFen: fen(priceYuan), qty: 500 })
    articles.push({ id: made.id as never, templateId: id as never, priceFen: made.priceFen })
  }
  await client.ask(template.insert, {
    ...shared,
    name: '周末夜间券',
    type: CouponType.amount,
    value: 300,
    timeFrom: '18:00',
    timeTo: '23:59',
    status: TemplateStatus.draft,
  })
  const sales: string[] = []
  for (const [n, { rechargeYuan, creditYuan, ...facts }] of SHOPS.entries()) {
    const { id: mchId, login } = await client.ask(merchant.add, { ...facts, parkCodes: [parkCode] })
    await letIn(client, { id: mchId, login }, password)
    await client.ask(account.recharge, { mchId, amountFen: fen(rechargeYuan), payMethod: PayMethod.cash })
    if (creditYuan) await client.ask(credit.add, { mchId, amountFen: fen(creditYuan), reason: '年度合作协议' })
    const article = articles[n]!
    const payableFen = (facts.settleMode === SettleMode.face ? article.priceFen * 100 : 0) as never
    sales.push((await client.ask(sold.buy, { mchId, goodId: article.id, qty: 100, payableFen })).id)
  }
  await issue(client, sales, articles[0]!.templateId, lane)
  await addAdvertisements(client)
}

async function letIn(client: Client, { id, login }: { id: string; login: string }, password: string): Promise<void> {
  const newPassword = digestOf(login, password)
  await client.ask(merchant.resetPassword, { custId: id as never, newPassword, confirmPassword: newPassword })
}
/** The demo has another password than when its shops were made. */
export async function letMerchantsIn(client: Client, password: string): Promise<void> {
  const { records } = await client.ask(merchant.queryPage, { limit: 100 })
  const names = new Set<string>(SHOPS.map(({ name }) => name))
  for (const { id, mchNo, name } of records) if (names.has(name)) await letIn(client, { id, login: mchNo }, password)
}

const GUESTS = 6
export const guestOf = (n: number): Plate => ({ plateNo: `鄂F${String(80_017 + 41 * n)}`, plateColor: PlateColor.blue })
/** Guests get one each and pay the rest at the exit; others get theirs before they come. */
async function issue(client: Client, sales: readonly string[], templateId: never, lane: Lane): Promise<void> {
  for (let n = 0; n < GUESTS; n++) {
    await client.ask(coupon.sendToCar, { soldId: sales[n % 3] as never, plates: [guestOf(n).plateNo], reason: '店内消费' })
    const due = await lane.visits(guestOf(n))
    if (due) await client.ask(order.cash, { id: due.orderId as never, amountFen: due.payableFen as never })
    await lane.leaves()
  }
  const coming = Array.from({ length: 8 }, (_, n) => `鄂F${String(70_011 + 53 * n)}`)
  await client.ask(coupon.sendToCar, { soldId: sales[1] as never, plates: coming.slice(0, 5), reason: '入住登记' })
  await client.ask(coupon.sendToCar, { templateId, plates: coming, reason: '秋季回馈' })
  const { records } = await client.ask(coupon.queryPage, { plateNo: coming[7]! })
  const [last] = records
  if (last) await client.ask(coupon.withdraw, { id: last.id, version: last.version, reason: '发错车牌' })
}

/** Both wait for another person than their author: nobody passes their own. */
async function addAdvertisements(client: Client): Promise<void> {
  const [startAt, endAt] = [instantAt(Date.now() - 3 * DAY_MS), instantAt(Date.now() + 27 * DAY_MS)]
  for (const [n, [name, tint]] of ADS.entries()) {
    const bytes = await poster(name, tint)
    const { url: media } = await client.ask(file.upload, { file: { name: `ad${n}.jpg`, type: 'image/jpeg', bytes } as never })
    const made = await client.ask(advertisement.add, { name, slot: n === 0 ? AdSlot.paid : AdSlot.home, media, startAt, endAt, weight: 10 })
    if (n === 0) await client.ask(advertisement.update, { id: made.id, version: made.version, act: AdAct.submit })
  }
}
const ADS = [
  ['储值满二百送三十', '#1b73d0'],
  ['周末影城停车两小时免费', '#7a4fb5'],
] as const
const poster = (words: string, tint: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="240" font-family="Noto Sans CJK SC, sans-serif"><rect width="640" height="240" fill="${tint}"/><text x="320" y="136" font-size="44" text-anchor="middle" fill="#fff">${words}</text></svg>`,
    ),
  )
    .jpeg({ quality: 80 })
    .toBuffer()

const HOLDERS = ['李明', '王芳', '张伟', '刘洋', '陈静']
const PRIZES = [
  { name: '便携雨伞', pointsPrice: 800, stock: 40, perUserLimit: 2 },
  { name: '洗车券一张', pointsPrice: 1_500, stock: 20, perUserLimit: 1 },
  { name: '车载香薰', pointsPrice: 600, stock: 60, perUserLimit: 3 },
] as const
/** Adds rules that earn points, holders of points, and exchanges. */
export async function addPoints(client: Client, parkCode: string): Promise<void> {
  const at = (days: number) => instantAt(Date.now() + days * DAY_MS)
  const dates = { startAt: at(-30), endAt: at(335) }
  await client.ask(pointsRule.add, { ...dates, name: '停车缴费得积分', event: PointsEvent.parking, ratio: 10, dayCap: 500, priority: 10 })
  await client.ask(pointsRule.add, {
    ...dates,
    name: '夜间双倍',
    event: PointsEvent.parking,
    ratio: 10,
    multiplier: 2_000,
    multiplierFrom: '20:00',
    multiplierTo: '08:00',
    additive: true,
  })
  await client.ask(pointsRule.add, { ...dates, name: '充电得积分', event: PointsEvent.charging, ratio: 5, monthCap: 2_000 })
  await client.ask(pointsAccount.setParks, { parks: [{ parkCode, earn: true, spend: true, capPermille: 1_000 }] })
  const prizes = []
  for (const prize of PRIZES) prizes.push(await client.ask(pointsGoods.add, prize))
  for (const [n, name] of HOLDERS.entries()) {
    const made = await client.ask(pointsAccount.open, { phone: phoneOf(n), name, plates: [guestOf(n).plateNo] })
    await client.ask(pointsAccount.grant, { accountId: made.id, points: 900 + n * 700, reason: '开户礼' })
    if (n > 2) continue
    const exchanged = await client.ask(pointsOrder.exchange, { accountId: made.id, goodId: prizes[n === 1 ? 0 : 2]!.id, qty: 1 })
    if (n === 0) await client.ask(pointsOrder.deliver, { id: exchanged.id, version: exchanged.version })
  }
}
