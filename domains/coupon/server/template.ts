import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { parkOf } from '../../parking/server/api.ts'
import { BOOK_MAX, CouponType, Template, template, templateCan, templateSearch, TemplateStatus, ValidType } from '../contract/template.ts'
import './tables.ts'

const Fixed = refusal(
  'coupon.terms-fixed',
  41601,
  '已启用的券模板只能改名称、增加总量和启停',
  'An enabled template is fixed: only its name, a larger total and its state can change',
  422,
)
const Issued = refusal(
  'coupon.template-issued',
  41602,
  '该模板已制券或发放，不能删除，可结束',
  'Coupons have been made or issued from this template: end it instead',
)
const NotEnabled = refusal(
  'coupon.template-not-enabled',
  41603,
  '券模板「{name}」未启用，请先启用',
  'The template “{name}” is not enabled: enable it first',
  422,
)
const Over = refusal(
  'coupon.template-over',
  41623,
  '券模板「{name}」的有效期已过，请新建模板',
  'The template “{name}” has expired: make a new template',
  422,
)
export const TooMany = refusal(
  'coupon.too-many',
  41604,
  '超过发行总量，还可制 {left} 张；请减少数量',
  'Over the total: {left} more can be made: choose fewer',
  422,
)

export const templates = listOver(Template, 'coupon.template', templateSearch)
export type TemplateRow = Of<typeof Template>
type Terms = Partial<TemplateRow>

export const calls = serve(template, {
  queryPage: ({ tx, input }) => page(tx, templates, input),
  selectByParkCode: ({ tx, input: { parkCode } }) => run<TemplateRow>(tx, THERE, [parkCode ?? null]),
  async insert({ tx, input }) {
    await refuseWrong(tx, input)
    return addRow(tx, templates, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, templates, { id, version })
    if (found.status !== TemplateStatus.draft) refuseFixed(found, changes)
    await refuseWrong(tx, { ...found, ...changes })
    if (changes.status !== undefined && changes.status !== found.status && !leads(found.status, changes.status))
      throw IllegalMove({ status: found.status })
    return setRow(tx, templates, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, templates, input)
    const [used] = await run<{ there: boolean }>(tx, USED, [found.id])
    if (found.madeQty > 0 || used!.there) throw Issued()
    await removeRow(tx, templates, found, at)
  },
})
const TEMPLATE = columnsIn(Template)
const THERE = {
  sql: `select ${TEMPLATE} from coupon.template where enterprise_id = scope_enterprise() and status = ${TemplateStatus.enabled} and ($1::text is null or park_codes = '{}' or $1 = any(park_codes))
    order by name, id limit 500`,
}
const USED = {
  sql: `select exists (select from coupon.goods where enterprise_id = scope_enterprise() and template_id = $1)
    or exists (select from coupon.coupon where enterprise_id = scope_enterprise() and template_id = $1) as there`,
}
const leads = (from: TemplateRow['status'], to: TemplateRow['status']) => Object.values(templateCan).some((move) => move(from) === to)

/** A template whose coupons somebody holds keeps its terms. */
function refuseFixed(found: TemplateRow, changes: Terms): void {
  const free = new Set(['name', 'totalQty', 'status', 'remark'])
  const others = (Object.keys(changes) as (keyof TemplateRow)[]).filter(
    (field) => !free.has(field) && JSON.stringify(changes[field]) !== JSON.stringify(found[field]),
  )
  if (others.length > 0 || (changes.totalQty ?? found.totalQty) < found.totalQty) throw Fixed()
}

async function refuseWrong(tx: Tx, terms: Terms): Promise<void> {
  for (const parkCode of terms.parkCodes ?? []) await parkOf(tx, parkCode)
  const wrong = WRONG.find(({ is }) => is(terms))
  if (wrong) throw BadInput({ zh: wrong.zh, en: wrong.en })
}
const WRONG: { is: (terms: Terms) => boolean; zh: string; en: string }[] = [
  {
    is: ({ type, value = 0 }) => (type === CouponType.amount || type === CouponType.time) && value < 1,
    zh: '面值须大于零',
    en: 'the value must be greater than zero',
  },
  {
    is: ({ type, value = 0 }) => type === CouponType.discount && (value < 1 || value > 999),
    zh: '折扣须在 0.01 折到 9.99 折之间',
    en: 'a discount has to leave 0.1% to 99.9% to pay',
  },
  {
    is: ({ type, value = 0 }) => type === CouponType.book && (value < 2 || value > BOOK_MAX),
    zh: `次数须在 2 到 ${BOOK_MAX} 之间`,
    en: `a book must have 2 to ${BOOK_MAX} uses`,
  },
  {
    is: ({ validType, validFrom, validTo }) => validType === ValidType.fixed && !(validFrom && validTo),
    zh: '请填写生效日和失效日',
    en: 'enter the first and last day',
  },
  {
    is: ({ validType, validFrom, validTo }) => validType === ValidType.fixed && validFrom! > validTo!,
    zh: '失效日不能早于生效日',
    en: 'the last day cannot be before the first',
  },
  { is: ({ validType, validDays }) => validType === ValidType.afterIssue && !validDays, zh: '请填写有效天数', en: 'enter the number of valid days' },
  { is: ({ timeFrom, timeTo }) => !timeFrom !== !timeTo, zh: '时段须同时填写起止', en: 'give both a start and an end of the hours' },
  {
    is: ({ stackGroup, maxPerOrder = 1 }) => maxPerOrder > 1 && !stackGroup,
    zh: '每单多张须填写叠加组',
    en: 'several per order need a stacking group',
  },
]

/** Refuses to sell or issue of a template that is not enabled, or whose last day is over. */
export function refuseOver({ name, status, validType, validTo }: TemplateRow, at: Instant): void {
  if (status !== TemplateStatus.enabled) throw NotEnabled({ name })
  if (validType === ValidType.fixed && validTo! < dayOf(at)) throw Over({ name })
}

/** Coupons are made: put into stock, or issued without having been sold. The template is held. */
export async function make(tx: Tx, templateId: string, qty: number, at: Parameters<typeof setRow>[4]): Promise<TemplateRow> {
  const found = await lockRow(tx, templates, { id: templateId })
  refuseOver(found, at)
  const left = found.totalQty - found.madeQty
  if (qty > left) throw TooMany({ left: String(left) })
  return setRow(tx, templates, found, { madeQty: found.madeQty + qty }, at)
}
