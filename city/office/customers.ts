import { activity } from '../../domains/owner/contract/activity.ts'
import { asset } from '../../domains/owner/contract/asset.ts'
import { verification, VerifyState } from '../../domains/owner/contract/car.ts'
import { card, CardAct } from '../../domains/owner/contract/card.ts'
import { ReviewLevel, storedRefund } from '../../domains/owner/contract/refund.ts'
import { askForRefund, bindCar, pursesOf, register, spend } from '../../domains/owner/server/api.ts'
import { person } from '../../domains/identity/contract/person.ts'
import { PayMethod } from '../../domains/settlement/contract/payment.ts'
import { DAY_MS, instantAt } from '../../platform/contract/time.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Client } from '../client.ts'
import type { Lane } from '../lane.ts'
import type { Plate } from '../random.ts'
import { PlateColor } from '../../platform/contract/plate.ts'

/** Names as common as can be: nobody in particular. */
const NAMES = ['李明', '王芳', '张伟', '刘洋', '陈静', '杨帆', '赵磊', '黄丽', '周强', '吴敏', '徐杰', '孙颖']
const REGISTERED_DAYS = 28
/** Of the owners so many come today, and pay out of their stored value. */
const VISITS = 5
export const carOf = (n: number): Plate => ({ plateNo: `鄂F${String(60_001 + 37 * n)}`, plateColor: PlateColor.blue })
export const phoneOf = (n: number) => `1380710${String(2_001 + n * 13).padStart(4, '0')}`
const RECHARGES_FEN = [10_000, 20_000, 50_000, 10_000, 30_000, 20_000, 10_000, 5_000]

/** Drivers with accounts: cars of which some are to be reviewed, stored value that was recharged, given, spent and asked back, cards of their own. */
export async function addOwners(
  house: House,
  client: Client,
  enterprise: number,
  { parkCode, lane }: { parkCode: string; lane: Lane },
  nowMs: number,
): Promise<void> {
  await addActivities(client, nowMs)
  const ids: string[] = []
  for (const [n, nickname] of NAMES.entries()) {
    const at = instantAt(nowMs - (REGISTERED_DAYS - 2 * n) * DAY_MS)
    const car = carOf(n)
    const id = await house.writing(enterprise, 'demo', async (tx) => {
      const owner = await register(tx, { phone: phoneOf(n), nickname, at })
      await bindCar(tx, { ownerId: owner.id, plateNo: car.plateNo, plateColor: car.plateColor, at })
      return owner.id as string
    })
    ids.push(id)
  }
  await reviewCars(client)
  for (const [n, payFen] of RECHARGES_FEN.entries())
    await client.ask(asset.recharge, { ownerId: ids[n] as never, payFen: payFen as never, payMethod: PayMethod.cash })
  await payOut(house, enterprise, { parkCode, lane })
  await addCards(client, ids, parkCode)
  await askBack(house, client, enterprise, ids, nowMs)
}

async function addActivities(client: Client, nowMs: number): Promise<void> {
  const tiers = [
    { payFen: 10_000, bonusFen: 1_000 },
    { payFen: 20_000, bonusFen: 3_000 },
    { payFen: 50_000, bonusFen: 10_000 },
  ] as never
  const at = (days: number) => instantAt(nowMs + days * DAY_MS)
  await client.ask(activity.insert, { name: '秋季充值有礼', tiers, startAt: at(-20), endAt: at(40), perUserTimes: 3 })
  await client.ask(activity.insert, { name: '新年充值活动', tiers, startAt: at(41), endAt: at(70), remark: '待开始' })
}

/** The first ones are verified, one is rejected, the last ones wait. */
const WAIT = 3
async function reviewCars(client: Client): Promise<void> {
  const { records } = await client.ask(verification.query, { verifyState: [VerifyState.waiting], limit: 50 })
  const reviewed = records.slice(0, -WAIT)
  for (const [n, { id, version }] of reviewed.entries()) {
    const pass = n < reviewed.length - 1
    const verdict = pass ? '行驶证与车主一致' : '行驶证照片不清晰'
    await client.ask(verification.update, { id, version, verifyState: pass ? VerifyState.verified : VerifyState.rejected, verdict })
  }
}

/** Drivers pay what their cars owe at the exit, and go. */
async function payOut(house: House, enterprise: number, { parkCode, lane }: { parkCode: string; lane: Lane }): Promise<void> {
  for (let n = 0; n < VISITS; n++) {
    const due = await lane.visits(carOf(n))
    if (!due) continue
    await house.writing(enterprise, 'demo', async (tx) => {
      const purseIds = await pursesOf(tx, carOf(n), parkCode, false)
      await spend(tx, { orderId: due.orderId, purseIds, at: instantAt(Date.now()) })
    })
    await lane.leaves()
  }
}

async function addCards(client: Client, ids: readonly string[], parkCode: string): Promise<void> {
  const facts = (n: number) => ({ holder: NAMES[n]!, phone: phoneOf(n), ownerId: ids[n] as never })
  const issue = async (n: number, payFen: number, plates: string[]) =>
    (
      await client.ask(card.add, {
        ...facts(n),
        plates,
        parkCodes: [parkCode],
        payFen: payFen as never,
        payMethod: PayMethod.cash,
      })
    ).card
  await issue(0, 30_000, ['鄂F60001'])
  const lost = await issue(3, 10_000, ['鄂F60112'])
  await client.ask(card.update, { id: lost.id, version: lost.version, act: CardAct.lose })
  await issue(6, 50_000, ['鄂F60223', '鄂F60224'])
}

/** One waits for its first review, one for its second, one was rejected; the operator asked for them. */
async function askBack(house: House, client: Client, enterprise: number, ids: readonly string[], nowMs: number): Promise<void> {
  const { records } = await client.ask(person.queryPage, { username: 'operator' } as never)
  const [operator] = records
  if (!operator) return
  const actor = { userId: operator.id as string, userName: operator.name }
  const ask = (n: number, reason: string) =>
    house.writing(enterprise, 'demo', (tx) => askForRefund(tx, { ownerId: ids[n] as never, reason }, actor, instantAt(nowMs)))
  const [, second, third] = [await ask(5, '搬离本市，不再使用'), await ask(6, '多充了一笔'), await ask(7, '车辆已出售')]
  const audit = (one: typeof second, pass: boolean, verdict: string) =>
    client.ask(storedRefund.audit, { id: one.refund!.id, version: one.refund!.version, level: ReviewLevel.first, pass, verdict })
  await audit(second, true, '充值记录无误')
  await audit(third, false, '请先补充卖车凭证')
}
