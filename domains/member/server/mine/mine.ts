import type { Fen, Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { type PhasedContext, phased, serve } from '../../../../platform/server/serve.ts'
import { PayMethod, type PayMethodCode } from '../../../settlement/contract/payment.ts'
import { startPayment } from '../../../settlement/server/api.ts'
import { DeferKind } from '../../contract/pass.ts'
import { mine } from '../../contract/mine.ts'
import { buyAs, myCars, offersNow, offerToDriver } from './mineBuying.ts'
import { myPass, myPasses, renewablePass } from './minePasses.ts'
import { changeMyPlate, giveBackMine, refundOf } from './mineCare.ts'
import { conflictsOf, lockPass, passRow } from '../sold/pass.ts'
import { placesLeft } from '../sold/places.ts'
import { waitingOrder } from '../sold/period.ts'
import { confirmQuote, openRenewal, type Quote, quoteOf } from '../sold/renew.ts'
import { payAt } from '../sold/sale.ts'
import { unnamed } from './unnamed.ts'

const NoWay = refusal('member.mine-way', 41471, '请用微信或支付宝支付', 'Pay by WeChat or Alipay', 422)
const TooFar = refusal('member.mine-too-far', 41473, '开始日期最多为 {days} 天后', 'It must start within {days:day}', 422)
/** Ways by which a telephone pays. */
const WAYS: readonly PayMethodCode[] = [PayMethod.wechat, PayMethod.alipay]
/** A driver who buys for later keeps a place that somebody else could use now. */
const BEGINS_WITHIN_DAYS = 31

type Context<Name extends keyof typeof mine> = PhasedContext<Of<(typeof mine)[Name]['input']>>
/** The driver's own session looks up what the driver names; the house asks about other cars, and none of that is told. */
const asHouse = ({ actor, asSteps, house }: Pick<PhasedContext<unknown>, 'actor' | 'asSteps' | 'house'>, via: string) =>
  asSteps((work) => house.writing(actor.enterprise, via, work))

export const calls = serve(mine, {
  passes: ({ tx, actor }) => myPasses(tx, actor.userId, null),
  offers: phased(({ actor, house }) => house.reading(actor.enterprise, (tx) => offersNow(tx))),
  quote: phased(async (context) => (context.input.id === undefined ? quoteSale(context) : quoteRenewal(context, context.input.id))),
  buy: phased(async (context) => {
    const { input, actor, at, read } = context
    refuseWay(input.payMethod)
    refuseFar(input.startAt, at)
    const write = asHouse(context, mine.buy.id)
    const cars = await read((tx) => myCars(tx, actor.userId, input.plates))
    const { pass, order } = await write((tx) => unnamed(() => buyAs(tx, actor, { ...input, cars }, at)))
    return payAt({ write, actor, at }, { passId: pass.id, order, payMethod: input.payMethod })
  }),
  renew: phased(async (context) => {
    const {
      input: { id, periods, quoteNo, payMethod },
      actor,
      at,
      read,
    } = context
    refuseWay(payMethod)
    await read((tx) => renewablePass(tx, actor.userId, id))
    const write = asHouse(context, mine.renew.id)
    const order = await write((tx) =>
      unnamed(async () => {
        const held = await lockPass(tx, { id })
        const quote = await confirmQuote(tx, held, { kind: DeferKind.renew, periods }, quoteNo, at)
        return openRenewal(tx, held, quote, { byName: actor.userName, at })
      }, shown),
    )
    return payAt({ write, actor, at }, { passId: id, order, payMethod })
  }),
  pay: phased(async (context) => {
    const {
      input: { id, payMethod },
      actor,
      at,
      read,
    } = context
    refuseWay(payMethod)
    const orderId = await read(async (tx) => {
      await renewablePass(tx, actor.userId, id)
      return waitingOrder(tx, id)
    })
    const write = asHouse(context, mine.pay.id)
    const { orderNo, amountFen, payUrl, expiresAt } = await startPayment(write, {
      orderId,
      payMethod,
      merchant: actor.enterprise,
      at,
    })
    return { passId: id, orderNo, payableFen: amountFen as Fen, payUrl, expiresAt, warning: null }
  }),
  changePlate: phased(async (context) => {
    const { input, actor, at, read } = context
    const memberId = await read(async (tx) => {
      await myCars(tx, actor.userId, [input.newPlateNo])
      return ownPass(tx, actor.userId, input.id)
    })
    await asHouse(context, mine.changePlate.id)((tx) => unnamed(() => changeMyPlate(tx, actor, { ...input, memberId }, at)))
    return read((tx) => myPass(tx, actor.userId, input.id))
  }),
  refund: phased(async (context) => {
    const {
      input: { id, version, reason, dryRun = false },
      actor,
      at,
      read,
      house,
    } = context
    await read((tx) => ownPass(tx, actor.userId, id))
    if (dryRun) return house.reading(actor.enterprise, (tx) => refundOf(tx, id, at))
    return asHouse(context, mine.refund.id)((tx) => giveBackMine(tx, actor, { id, version, reason }, at))
  }),
})

/** @throws NoWay */
function refuseWay(payMethod: PayMethodCode): void {
  if (!WAYS.includes(payMethod)) throw NoWay()
}
function refuseFar(startAt: Instant, at: Instant): void {
  if (msOf(startAt) > msOf(at) + BEGINS_WITHIN_DAYS * DAY_MS) throw TooFar({ days: BEGINS_WITHIN_DAYS })
}
/** A pass of the driver's own. @throws NotFound for everybody else's, one that covers a car of theirs too */
async function ownPass(tx: Tx, ownerId: string, id: string): Promise<string> {
  const found = await myPass(tx, ownerId, id)
  if (!found.own) throw NotFound()
  const [pass] = await run<{ memberId: string }>(
    tx,
    { sql: 'select member_id from member.pass where enterprise_id = scope_enterprise() and id = $1' },
    [id],
  )
  return pass!.memberId
}

const shown = ({ newStart, newEnd, payableFen, conflicts, quoteNo }: Quote, placesLeft: number | null = null) => ({
  startAt: newStart,
  endAt: newEnd,
  payableFen,
  placesLeft,
  taken: conflicts.length > 0,
  quoteNo,
})
async function quoteRenewal({ input: { periods }, actor, at, read, house }: Context<'quote'>, id: Id<'PassId'>) {
  await read((tx) => renewablePass(tx, actor.userId, id))
  return house.reading(actor.enterprise, async (tx) => shown(await quoteOf(tx, await passRow(tx, id), { kind: DeferKind.renew, periods }, at)))
}
async function quoteSale({ input, actor, at, read, house }: Context<'quote'>) {
  const { groupId, carFeesId, periods, plates = [], startAt = at } = input
  if (groupId === undefined || carFeesId === undefined) throw NotFound()
  refuseFar(startAt, at)
  const cars = await read((tx) => myCars(tx, actor.userId, plates))
  return house.reading(actor.enterprise, async (tx) => {
    const offer = await offerToDriver(tx, { groupId, carFeesId, periods, startAt, cars }, at)
    const taken = await conflictsOf(tx, { ...offer, timeWindow: offer.plan.timeWindow, cars })
    return {
      startAt: offer.from,
      endAt: offer.to,
      payableFen: offer.payableFen as Fen,
      placesLeft: await placesLeft(tx, offer.group),
      taken: taken.length > 0,
      quoteNo: null,
    }
  })
}
