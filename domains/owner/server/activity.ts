import type { Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Activity, activity, activitySearch, RechargeActivity, type Tier } from '../contract/activity.ts'
import './tables.ts'

const Used = refusal(
  'owner.activity-used',
  41540,
  '活动已有人参与，只能改名称、结束时间或停用',
  'The activity has been used: only its name and end can change, or it can be stopped',
)
const BadTiers = refusal(
  'owner.activity-tiers',
  41541,
  '档位应逐档递增：充值越多，赠送越多',
  'Tiers must rise: a larger recharge gets a larger bonus',
  422,
)

const offers = listOver(Activity, 'owner.offer', activitySearch)
const activities = listOver(RechargeActivity, 'owner.activity', activitySearch)

export const calls = serve(activity, {
  list: ({ tx, input }) => page(tx, offers, input),
  async insert({ tx, input }) {
    const { perUserTimes = null, payMethods = [], remark = null, tiers } = input
    check(input)
    const { id } = await addRow(tx, activities, {
      ...input,
      perUserTimes,
      remark,
      tiers: json(tiers),
      payMethods: json(payMethods),
    })
    return offerOf(tx, id)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, activities, { id, version })
    const { uses } = await offerOf(tx, id)
    if (uses > 0 && FIXED.some((field) => changes[field] !== undefined && JSON.stringify(changes[field]) !== JSON.stringify(found[field])))
      throw Used()
    check({ ...found, ...changes })
    const { tiers, payMethods, ...rest } = changes
    await setRow(tx, activities, found, { ...rest, ...(tiers && { tiers: json(tiers) }), ...(payMethods && { payMethods: json(payMethods) }) }, at)
    return offerOf(tx, id)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, activities, input)
    if ((await offerOf(tx, input.id)).uses > 0) throw Used()
    await removeRow(tx, activities, found, at)
  },
})
/** Terms that people who recharged under it were promised. */
const FIXED = ['tiers', 'startAt', 'perUserTimes', 'payMethods', 'remark'] as const
const offerOf = async (tx: Tx, id: string): Promise<Of<typeof Activity>> => (await find(tx, offers, id))!

function check({ tiers, startAt, endAt }: Pick<Of<typeof RechargeActivity>, 'startAt' | 'endAt'> & { tiers: Of<typeof Tier>[] }): void {
  if (msOf(endAt) <= msOf(startAt)) throw BadInput({ zh: '结束时间应晚于开始时间', en: 'the end must be after the start' })
  const rises = tiers.every((tier, place) => place === 0 || (tier.payFen > tiers[place - 1]!.payFen && tier.bonusFen > tiers[place - 1]!.bonusFen))
  if (tiers.length === 0 || !rises) throw BadTiers()
}
