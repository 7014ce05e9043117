import type { Of } from '../../../platform/contract/field.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { fileOf } from '../../../platform/server/call/fileReply.ts'
import { BadInput, IllegalMove, NotFound } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { phased, type PhasedContext } from '../../../platform/server/serve.ts'
import { refuseWay } from '../../owner/server/api.ts'
import type { PayMethodCode } from '../../settlement/contract/payment.ts'
import { startPayment } from '../../settlement/server/api.ts'
import { addressOfFile, fileAt, keptBytes } from '../../system/server/api.ts'
import { GoodsStatus } from '../contract/goods.ts'
import { mine, type MyArticle, MyExchange } from '../contract/mine.ts'
import { PointsOrderState } from '../contract/pointsGoods.ts'
import { exchange as take, holdBill, orders, undo } from './pointsExchange.ts'
import { myAccount } from './pointsPaying.ts'
import { Said } from '../contract/said.ts'

/** A driver exchanges points: the articles, their exchanges, and the cash beside the points. */
export const goodsOf = (tx: Tx, ownerId: string): Promise<Of<typeof MyArticle>[]> => run(tx, { sql: GOODS }, [ownerId, addressOfFile(''), READ_AT])
/** Where a driver reads a file that the console reads at `addressOfFile`. */
const READ_AT = `/lbs/${mine.picture.service}${mine.picture.path}?fileName=`
const GOODS = `select g.id, g.name, replace(g.image, $2::text, $3::text) as image, g.points_price, g.cash_fen, g.stock, g.per_user_limit, g.remark, greatest(0, least(g.stock, coalesce(g.per_user_limit - coalesce(h.had, 0), g.stock), 100))::int as most
  from coupon.points_goods g left join (select o.good_id, sum(o.qty) as had from coupon.points_order o join coupon.points_account p on p.enterprise_id = o.enterprise_id and p.id = o.account_id and p.merged_into is null
      join owner.account a on a.enterprise_id = p.enterprise_id and a.phone = p.phone
    where o.enterprise_id = scope_enterprise() and a.id = $1 and o.state not in (${PointsOrderState.cancelled}, ${PointsOrderState.givenBack}) group by o.good_id) h on h.good_id = g.id
  where g.enterprise_id = scope_enterprise() and g.status = ${GoodsStatus.on} order by g.stock = 0, g.points_price, g.id limit 50`

/** @throws NotFound for a file that is no picture of an article on the shelf */
export async function pictureOf(tx: Tx, fileName: string): Promise<never> {
  const address = addressOfFile(fileName)
  const shown = (await run(tx, { sql: SHOWN }, [address])).length > 0
  const file = shown ? await fileAt(tx, address) : undefined
  if (!file?.type.startsWith('image/')) throw NotFound()
  return fileOf({ name: fileName, type: file.type, body: await keptBytes(file.sha256), inline: true })
}
const SHOWN = `select from coupon.points_goods where enterprise_id = scope_enterprise() and status = ${GoodsStatus.on} and $1 = any (regexp_split_to_array(image, '\\s*,\\s*')) limit 1`

export const exchangesOf = (tx: Tx, ownerId: string): Promise<Of<typeof MyExchange>[]> =>
  run(tx, { sql: `select ${COLUMNS} ${OWN} order by o.at desc, o.id desc limit 50` }, [ownerId])
const COLUMNS = columnsIn(MyExchange)
  .split(', ')
  .map((column) => `o.${column}`)
  .join(', ')
const OWN = `from coupon.points_order o join coupon.points_account p on p.enterprise_id = o.enterprise_id and p.id = o.account_id and p.merged_into is null
    join owner.account a on a.enterprise_id = p.enterprise_id and a.phone = p.phone where o.enterprise_id = scope_enterprise() and a.id = $1`
/** @throws NotFound for anybody else's */
async function mineOf(tx: Tx, ownerId: string, id: string): Promise<Of<typeof MyExchange> & { orderId: string | null }> {
  const [found] = await run<Of<typeof MyExchange> & { orderId: string | null }>(tx, { sql: `select ${COLUMNS}, o.order_id ${OWN} and o.id = $2` }, [
    ownerId,
    id,
  ])
  if (!found) throw NotFound()
  return found
}

export const exchange = phased(async (context: PhasedContext<Of<typeof mine.exchange.input>>) => {
  const {
    input: { goodId, qty, points, cashFen, payMethod },
    actor,
    at,
    write,
  } = context
  if (cashFen > 0) {
    if (payMethod === undefined) throw BadInput({ zh: '请选择支付方式', en: 'choose how to pay' })
    refuseWay(payMethod)
  }
  const made = await write(async (tx) =>
    take(tx, { accountId: await myAccount(tx, actor, points), goodId, qty, shown: { points, cashFen }, by: actor.userName, at }),
  )
  return { orderNo: made.orderNo, payUrl: made.orderId && (await payUrlOf(context, made.orderId, payMethod!)) }
})
export const payExchange = phased(async (context: PhasedContext<Of<typeof mine.payExchange.input>>) => {
  const {
    input: { id, payMethod },
    actor,
    at,
    read,
  } = context
  refuseWay(payMethod)
  const { orderNo, orderId, state, payUntil } = await read((tx) => mineOf(tx, actor.userId, id))
  // The time to pay does not grow with repeated attempts: they would keep the article from others.
  if (state !== PointsOrderState.toPay || msOf(payUntil!) <= msOf(at)) throw IllegalMove({ state })
  return { orderNo, payUrl: await payUrlOf(context, orderId!, payMethod) }
})
/** After it has committed: the driver's page at the channel. */
async function payUrlOf({ actor, at, write }: Pick<PhasedContext<unknown>, 'actor' | 'at' | 'write'>, orderId: string, payMethod: PayMethodCode) {
  return (await startPayment(write, { orderId, payMethod, merchant: actor.enterprise, at })).payUrl
}

/** Cancels the driver's exchange; one that is paid for is cancelled at the counter, where the article lies. @throws NotFound, IllegalMove, Stale */
export async function cancelMine(tx: Tx, ownerId: string, which: Of<typeof mine.cancelExchange.input>, at: Parameters<typeof undo>[3]) {
  await mineOf(tx, ownerId, which.id)
  await holdBill(tx, which.id)
  const found = await lockRow(tx, orders, which)
  if (found.state !== PointsOrderState.toPay) throw IllegalMove({ state: found.state })
  await undo(tx, found, Said.byDriver, at)
  const { orderId: _, ...shown } = await mineOf(tx, ownerId, which.id)
  return shown
}
