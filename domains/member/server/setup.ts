import type { Fen, Id, Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { CHANNELS, PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { begin, noticePayment } from '../../settlement/server/api.ts'
import { GroupType } from '../contract/group.ts'
import { FreezeCause, PassStatus, PassWindow, type PassWindowCode } from '../contract/pass.ts'
import { PeriodUnit, ValidType } from '../contract/plan.ts'
import { dayOfMonth, endOf, priceOf } from './sold/calendar.ts'
import { freeze } from './sold/freeze.ts'
import { earnThrough } from './sold/income.ts'
import { type CarOf, coverCars, keepCars, lockPass } from './sold/pass.ts'
import { addPeriod, Kind } from './sold/period.ts'
import { openPassOrder } from './sold/sale.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

interface NewKind {
  name: string
  parkCodes: readonly [string, ...string[]]
  plan: { name: string; priceFen: number; timeWindow?: PassWindowCode }
  /** Drivers buy it by themselves. */
  online?: boolean
}
export interface MadeKind {
  groupId: Id<'MemberGroupId'>
  carFeesId: Id<'CarFeesId'>
  parkCodes: readonly [string, ...string[]]
  priceFen: number
  timeWindow: PassWindowCode
}
/** Terms of a plan that was set up: a month from the day on which it begins. */
const MONTHLY = { periodUnit: PeriodUnit.month, periodCount: 1, validType: ValidType.rolling } as const

/** A kind of pass that is sold by one monthly plan: for set-up and demo data. */
export async function addKind(
  tx: Tx,
  { name, parkCodes, online = false, plan: { timeWindow = PassWindow.always, ...plan } }: NewKind,
): Promise<MadeKind> {
  const { id: carFeesId } = await tx
    .insertInto('member.carFees')
    .values({ ...plan, priceFen: plan.priceFen as Fen, timeWindow, ...MONTHLY })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: groupId } = await tx
    .insertInto('member.cardGroup')
    .values({
      name,
      type: GroupType.monthly,
      online,
      parkCodes: [...parkCodes],
      homePark: parkCodes[0],
      carFeesIds: [carFeesId],
      defaultId: carFeesId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { groupId, carFeesId, parkCodes, priceFen: plan.priceFen, timeWindow }
}

interface PastSale {
  kind: MadeKind
  holder: string
  phone: string
  cars: readonly CarOf[]
  periods: number
  payMethod?: PayMethodCode
  /** When it was sold, and from when it is good: a midnight. */
  startAt: Instant
  by: string
  now: Instant
  /** Its holder lets it rest since then. */
  restsAt?: Instant
}
/** A pass that was sold some time ago and has earned since. */
export async function addSale(
  tx: Tx,
  { kind, holder, phone, cars, periods, payMethod = PayMethod.wechat, startAt, by, now, restsAt }: PastSale,
): Promise<string> {
  const sql =
    'insert into member.customer (name, phone, created_at) values ($1, $2, $3) on conflict (enterprise_id, phone) where phone is not null do update set name = excluded.name returning id'
  const [customer] = await run<{ id: Id<'CustomerId'> }>(tx, { sql }, [holder, phone, startAt])
  const endAt = endOf(startAt, MONTHLY, periods, dayOfMonth(startAt))
  const { groupId, carFeesId, parkCodes, priceFen, timeWindow } = kind
  const { id } = await tx
    .insertInto('member.pass')
    .values({
      memberId: customer!.id,
      groupId,
      carFeesId,
      parkCode: parkCodes[0],
      parkCodes: [...parkCodes],
      timeWindow,
      startAt,
      endAt,
      anchorDay: dayOfMonth(startAt),
      state: PassStatus.valid,
      priceFen: priceFen as Fen,
      periods,
      ...MONTHLY,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await keepCars(tx, customer!.id, cars)
  await coverCars(tx, { passId: id, parkCodes, timeWindow, from: startAt, to: endAt }, cars)
  const pass = await lockPass(tx, { id })
  const order = await openPassOrder(tx, pass, priceOf(startAt, { ...MONTHLY, priceFen }, periods, 1), Said.pass({ passNo: pass.passNo }), startAt)
  await addPeriod(tx, pass, { kind: Kind.opened, from: startAt, to: endAt, order, byName: by, counts: true, at: startAt })
  const { attempt } = await begin(tx, order.id, payMethod, startAt)
  await noticePayment(tx, {
    payNo: attempt.payNo,
    channel: CHANNELS[payMethod],
    tradeNo: `DEMO-${order.orderNo}`,
    amountFen: order.payableFen,
    paidAt: startAt,
    at: startAt,
  })
  await earnThrough(tx, id, dayOf(instantAt(msOf(now) - DAY_MS)))
  if (restsAt) await freeze(tx, await lockPass(tx, { id }), { cause: FreezeCause.asked, bank: true, reason: '出差', byName: by, at: restsAt })
  return id
}
