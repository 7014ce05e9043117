import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { merchantOf } from '../../merchant/server/api.ts'
import {
  Audience,
  Goods,
  goods,
  GoodsRecord,
  goodsRecord,
  goodsRecordSearch,
  goodsSearch,
  GoodsStatus,
  type Offer,
  StockKind,
} from '../contract/goods.ts'
import { TemplateStatus, ValidType } from '../contract/template.ts'
import { make } from './template.ts'
import './tables.ts'

export const articles = listOver(Goods, 'coupon.goods', goodsSearch)
const movements = listOver(GoodsRecord, 'coupon.goodsRecord', goodsRecordSearch)
export type GoodsRow = Of<typeof Goods>
interface Moved {
  kind: Of<typeof GoodsRecord>['kind']
  qty: number
  bizNo?: string
  by: string
  at: Instant
}

export const calls = [
  ...serve(goods, {
    queryPage: ({ tx, input }) => page(tx, articles, input),
    selectByMerchant: ({ tx, input: { mchId }, at }) => run<Of<typeof Offer>>(tx, OFFERED, [at, mchId]),
    async insert({ tx, input: { qty, ...article }, actor, at }) {
      await refuseMerchants(tx, article.mchIds)
      await make(tx, article.templateId, qty ?? 0, at)
      const made = await addRow(tx, articles, article)
      return qty ? stock(tx, made, { kind: StockKind.first, qty, by: actor.userName, at }) : made
    },
    async update({ tx, input: { id, version, ...changes }, at }) {
      await refuseMerchants(tx, changes.mchIds)
      return setRow(tx, articles, await lockRow(tx, articles, { id, version }), changes, at)
    },
  }),
  ...serve(goodsRecord, {
    queryPage: ({ tx, input }) => page(tx, movements, input),
    async replenish({ tx, input: { goodId, qty }, actor, at }) {
      const [of] = await run<{ templateId: string }>(tx, OF, [goodId])
      if (of) await make(tx, of.templateId, qty, at)
      return stock(tx, await lockRow(tx, articles, { id: goodId }), { kind: StockKind.replenished, qty, by: actor.userName, at })
    },
  }),
]
/** An article's template is held before the article. */
export const OF = { sql: 'select template_id from coupon.goods where enterprise_id = scope_enterprise() and id = $1' }
/** Of templates that are enabled and whose last day, if they have one, is not over at `$1`. */
export const ON_SALE = `g.status = ${GoodsStatus.on} and t.status = ${TemplateStatus.enabled}
      and (t.valid_type = ${ValidType.afterIssue} or t.valid_to >= ($1::timestamptz at time zone 'Asia/Shanghai')::date)`
const OFFERED = {
  sql: `select g.id, g.version, g.created_at, g.updated_at, g.template_id, g.name, g.price_fen, g.stock, g.mch_ids, g.audience, g.per_buy_max, g.status, t.type, t.value,
      (select coalesce(sum(s.left_qty), 0)::int from coupon.sold_record s where s.enterprise_id = g.enterprise_id and s.mch_id = $2 and s.good_id = g.id) as left_qty
    from coupon.goods g join coupon.template t on t.enterprise_id = g.enterprise_id and t.id = g.template_id
    where g.enterprise_id = scope_enterprise() and g.audience = ${Audience.merchants} and ${ON_SALE}
      and (g.mch_ids = '{}' or $2 = any(g.mch_ids)) order by g.name, g.id limit 500`,
}
const refuseMerchants = async (tx: Tx, mchIds: readonly string[] = []) => {
  for (const mchId of mchIds) await merchantOf(tx, mchId)
}

/** Moves the stock of an article that is held, and writes down why. Below nothing the table's check refuses. */
export async function stock(tx: Tx, article: GoodsRow, { kind, qty, bizNo, by, at }: Moved): Promise<GoodsRow> {
  const moved = await setRow(tx, articles, article, { stock: article.stock + qty }, at)
  await addRow(tx, movements, {
    goodId: article.id,
    goodName: article.name,
    kind,
    qty,
    stockAfter: moved.stock,
    bizNo: bizNo ?? null,
    operatorName: by,
    at,
  })
  return moved
}
