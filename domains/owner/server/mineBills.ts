import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode, VehicleClassCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { type File, owedBy } from '../../arrears/server/api.ts'
import { feeOfStay, linesOf } from '../../parking/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { driverAsks, pointsOn } from '../../settlement/server/api.ts'
import { VerifyState } from '../contract/car.ts'
import type { MyBill, MyBills, MyCharge, MyDebt, MyOrder, MyParked } from '../contract/mine.ts'
import { passOrders } from './questions.ts'

/** The most orders shown: a driver looks at recent ones, not at an archive. */
const SHOWN_MAX = 50

export interface MyPlate {
  plateNo: string
  plateColor: PlateColorCode
  vehicleClass: VehicleClassCode
  bindAt: Instant
}
/** The vehicles that are verified as a driver's: of no other plate is anything told. */
export const myPlates = (tx: Tx, ownerId: string): Promise<MyPlate[]> =>
  run<MyPlate>(
    tx,
    {
      sql: 'select plate_no, plate_color, vehicle_class, bind_at from owner.car where enterprise_id = scope_enterprise() and owner_id = $1 and verify_state = $2 order by bind_at',
    },
    [ownerId, VerifyState.verified],
  )
/** A plate that the driver has bound, verified or not: enough to buy something for it. @throws NotFound */
export async function myCar(tx: Tx, ownerId: string, plateNo: string): Promise<MyPlate> {
  const sql = `select plate_no, plate_color, vehicle_class, bind_at from owner.car where enterprise_id = scope_enterprise() and owner_id = $1 and plate_no = $2 and verify_state in (${VerifyState.waiting}, ${VerifyState.verified}, ${VerifyState.appealed}) order by verify_state = ${VerifyState.verified} desc limit 1`
  const [found] = await run<MyPlate>(tx, { sql }, [ownerId, plateNo])
  if (!found) throw NotFound()
  return found
}

/** Cars that are parked, each with its bill by now. */
export async function parked(tx: Tx, ownerId: string, at: Instant): Promise<Of<typeof MyParked>[]> {
  const stays = await run<Of<typeof MyParked>>(tx, { sql: PRESENT }, [ownerId])
  const bills: Of<typeof MyParked>[] = []
  for (const { parkCode, plateNo, parkName, since } of stays)
    for (const { answer } of await driverAsks.ask(tx, { parkCode, plateNo, at })) bills.push({ ...answer, parkCode, parkName, since })
  return bills
}
const PRESENT = `select p.park_code, p.plate_no, k.name as park_name, s.entry_time as since from owner.car c
    join parking.present p on p.enterprise_id = c.enterprise_id and p.plate_no = c.plate_no join parking.stay s on s.id = p.stay_id and (s.plate_color is null or s.plate_color = c.plate_color)
    join parking.park k on k.enterprise_id = p.enterprise_id and k.park_code = p.park_code
  where c.enterprise_id = scope_enterprise() and c.owner_id = $1 and c.verify_state = ${VerifyState.verified} and s.entry_time is not null order by s.entry_time limit 20`

/**
 * Orders that are the driver's: their recharges, and the orders of their vehicles. A payment of a vehicle before it was theirs was somebody else's; an unpaid
 * order goes with the vehicle.
 */
const MINE = `from settlement.order o left join parking.park k on k.enterprise_id = o.enterprise_id and k.park_code = o.park_code
  where o.enterprise_id = scope_enterprise() and (o.id in (select r.order_id from owner.recharge r where r.enterprise_id = scope_enterprise() and r.owner_id = $1)
    or exists (select from owner.car c where c.enterprise_id = o.enterprise_id and c.owner_id = $1 and c.verify_state = ${VerifyState.verified} and c.plate_no = o.plate_no
      and (o.plate_color is null or o.plate_color = c.plate_color) and (o.created_at >= c.bind_at or o.status in (${OrderStatus.unpaid}, ${OrderStatus.paying}, ${OrderStatus.arrears}))))`
const ORDER = `select o.id, o.order_no, o.type, o.subject, o.plate_no, o.park_code, o.receivable_fen, o.discount_fen, o.payable_fen, o.paid_fen, o.refund_fen, o.status, o.pay_method, o.pay_time, o.created_at, k.name as park_name`
const OPEN = `${ORDER} ${MINE} and o.status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and o.payable_fen > 0 and not exists (select from parking.present p where p.enterprise_id = o.enterprise_id and p.stay_id = o.stay_id)
  order by o.created_at desc limit ${SHOWN_MAX}`
const PAST = `${ORDER} ${MINE} and o.status in (${OrderStatus.paid}, ${OrderStatus.free}, ${OrderStatus.partlyRefunded}, ${OrderStatus.refunded}, ${OrderStatus.waived}) order by o.created_at desc limit ${SHOWN_MAX}`

type Order = Of<typeof MyOrder>
export async function bills(tx: Tx, ownerId: string): Promise<Of<typeof MyBills>> {
  const [debts, open, past] = await Promise.all([
    debtsOf(tx, ownerId),
    run<Order>(tx, { sql: OPEN }, [ownerId]),
    run<Order>(tx, { sql: PAST }, [ownerId]),
  ])
  const theirs = new Set((await allowed(tx, ownerId, [...open, ...past])).map(({ id }) => id))
  const ofTheirs = ({ id }: Order) => theirs.has(id)
  return { debts, open: open.filter(ofTheirs), past: past.filter(ofTheirs) }
}
/** An order names a car; whose a pass on it is, is not said by the car. */
async function allowed<O extends Order>(tx: Tx, ownerId: string, orders: O[]): Promise<O[]> {
  const orderIds = orders.filter(({ type }) => type === OrderType.pass).map(({ id }) => id)
  if (orderIds.length === 0) return orders
  const theirs = new Set((await passOrders.ask(tx, { ownerId, orderIds })).flatMap(({ answer }) => answer))
  return orders.filter(({ type, id }) => type !== OrderType.pass || theirs.has(id))
}

/** An order of the driver's. @throws NotFound for anybody else's */
export async function myOrder(tx: Tx, ownerId: string, orderNo: string): Promise<Order & { stayId: string | null }> {
  const named = await run<Order & { stayId: string | null }>(tx, { sql: `${ORDER}, o.stay_id ${MINE} and o.order_no = $2` }, [ownerId, orderNo])
  const [found] = await allowed(tx, ownerId, named)
  if (!found) throw NotFound()
  return found
}
export async function billOf(tx: Tx, ownerId: string, orderNo: string): Promise<Of<typeof MyBill>> {
  const { stayId, ...order } = await myOrder(tx, ownerId, orderNo)
  const fee = stayId ? await feeOfStay(tx, stayId) : null
  const [stood] = stayId ? await run<Stood>(tx, { sql: STOOD }, [stayId]) : []
  const { arrivedAt = null, leftAt = null } = stood ?? {}
  const { paidFen: pointsFen } = (await pointsOn(tx, [order.id]))(order.id)
  return { ...order, pointsFen, arrivedAt, leftAt, ruleName: fee?.ruleName || null, lines: fee ? linesOf(fee) : [] }
}

type Stood = Pick<Of<typeof MyBill>, 'arrivedAt' | 'leftAt'>
const STOOD = 'select entry_time as arrived_at, exit_time as left_at from parking.stay where enterprise_id = scope_enterprise() and id = $1'
/** Returns the collectable debts of the driver's vehicles, oldest first. */
export async function debtsOf(tx: Tx, ownerId: string): Promise<Of<typeof MyDebt>[]> {
  const files = await myFiles(tx, ownerId)
  const names = await run<{ parkCode: string; name: string }>(tx, { sql: NAMES }, [files.map(({ parkCode }) => parkCode)])
  const nameOf = new Map(names.map(({ parkCode, name }) => [parkCode, name]))
  return files.map(({ id, arrearsNo, orderType, plateNo, parkCode, amountFen, owedFen, sourceType, state, arrivedAt, leftAt }) => ({
    ...{ id, arrearsNo, orderType, plateNo, parkCode, amountFen, owedFen, sourceType, state, arrivedAt, leftAt },
    parkName: nameOf.get(parkCode) ?? null,
  }))
}
const NAMES = 'select park_code, name from parking.park where enterprise_id = scope_enterprise() and park_code = any($1)'
export async function myFiles(tx: Tx, ownerId: string): Promise<File[]> {
  const plates = await myPlates(tx, ownerId)
  return (await Promise.all(plates.map(({ plateNo, plateColor }) => owedBy(tx, plateNo, plateColor, null)))).flat()
}

export const charges = (tx: Tx, ownerId: string): Promise<Of<typeof MyCharge>[]> => run(tx, { sql: CHARGES }, [ownerId])
const CHARGES = `select h.order_no, h.plate_no, h.status, h.start_time, h.end_time, h.energy_wh, h.elec_fen, h.service_fen, h.occupy_fen, h.discount_fen, h.cost_fen, h.connector_id, coalesce(h.owner_id = $1::text, false) as own, s.station_name
  from charging.charge h join charging.station s on s.enterprise_id = h.enterprise_id and s.station_id = h.station_id
  where h.enterprise_id = scope_enterprise() and (h.owner_id = $1::text or exists (select from owner.car c where c.enterprise_id = h.enterprise_id and c.owner_id = $1::uuid and c.verify_state = ${VerifyState.verified} and c.plate_no = h.plate_no
    and (h.plate_color is null or h.plate_color = c.plate_color) and h.start_time >= c.bind_at)) order by h.start_time desc limit ${SHOWN_MAX}`
