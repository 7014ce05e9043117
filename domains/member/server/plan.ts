import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { GroupStatus } from '../contract/group.ts'
import { CarFees, carFees, carFeesSearch, CarFeesTerms, PeriodUnit, PlanStatus, ValidType } from '../contract/plan.ts'
import { MONTHS } from './sold/calendar.ts'
import './tables.ts'

export type Plan = Of<typeof CarFees>
const PlanBound = refusal(
  'member.plan-bound',
  41411,
  '套餐已绑定月卡类型或已售出，不能删除，可停售',
  'The plan is used by a pass type or has been sold: take it off sale instead',
)
const PlanNamed = refusal(
  'member.plan-named',
  41412,
  '已有同名套餐「{name}」，请换一个名称',
  'A plan called “{name}” already exists: choose another name',
)
const DaysRoll = refusal('member.days-roll', 41413, '按天计的套餐只能按日滚动', 'A plan in days must run from its start date', 422)

const plans = listOver(CarFees, 'member.plan', carFeesSearch)
const terms = listOver(CarFeesTerms, 'member.carFees', carFeesSearch)
const shown = onlyFields(CarFees)

export const calls = serve(carFees, {
  queryPage: ({ tx, input }) => page(tx, plans, input),
  async insert({ tx, input }) {
    refuseWrong(input)
    await refuseNamed(tx, input.name, null)
    return planOf(tx, (await addRow(tx, terms, input)).id)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, terms, { id, version })
    refuseWrong({ ...found, ...changes })
    if (changes.name !== undefined) await refuseNamed(tx, changes.name, id)
    await setRow(tx, terms, found, changes, at)
    return planOf(tx, id)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, terms, input)
    if ((await run(tx, { sql: BOUND }, [input.id])).length) throw PlanBound()
    await removeRow(tx, terms, found, at)
  },
  selectByCustId: async ({ tx }) => (await run(tx, { sql: SELLABLE }, [])).map((row) => shown(row as object)),
})
const BOUND = `select 1 from member.card_group where enterprise_id = scope_enterprise() and $1 = any (car_fees_ids)
  union all select 1 from member.pass where enterprise_id = scope_enterprise() and car_fees_id = $1 limit 1`
const SELLABLE = `select f.* from member.plan f where f.enterprise_id = scope_enterprise() and f.status = ${PlanStatus.onSale}
  and exists (select from member.card_group g where g.enterprise_id = f.enterprise_id and g.status = ${GroupStatus.inUse} and f.id = any (g.car_fees_ids)) order by f.name`

/** The longest plan: nobody knows what a bay costs later, and sixty periods of it still end on a valid date. */
const YEARS_MAX = 10
const TooLong = refusal('member.plan-too-long', 41487, '套餐时长不能超过 {years} 年', 'A plan lasts {years:year} at most', 422)
function refuseWrong({ periodUnit, periodCount, validType }: Pick<Plan, 'periodUnit' | 'periodCount' | 'validType'>): void {
  if (MONTHS[periodUnit] * periodCount > YEARS_MAX * 12) throw TooLong({ years: YEARS_MAX })
  if (periodUnit === PeriodUnit.day && validType === ValidType.calendar) throw DaysRoll()
}
async function refuseNamed(tx: Tx, name: string, except: string | null): Promise<void> {
  const sql = 'select 1 from member.car_fees where enterprise_id = scope_enterprise() and name = $1 and id is distinct from $2::uuid'
  if ((await run(tx, { sql }, [name, except])).length) throw PlanNamed({ name })
}

/** @throws NotFound */
export async function planOf(tx: Tx, id: string): Promise<Plan> {
  const found = await find(tx, plans, id)
  if (!found) throw NotFound()
  return found
}
export const plansOf = async (tx: Tx, ids: readonly string[]): Promise<Plan[]> =>
  (
    await run(tx, { sql: 'select * from member.plan where enterprise_id = scope_enterprise() and id = any ($1) order by price_fen, name' }, [ids])
  ).map((row) => shown(row as object))
