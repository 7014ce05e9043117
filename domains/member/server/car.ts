import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { impliedColor } from '../../../platform/contract/plate.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { inAllParks, run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { kindsInside, ordinaryPlate } from '../../parking/server/api.ts'
import { car, type MemberCar } from '../contract/customer.ts'
import { PassStatus } from '../contract/pass.ts'
import { CARS, carsOfCustomer } from './customer.ts'
import { groupOf } from './group.ts'
import {
  carsOf,
  conflictsOf,
  coverCars,
  endCover,
  keepCars,
  lockPass,
  Overlaps,
  type PassRow,
  refuseFrozen,
  setPass,
  stretchesOf,
} from './sold/pass.ts'
import { blackWarning, onBlackList } from './sold/passCalls.ts'
import './tables.ts'

type Car = Of<typeof MemberCar>
const Inside = refusal('member.car-inside', 41453, '{plateNo} 在场，离场后再办理', '{plateNo} is in the car park: try again after it leaves')
const ThirdChange = refusal(
  'member.third-change',
  41454,
  '月卡 {passNo} 本月已变更两次车牌，下月再办理',
  'The plates of pass {passNo} were changed twice this month: change them next month',
  422,
)
const LastCar = refusal(
  'member.last-car',
  41455,
  '这是月卡的最后一辆车，可变更车牌或退卡',
  'This is the last car on the pass: change its plate or cancel the pass',
  422,
)
const TooMany = refusal('member.pass-cars', 41456, '月卡 {passNo} 最多 {most} 辆车', 'Pass {passNo} takes {most:car} at most', 422)
const NotTheirs = refusal(
  'member.not-their-pass',
  41457,
  '月卡不属于该客户，请核对客户或月卡',
  'The pass belongs to another customer: check the customer or the pass',
  422,
)
const Elsewhere = refusal(
  'member.car-elsewhere',
  41491,
  '{plateNo} 在其他车场也有月卡，请由可管理其全部车场的人员办理',
  '{plateNo} also has a pass in other car parks: it needs somebody who manages all of them',
  403,
)
const OnRecord = refusal('member.car-known', 41459, '{plateNo} 已在该客户名下，无需重复添加', '{plateNo} is already on this customer: nothing to add')
const Black = refusal(
  'member.car-black',
  41460,
  '{plateNo} 在黑名单中，不能变更为该车牌；请选择其他车牌',
  '{plateNo} is on the black list: choose another plate',
  422,
)
const CHANGES_A_MONTH = 2

export const calls = serve(car, {
  query: ({ tx, input }) => carsOfCustomer(tx, input.memberId),
  async insert({ tx, input: { memberId, plateNo: typed, plateColor, passIds = [], remark }, at, request }) {
    const plateNo = ordinaryPlate(typed)
    const [owner] = await run(tx, { sql: OWNER }, [memberId])
    if (!owner) throw NotFound()
    await keepCars(tx, memberId, [{ plateNo, plateColor: plateColor ?? null }])
    for (const id of passIds.toSorted()) await putOn(tx, await lockPass(tx, { id }), memberId, { plateNo, plateColor: plateColor ?? null }, at)
    const known = await carBy(tx, memberId, plateNo)
    if (remark)
      await run(
        tx,
        { sql: 'update member.car set remark = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1' },
        [known.id, remark, at],
      )
    return { id: known.id, warning: await blackWarning(tx, [plateNo], request.language) }
  },
  async update({ tx, input: { id, version, plateNo: typed, plateColor, remark }, at }) {
    const found = await lockCar(tx, id, version)
    const plateNo = typed === undefined ? found.plateNo : ordinaryPlate(typed)
    if (plateNo !== found.plateNo) return changePlate(tx, found, { plateNo, plateColor: plateColor ?? null }, at)
    if (plateColor !== undefined && plateColor !== found.plateColor) await recolour(tx, found, plateColor, at)
    const set = 'plate_color = coalesce($2, plate_color), remark = case when $4 then $3 else remark end, version = version + 1, updated_at = $5'
    await run(tx, { sql: `update member.car set ${set} where enterprise_id = scope_enterprise() and id = $1` }, [
      id,
      plateColor ?? null,
      remark ?? null,
      remark !== undefined,
      at,
    ])
    return { id: found.id, warning: null }
  },
  async delete({ tx, input: { id, version, passId }, at }) {
    const found = await lockCar(tx, id, version)
    const passes = passId === undefined ? found.passIds : [passId]
    for (const one of passes) await takeOff(tx, await lockPass(tx, { id: one }), found, at)
    if (passId === undefined) await run(tx, { sql: CLOSE }, [id, at, null])
    else
      await run(tx, { sql: 'update member.car set version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = $1' }, [
        id,
        at,
      ])
  },
})
const OWNER = 'select from member.customer where enterprise_id = scope_enterprise() and id = $1 for no key update'
const OWNER_OF_CAR = `select from member.customer where enterprise_id = scope_enterprise()
  and id = (select member_id from member.car where enterprise_id = scope_enterprise() and id = $1) for share`
const CLOSE =
  'update member.car set closed_at = $2, replaced_by = $3, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = $1'

/** A car is held after its customer, who may be merged with another meanwhile, and before the passes that it is on. */
export async function holdCar(tx: Tx, id: string): Promise<void> {
  await run(tx, { sql: OWNER_OF_CAR }, [id])
  await run(tx, { sql: HELD }, [id])
}
const HELD = 'select from member.car where enterprise_id = scope_enterprise() and id = $1 for update'
/** The car, held. @throws NotFound, Stale, IllegalMove when it is closed, Elsewhere when it is on a pass that the caller does not see */
export async function lockCar(tx: Tx, id: string, version: number): Promise<Car> {
  await holdCar(tx, id)
  const [found] = await run<Car>(tx, { sql: `${CARS} and x.id = $1` }, [id])
  if (!found) throw NotFound()
  if (found.version !== version) throw Stale({ version: found.version, sent: version })
  if (found.closedAt !== null) throw IllegalMove({ closedAt: found.closedAt })
  const [whole] = await inAllParks(tx, (everywhere) => run<Car>(everywhere, { sql: `${CARS} and x.id = $1` }, [id]))
  if (whole!.passIds.length > found.passIds.length) throw Elsewhere({ plateNo: found.plateNo })
  return found
}
/** @throws OnRecord when it is this customer's already, added by another park */
async function carBy(tx: Tx, memberId: string, plateNo: string): Promise<Car> {
  const [found] = await run<Car>(tx, { sql: `${CARS} and x.member_id = $1 and x.plate_no = $2 and x.closed_at is null` }, [memberId, plateNo])
  if (!found) throw OnRecord({ plateNo })
  return found
}

/** @throws Overlaps, TooMany, Frozen, GivenBack, NotTheirs */
async function putOn(
  tx: Tx,
  pass: PassRow,
  memberId: string,
  one: { plateNo: string; plateColor: PlateColorCode | null },
  at: Instant,
): Promise<void> {
  if (pass.memberId !== memberId) throw NotTheirs()
  refuseNotRunning(pass)
  const most = pass.groupId === null ? Number.MAX_SAFE_INTEGER : (await groupOf(tx, pass.groupId)).maxCars
  const cars = await carsOf(tx, pass.id)
  if (cars.some(({ plateNo }) => plateNo === one.plateNo)) return
  if (cars.length >= most) throw TooMany({ passNo: pass.passNo, most })
  for (const stretch of await stretchesOf(tx, pass, at)) await coverCars(tx, stretch, [one])
  await setPass(tx, pass, {}, at)
}
function refuseNotRunning(pass: PassRow): void {
  refuseFrozen(pass)
  const { status } = pass
  if (status !== PassStatus.valid && status !== PassStatus.notYet) throw IllegalMove({ status })
}
async function refuseInside(tx: Tx, pass: PassRow, plateNo: string): Promise<void> {
  for (const parkCode of pass.parkCodes) if ((await kindsInside(tx, parkCode, [plateNo])).length > 0) throw Inside({ plateNo })
}
async function takeOff(tx: Tx, pass: PassRow, { plateNo }: Car, at: Instant): Promise<void> {
  refuseNotRunning(pass)
  await refuseInside(tx, pass, plateNo)
  if ((await carsOf(tx, pass.id)).length <= 1) throw LastCar()
  await endCover(tx, pass.id, at, plateNo)
  await setPass(tx, pass, {}, at)
}

/** 车牌变更: the old row closes and keeps its past, the new plate goes on from now in every pass. */
async function changePlate(tx: Tx, found: Car, to: { plateNo: string; plateColor: PlateColorCode | null }, at: Instant) {
  if ((await onBlackList(tx, [to.plateNo])).length > 0) throw Black({ plateNo: to.plateNo })
  const passes: PassRow[] = []
  for (const id of found.passIds) passes.push(await lockPass(tx, { id }))
  for (const pass of passes) {
    refuseNotRunning(pass)
    await refuseInside(tx, pass, found.plateNo)
    if (changesIn(pass, at) >= CHANGES_A_MONTH) throw ThirdChange({ passNo: pass.passNo })
  }
  const sql = 'insert into member.car (member_id, plate_no, plate_color, remark) values ($1, $2, $3, $4) on conflict do nothing returning id'
  const [made] = await run<{ id: Car['id'] }>(tx, { sql }, [found.memberId, to.plateNo, to.plateColor ?? impliedColor(to.plateNo), found.remark])
  if (!made) throw OnRecord({ plateNo: to.plateNo })
  await run(tx, { sql: CLOSE }, [found.id, at, made.id])
  for (const pass of passes) {
    const stretches = await stretchesOf(tx, pass, at)
    await endCover(tx, pass.id, at, found.plateNo)
    for (const stretch of stretches) await coverCars(tx, stretch, [to])
    await setPass(tx, pass, { platesMonth: monthOf(at), plateChanges: changesIn(pass, at) + 1 }, at)
  }
  return { id: made.id, warning: null }
}
const monthOf = (at: Instant) => `${dayOf(at).slice(0, 7)}-01` as Day
/** How often a plate of the pass was changed in this month. */
const changesIn = ({ platesMonth, plateChanges }: PassRow, at: Instant): number => (platesMonth === monthOf(at) ? plateChanges : 0)

/** The colour was unknown, or wrong: its cover is told apart by it. @throws Overlaps when a car of that colour has another pass */
async function recolour(tx: Tx, { plateNo, passIds }: Car, plateColor: PlateColorCode, at: Instant): Promise<void> {
  for (const id of passIds) {
    const pass = await lockPass(tx, { id })
    for (const stretch of await stretchesOf(tx, pass, at)) {
      const [other] = await conflictsOf(tx, { ...stretch, cars: [{ plateNo, plateColor }], except: id })
      if (other) throw Overlaps({ plateNo, passNo: other.passNo, id: other.id })
    }
  }
  await run(tx, { sql: RECOLOUR }, [passIds, plateNo, plateColor, at])
}
const RECOLOUR =
  'update member.pass_car set plate_color = $3 where enterprise_id = scope_enterprise() and pass_id = any ($1) and plate_no = $2 and end_at > $4'
