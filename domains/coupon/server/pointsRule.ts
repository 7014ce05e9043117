import type { Instant, Of } from '../../../platform/contract/field.ts'
import { searchOf } from '../../../platform/contract/call.ts'
import { entity } from '../../../platform/contract/field.ts'
import { yes } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing, momentsAsKept, type Outcome, type RowContext, saysNothingNew } from '../../../platform/server/sheets/importing.ts'
import { templating } from '../../../platform/server/sheets/template.ts'
import { parkOf } from '../../parking/server/api.ts'
import { PointsExpire, PointsRule, pointsRule, pointsRuleSearch } from '../contract/pointsRule.ts'
import './pointsTables.ts'

const NameTaken = refusal(
  'coupon.points-rule-name',
  41640,
  '已有名称为「{name}」的积分规则，请换一个名称',
  'A points rule called “{name}” already exists: choose another name',
  422,
)
const UsedRule = refusal(
  'coupon.points-rule-used',
  41641,
  '规则已发过积分，只能提前结束或停用',
  'This rule has already given points: it can only end earlier or be stopped',
  422,
)

const ruled = listOver(PointsRule, 'coupon.pointsRuled', pointsRuleSearch)
const { status: _, ...fields } = PointsRule.properties
const Kept = entity({ ...fields, stopped: yes('停用', 'Stopped'), used: yes('已使用', 'Used') })
const rules = listOver(Kept, 'coupon.pointsRule', searchOf(Kept, {}, { sort: ['createdAt'] }))
type Shown = Of<typeof PointsRule>
type Row = Of<typeof Kept>
type Fields = Of<(typeof pointsRule)['add']['input']>

export const calls = serve(pointsRule, {
  pageQuery: ({ tx, input }) => page(tx, ruled, input),
  add: ({ tx, input }) => add(tx, input),
  update: ({ tx, input: { id, version, ...changes }, at }) => change(tx, { id, version }, changes, at),
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, rules, input)
    if (found.used) throw UsedRule()
    await removeRow(tx, rules, found, at)
  },
  import: importing(pointsRule.import, { row: rowOf }),
  export: exporting(pointsRule.export, ruled),
  importTemplate: templating(pointsRule.import),
})

async function add(tx: Tx, input: Fields): Promise<Shown> {
  await refuseWrong(tx, input)
  if (await idOf(tx, input.name)) throw NameTaken({ name: input.name })
  const { id } = await addRow(tx, rules, input)
  return shown(tx, id)
}
async function change(tx: Tx, which: { id: string; version?: number }, changes: Partial<Row>, at: Instant): Promise<Shown> {
  const found = await lockRow(tx, rules, which)
  if (found.used) {
    const others = (Object.keys(changes) as (keyof Row)[]).filter(
      (field) => field !== 'stopped' && JSON.stringify(changes[field]) !== JSON.stringify(found[field]),
    )
    const sooner = changes.endAt !== undefined && changes.endAt <= found.endAt
    if (others.some((field) => field !== 'endAt' || !sooner)) throw UsedRule()
  }
  await refuseWrong(tx, { ...found, ...changes })
  if (changes.name !== undefined && changes.name !== found.name && (await idOf(tx, changes.name))) throw NameTaken({ name: changes.name })
  await setRow(tx, rules, found, changes, at)
  return shown(tx, found.id)
}
const shown = async (tx: Tx, id: string): Promise<Shown> => (await find(tx, ruled, id))!
const idOf = async (tx: Tx, name: string): Promise<string | undefined> =>
  (await run<{ id: string }>(tx, { sql: 'select id from coupon.points_rule where enterprise_id = scope_enterprise() and name = $1' }, [name]))[0]?.id

async function refuseWrong(
  tx: Tx,
  { startAt, endAt, parkCodes = [], multiplierFrom, multiplierTo, expireType, expireMonths }: Partial<Fields>,
): Promise<void> {
  for (const parkCode of parkCodes) await parkOf(tx, parkCode)
  if (startAt && endAt && Date.parse(endAt) <= Date.parse(startAt)) throw BadInput({ zh: '结束须晚于开始', en: 'the end must be after the start' })
  if (!multiplierFrom !== !multiplierTo) throw BadInput({ zh: '倍数时段须同时填写起止', en: 'give both a start and an end of the hours' })
  if (expireType === PointsExpire.months && !expireMonths) throw BadInput({ zh: '请填写过期月数', en: 'enter the months until expiry' })
}

async function rowOf({ tx, row: told, at }: RowContext<Fields>): Promise<Outcome> {
  const id = await idOf(tx, told.name)
  if (!id) {
    await add(tx, told)
    return 'added'
  }
  const there = (await find(tx, rules, id))!
  const row = momentsAsKept(told, there)
  if (saysNothingNew(row, there)) return 'same'
  await change(tx, { id }, row, at)
  return 'changed'
}
