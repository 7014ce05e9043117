import { addKind, addPass, addSale, addToList } from '../domains/member/server/api.ts'
import { DAY_MS, dayOf, instantAt, startOf } from '../platform/contract/time.ts'
import type { House } from '../platform/server/domain.ts'
import { passesOf } from './history/visits.ts'
import type { PlannedPark } from './plan.ts'
import { plateFrom, randomFrom } from './random.ts'

/** Names as common as can be: nobody in particular. */
const HOLDERS = ['李明', '王芳', '张伟', '刘洋', '陈静', '杨帆', '赵磊', '黄丽', '周强', '吴敏', '徐杰', '孙颖']
/** Passes of the demo began before its first stay and go on for a while. */
const BEGAN_DAYS = 120
const LASTS_DAYS = 400

/** What a month costs in the demo, and how many days ago its passes were sold. */
const MONTH_FEN = 30_000
const NIGHT_FEN = 15_000
const SOLD_DAYS_AGO = [28, 20, 12, 5] as const

/** Kinds of pass that are sold at the first park, and some that were sold lately, each with a customer of its own. */
async function addSales(house: House, enterprise: number, { parkCode, bays }: PlannedPark, today: number): Promise<void> {
  await house.writing(enterprise, 'demo', async (tx) => {
    const now = instantAt(today)
    const day = await addKind(tx, { name: '写字楼月租', parkCodes: [parkCode], plan: { name: '全天包月', priceFen: MONTH_FEN } })
    const night = await addKind(tx, { name: '居民夜间', parkCodes: [parkCode], plan: { name: '夜间包月', priceFen: NIGHT_FEN, timeWindow: 3 } })
    const random = randomFrom(bays + 7)
    for (const [n, days] of SOLD_DAYS_AGO.entries())
      await addSale(tx, {
        kind: n % 2 ? night : day,
        holder: HOLDERS[n]!,
        phone: `1390000${String(1000 + n)}`,
        cars: [plateFrom(random)],
        periods: 1,
        startAt: instantAt(today - days * DAY_MS),
        by: '收费处',
        now,
      })
  })
}

/** The cars that the parks know: pass holders, a few guests of the house, a few that may not come in, an ambulance. Once. */
export async function addMembers(house: House, enterprise: number, parks: readonly PlannedPark[]): Promise<void> {
  const today = Date.parse(startOf(dayOf(instantAt(Date.now()))))
  const startAt = instantAt(today - BEGAN_DAYS * DAY_MS)
  const endAt = instantAt(today + LASTS_DAYS * DAY_MS)
  for (const park of parks)
    await house.writing(enterprise, 'demo', async (tx) => {
      let n = 0
      for (const car of passesOf(park))
        await addPass(tx, { parkCode: park.parkCode, holder: HOLDERS[n++ % HOLDERS.length]!, plates: [car], startAt, endAt })
      const random = randomFrom(park.bays)
      const parkCodes = [park.parkCode]
      for (const reasonType of [1, 3, 4])
        await addToList(tx, { listType: 1, ...plateFrom(random), parkCodes, startAt, reasonType, remark: '来访与合作车辆' })
      for (const reasonType of [1, 2])
        await addToList(tx, { listType: 2, ...plateFrom(random), parkCodes, startAt, reasonType, action: 1, remark: '多次逃费' })
    })
  if (parks[0]) await addSales(house, enterprise, parks[0], today)
}
