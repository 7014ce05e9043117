import type { Instant, Of } from '../../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../../platform/contract/plate.ts'
import { spoken } from '../../../../platform/contract/said.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import type { Actor } from '../../../../platform/server/serve.ts'
import { myPlates } from '../../../owner/server/api.ts'
import { ordinaryPlate } from '../../../parking/server/api.ts'
import { GroupStatus } from '../../contract/group.ts'
import type { PassOffer } from '../../contract/mine.ts'
import { PassStatus } from '../../contract/pass.ts'
import { PlanStatus } from '../../contract/plan.ts'
import { placesLeft } from '../sold/places.ts'
import { onBlackList } from '../sold/passCalls.ts'
import { plansOf } from '../plan.ts'
import { NotSold, offerOf, sell } from '../sold/sale.ts'
import { Said as OwnerSaid } from '../../../owner/contract/said.ts'

const WaitsAlready = refusal(
  'member.mine-waits',
  41477,
  '您有待审核或待支付的月卡，完成后再购买',
  'You have a pass under review or unpaid: finish that one first',
)
const NotForClass = refusal(
  'member.mine-class',
  41478,
  '该套餐不适用 {plateNo} 的车型，请选择其他套餐',
  'This plan does not cover the vehicle class of {plateNo}: choose another plan',
  422,
)
const AtCounter = refusal(
  'member.mine-counter',
  41479,
  '{plateNo} 暂不能自助办理，请联系车场',
  '{plateNo} cannot be handled online: contact the car park',
  422,
)

export interface MyCar {
  plateNo: string
  plateColor: PlateColorCode
  vehicleClass: number
}
/** Cars that are verified as the driver's: nothing is sold for any other. @throws NotFound */
export async function myCars(tx: Tx, ownerId: string, plates: readonly string[]): Promise<MyCar[]> {
  const own = new Map((await myPlates(tx, ownerId)).map((car) => [car.plateNo, car]))
  const cars = [...new Set(plates.map((plateNo) => ordinaryPlate(plateNo)))].map((plateNo) => own.get(plateNo))
  if (cars.length === 0 || cars.includes(undefined)) throw NotFound()
  return cars as MyCar[]
}

type Offer = Of<typeof PassOffer>
/** Kinds of pass that are sold online, each with its plans that are on sale. */
export async function offersNow(tx: Tx): Promise<Offer[]> {
  const groups = await run<
    Pick<Offer, 'groupId' | 'name' | 'maxCars' | 'review' | 'parkNames'> & { maxMembers: number | null; carFeesIds: string[] }
  >(tx, { sql: ONLINE }, [])
  const plans = new Map(
    (
      await plansOf(
        tx,
        groups.flatMap(({ carFeesIds }) => carFeesIds),
      )
    ).map((plan) => [plan.id as string, plan]),
  )
  const offers: Offer[] = []
  for (const { maxMembers, carFeesIds, ...group } of groups) {
    const sold = carFeesIds.flatMap((id) => plans.get(id) ?? []).filter(({ status }) => status === PlanStatus.onSale)
    if (sold.length === 0) continue
    const shown = sold.map(({ id, name, priceFen, periodUnit, periodCount, validType, timeWindow, vehicleClasses }) => ({
      id,
      name,
      priceFen,
      periodUnit,
      periodCount,
      validType,
      timeWindow,
      vehicleClasses,
    }))
    offers.push({ ...group, placesLeft: await placesLeft(tx, { id: group.groupId, maxMembers }), plans: shown })
  }
  return offers
}
/** A page of a telephone shows no more kinds than these. */
const ONLINE = `select g.id as group_id, g.name, g.max_cars, g.review, g.max_members, g.car_fees_ids,
    coalesce((select array_agg(k.name order by k.name) from parking.park k where k.enterprise_id = g.enterprise_id and k.park_code = any (g.park_codes)), '{}') as park_names
  from member.card_group g where g.enterprise_id = scope_enterprise() and g.online and g.status = ${GroupStatus.inUse} order by g.name limit 50`

interface Wanted {
  groupId: string
  carFeesId: string
  periods: number
  startAt: Instant
  cars: readonly MyCar[]
}
/** Returns what a driver may buy: sold online, for vehicles like theirs. @throws NotSold, NotForClass */
export async function offerToDriver(tx: Tx, { cars, ...wanted }: Wanted, at: Instant) {
  const offer = await offerOf(tx, wanted, at)
  if (!offer.group.online) throw NotSold()
  const { vehicleClasses } = offer.plan
  const wrong = cars.find(({ vehicleClass }) => vehicleClasses.length > 0 && !(vehicleClasses as readonly number[]).includes(vehicleClass))
  if (wrong) throw NotForClass({ plateNo: wrong.plateNo })
  return offer
}

/** Sells a pass as at a counter, to the customer with the driver's phone number. One at a time: an unpaid order keeps a place. */
export async function buyAs(tx: Tx, { userId, userName }: Actor, { cars, ...wanted }: Wanted & { payableFen: number }, at: Instant) {
  await offerToDriver(tx, { ...wanted, cars }, at)
  const memberId = await customerFor(tx, userId, at)
  if ((await run(tx, { sql: WAITING }, [memberId])).length > 0) throw WaitsAlready()
  // At a counter somebody is told and decides; here nobody is.
  for (const { plateNo } of cars) if ((await onBlackList(tx, [plateNo])).length > 0) throw AtCounter({ plateNo })
  return sell(tx, { ...wanted, memberId, plates: cars }, { userName } as Actor, at)
}
const WAITING = `select 1 from member.pass where enterprise_id = scope_enterprise() and member_id = $1 and state in (${PassStatus.underReview}, ${PassStatus.toPay}) limit 1`

/** The customer of a driver's telephone, held: known from the counter, or new. */
async function customerFor(tx: Tx, ownerId: string, at: Instant): Promise<string> {
  // A person's name is typed, and stands alike in every language.
  const [owner] = await run<{ nickname: string | null }>(tx, { sql: NICKNAME }, [ownerId])
  await run(tx, { sql: ADD_CUSTOMER }, [ownerId, at, spoken(owner?.nickname || OwnerSaid.driver, 0)])
  const [found] = await run<{ id: string }>(tx, { sql: CUSTOMER }, [ownerId])
  if (!found) throw NotFound()
  return found.id
}
const NICKNAME = 'select nickname from owner.account where enterprise_id = scope_enterprise() and id = $1'
const ADD_CUSTOMER = `insert into member.customer (name, phone, created_at, updated_at) select $3, phone, $2, $2 from owner.account where enterprise_id = scope_enterprise() and id = $1
  on conflict (enterprise_id, phone) where phone is not null do nothing`
const CUSTOMER = `select c.id from owner.account a join member.customer c on c.enterprise_id = a.enterprise_id and c.phone = a.phone where a.enterprise_id = scope_enterprise() and a.id = $1 for no key update of c`
