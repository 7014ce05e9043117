import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { evaluation, LINK_DAYS, type Rated } from '../contract/evaluation.ts'
import { OrderEvent, OrderState } from '../contract/workOrder.ts'
import { hashOfLink } from './closing.ts'
import { lockOrder, note, tellOrder } from './row.ts'
import { Said } from '../contract/said.ts'

const NoLink = refusal(
  'after-sale.no-link',
  42130,
  '链接无效或已过期，请核对收到的消息',
  'This link is invalid or has expired: check the message you received',
  404,
)
const NotNow = refusal('after-sale.rate-not-now', 42131, '工单还在处理中，关闭后再评价', 'The work order is still open: rate it once it is closed')
const RatedBefore = refusal('after-sale.rated-before', 42132, '您已经评价过了，谢谢', 'You have already rated it, thank you')

type Shown = Of<typeof Rated>
interface Row extends Omit<Shown, 'open'> {
  id: string
  state: number
}
/** Open to everybody with the link: it shows this one order, and nothing that names anybody. */
export const calls = serve(evaluation, {
  show: phased(async ({ input: { code }, at, house }) => house.reading(companyOf(code), async (tx) => shown(await behind(tx, code, at)))),
  rate: phased(async ({ input: { code, score, content }, at, asSteps, house }) => {
    const write = asSteps((work) => house.writing(companyOf(code), evaluation.rate.id, work))
    return write(async (tx) => {
      const order = await lockOrder(tx, (await behind(tx, code, at)).id)
      // Of two at once the second finds here what the first wrote.
      const row = await behind(tx, code, at)
      if (row.score !== null) throw RatedBefore()
      if (row.state !== OrderState.closed) throw NotNow()
      await run(tx, { sql: RATE }, [order.id, score, content ?? null, at])
      await note(tx, order, OrderEvent.evaluate, null, { by: { userId: null, userName: Said.customer }, at, opinion: content ?? null })
      await tellOrder(tx, order)
      return shown({ ...row, score })
    })
  }),
})
const RATE = 'insert into after_sale.evaluation (order_id, score, content, at) values ($1, $2, $3, $4)'

const LINK = /^([1-9]\d{0,6})-[\w-]{32}$/
/** @throws NoLink: a code that a message has cut off is treated as one that never existed. */
function companyOf(code: string): number {
  const [, company] = LINK.exec(code) ?? []
  if (!company) throw NoLink()
  return Number(company)
}
/** @throws NoLink: nobody learns whether a link was never there or is over. */
async function behind(tx: Tx, code: string, at: Instant): Promise<Row> {
  const [found] = await run<Row>(tx, { sql: BEHIND }, [hashOfLink(code)])
  if (!found || (found.closedAt && msOf(at) - msOf(found.closedAt) > LINK_DAYS * DAY_MS)) throw NoLink()
  return found
}
const BEHIND = `select o.id, o.state, o.order_no, o.type, o.closed_at, e.score from after_sale.work_order o
  left join after_sale.evaluation e on e.enterprise_id = o.enterprise_id and e.order_id = o.id where o.enterprise_id = scope_enterprise() and o.link_hash = $1`
const shown = ({ orderNo, type, closedAt, score, state }: Row): Shown => ({
  orderNo,
  type,
  closedAt,
  score,
  open: score === null && state === OrderState.closed,
})
