import { addKind, addPass, addRule, addSale, addToList, type NewEntry, setUnitBays } from '../../domains/member/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, startOf } from '../../platform/contract/time.ts'
import type { Tx } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import { passesOf } from '../history/visits.ts'
import type { PlannedPark } from '../plan.ts'
import { plateFrom, randomFrom } from '../random.ts'
import { AccessEffect, AccessStatus, OddEven } from '../../domains/member/contract/accessRule.ts'
import { PassWindow } from '../../domains/member/contract/pass.ts'
import { BlackAction, BlackReason, ListType, WhiteKind, WhiteReason } from '../../domains/member/contract/whiteBlack.ts'

/** Names as common as can be: nobody in particular. */
const HOLDERS = ['李明', '王芳', '张伟', '刘洋', '陈静', '杨帆', '赵磊', '黄丽', '周强', '吴敏', '徐杰', '孙颖']
/** Passes of the demo began before its first stay and go on for a while. */
const BEGAN_DAYS = 120
const LASTS_DAYS = 400

/** The monthly price in the demo. */
const MONTH_FEN = 30_000
const NIGHT_FEN = 15_000
/** How many days ago passes were sold, from the first kind and the second in turn: one is over, one ends soon, one rests. */
const SOLD = [{ daysAgo: 45 }, { daysAgo: 28 }, { daysAgo: 20, restDaysAgo: 3 }, { daysAgo: 12 }, { daysAgo: 5 }] as const
const FREE_MIN = 120
const STAFF_BAYS = 2

/** Kinds of pass that are sold at the first park, and some that were sold lately, each with a customer of its own. */
async function addSales(house: House, enterprise: number, { parkCode, bays }: PlannedPark, today: number): Promise<void> {
  await house.writing(enterprise, 'demo', async (tx) => {
    const ago = (days: number) => instantAt(today - days * DAY_MS)
    const day = await addKind(tx, { name: '写字楼月租', parkCodes: [parkCode], online: true, plan: { name: '全天包月', priceFen: MONTH_FEN } })
    const night = await addKind(tx, {
      name: '居民夜间',
      parkCodes: [parkCode],
      online: true,
      plan: { name: '夜间包月', priceFen: NIGHT_FEN, timeWindow: PassWindow.night },
    })
    const random = randomFrom(bays + 7)
    for (const [n, { daysAgo, ...rest }] of SOLD.entries())
      await addSale(tx, {
        kind: n % 2 ? night : day,
        holder: HOLDERS[n]!,
        phone: `1390000${String(1000 + n)}`,
        cars: n === 0 ? [plateFrom(random)] : [plateFrom(random), plateFrom(random)].slice(0, (n % 2) + 1),
        periods: 1,
        startAt: ago(daysAgo),
        by: '收费处',
        now: ago(0),
        ...('restDaysAgo' in rest && { restsAt: ago(rest.restDaysAgo) }),
      })
    await addRule(tx, {
      parkCode,
      name: '月租车全天可进',
      effect: AccessEffect.allow,
      memberGroups: [day.groupId],
      priority: 10,
      status: AccessStatus.inForce,
    })
    const oddEven = { effect: AccessEffect.forbid, oddEven: OddEven.byDate, timeFrom: '07:00', timeTo: '20:00' } as const
    await addRule(tx, { parkCode, name: '单双号限行（预案）', ...oddEven })
    await setUnitBays(tx, { unit: '物业部', parkCode, bays: STAFF_BAYS }, ago(0))
  })
}

/** Cars that a park knows otherwise than by a pass. */
async function addLists(tx: Tx, { parkCode, bays }: PlannedPark, startAt: Instant): Promise<void> {
  const random = randomFrom(bays)
  const put = (entry: Pick<NewEntry, 'listType' | 'reasonType'> & Partial<NewEntry>) =>
    addToList(tx, { ...plateFrom(random), parkCodes: [parkCode], startAt, ...entry })
  for (const reasonType of [WhiteReason.official, WhiteReason.partner, WhiteReason.visitor])
    await put({ listType: ListType.white, reasonType, remark: '来访与合作车辆' })
  for (const reasonType of [BlackReason.escaped, BlackReason.owes])
    await put({ listType: ListType.black, reasonType, action: BlackAction.refuse, remark: '多次逃费' })
  const someMinutes = { whiteKind: WhiteKind.free, freeMinPerDay: FREE_MIN, holder: '送货车', remark: '每日两小时免费' } as const
  await put({ listType: ListType.white, reasonType: WhiteReason.partner, ...someMinutes })
  for (const holder of HOLDERS.slice(-3))
    await put({ listType: ListType.white, reasonType: WhiteReason.management, whiteKind: WhiteKind.staff, holder, unit: '物业部' })
}

/** The cars that the parks know: pass holders, a few guests of the house, its staff, a few that may not come in. Once. */
export async function addMembers(house: House, enterprise: number, parks: readonly PlannedPark[]): Promise<void> {
  const today = Date.parse(startOf(dayOf(instantAt(Date.now()))))
  const startAt = instantAt(today - BEGAN_DAYS * DAY_MS)
  const endAt = instantAt(today + LASTS_DAYS * DAY_MS)
  let holders = 0
  for (const park of parks)
    await house.writing(enterprise, 'demo', async (tx) => {
      const { parkCode } = park
      const kind = await addKind(tx, {
        name: `固定月租 ${parkCode}`,
        parkCodes: [parkCode],
        plan: { name: `固定包月 ${parkCode}`, priceFen: MONTH_FEN },
      })
      for (const car of passesOf(park)) {
        const holder = HOLDERS[holders % HOLDERS.length]!
        await addPass(tx, {
          kind: { groupId: kind.groupId, carFeesId: kind.carFeesId },
          parkCode,
          holder,
          phone: `160${String(++holders).padStart(8, '0')}`,
          plates: [car],
          startAt,
          endAt,
        })
      }
      await addLists(tx, park, startAt)
    })
  if (parks[0]) await addSales(house, enterprise, parks[0], today)
}
