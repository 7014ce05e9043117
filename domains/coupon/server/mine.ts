import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { VerifyState } from '../../owner/contract/car.ts'
import { takeCode } from '../../merchant/server/api.ts'
import { myCar, myPlates } from '../../owner/server/api.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { CouponState } from '../contract/coupon.ts'
import { mine, type MyCoupon } from '../contract/mine.ts'
import { claim, toClaim } from './claim.ts'
import { weighed } from './coupon.ts'
import { give } from './desk.ts'
import { cancelMine, exchange, exchangesOf, goodsOf, payExchange, pictureOf } from './mineExchange.ts'
import { pointsOf } from './minePoints.ts'
import { checkIn } from './pointsEarning.ts'
import { pay } from './pointsPaying.ts'

/** A driver's coupons go by the cars that are verified as theirs, their points by their telephone. */
export const calls = serve(mine, {
  list: ({ tx, actor, at }) => couponsOf(tx, actor.userId, at),
  offers: ({ tx, at }) => toClaim(tx, at),
  async claim({ tx, input, actor, at }) {
    const id = await claim(tx, actor.userId, input, at)
    return (await couponsOf(tx, actor.userId, at)).find((one) => one.id === id)!
  },
  async scan({ tx, input: { code, plateNo: typed }, actor, at }) {
    const { plateNo } = await myCar(tx, actor.userId, ordinaryPlate(typed))
    const { name, validTo } = await give(tx, { ...(await takeCode(tx, { code, plateNo, at })), plateNo, at })
    return { name, plateNo, validTo }
  },
  best: ({ tx, input, actor, at }) => bestOf(tx, actor.userId, input, at),
  points: ({ tx, actor, at }) => pointsOf(tx, actor.userId, at),
  checkIn: async ({ tx, actor, at }) => ({ points: await checkIn(tx, actor.userId, at) }),
  goods: ({ tx, actor }) => goodsOf(tx, actor.userId),
  picture: ({ tx, input }) => pictureOf(tx, input.fileName),
  exchanges: ({ tx, actor }) => exchangesOf(tx, actor.userId),
  exchange,
  payExchange,
  cancelExchange: ({ tx, input, actor, at }) => cancelMine(tx, actor.userId, input, at),
  pay,
})
const couponsOf = (tx: Tx, ownerId: string, at: Instant) => run<Of<typeof MyCoupon>>(tx, { sql: LIST }, [ownerId, at])
const LIST = `select c.id, c.coupon_no, c.name, c.type, c.value, c.plate_no, c.state, c.valid_from, c.valid_to, c.take_fen, t.threshold_fen, t.max_discount_fen, t.time_from, t.time_to,
    coalesce((select array_agg(k.name order by k.name) from parking.park k where k.enterprise_id = c.enterprise_id and k.park_code = any(t.park_codes)), '{}') as park_names
  from owner.car r join coupon.coupon c on c.enterprise_id = r.enterprise_id and c.plate_no = r.plate_no and (c.plate_color is null or c.plate_color = r.plate_color)
    join coupon.template t on t.enterprise_id = c.enterprise_id and t.id = c.template_id
  where r.enterprise_id = scope_enterprise() and r.owner_id = $1 and r.verify_state = ${VerifyState.verified}
    and (c.state in (${CouponState.issued}, ${CouponState.locked}) or (c.state in (${CouponState.used}, ${CouponState.expired}) and c.issued_at >= r.bind_at and c.ended_at > $2::timestamptz - interval '30 days'))
  order by c.state in (${CouponState.used}, ${CouponState.expired}), c.valid_to, c.id limit 100`

/** @throws NotFound for a car that is not verified as theirs */
async function bestOf(
  tx: Tx,
  ownerId: string,
  { plateNo: typed, parkCode }: Of<typeof mine.best.input>,
  at: Instant,
): Promise<Of<typeof mine.best.reply>> {
  const plateNo = ordinaryPlate(typed)
  const car = (await myPlates(tx, ownerId)).find((one) => one.plateNo === plateNo)
  if (!car) throw NotFound()
  const all = await weighed(tx, { plateNo, plateColor: car.plateColor, parkCode }, at)
  return all.map(({ id, name, verdict, aloneFen, togetherFen, validTo }) => ({ id, name, verdict, aloneFen, togetherFen, validTo }))
}
