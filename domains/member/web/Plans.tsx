import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { ParkNames, ParksSelect } from '../../parking/web/api/names.tsx'
import { PassWindow } from '../contract/pass.ts'
import { type CarFees, carFees, carFeesSearch, CarFeesTerms, PeriodUnit, PlanStatus, RefundRule, ValidType } from '../contract/plan.ts'
import { PLAN_CHANGES } from './changes.ts'

type Row = Of<typeof CarFees>

/** Plans: the price of a pass, its length and its hours. */
export function Plans() {
  const remove = useRemove(PLAN_CHANGES)
  const [doing, setDoing] = useState<Row | 'new'>()
  return (
    <>
      <ListScreen
        purpose={[
          '月卡套餐：价格、周期、可用时段和退款规则；已售的卡保留售出时的条款',
          'Price, period, hours and refund rule of passes; a pass already sold keeps its terms',
        ]}
        query={carFees.queryPage}
        search={carFeesSearch}
        find={['name', 'periodUnit', 'status', 'timeWindow']}
        columns={[
          'name',
          'priceFen',
          'periodUnit',
          'periodCount',
          'validType',
          'timeWindow',
          'status',
          'sold',
          'quota',
          { dataIndex: 'parks', render: (_, row) => <ParkNames codes={row.parks} /> },
          'graceDays',
          'renewAheadDays',
          'refundRule',
          'remark',
        ]}
        hidden={['parks', 'graceDays', 'renewAheadDays', 'remark']}
        roomy={['validType', 'quota', 'refundRule']}
        add={{ call: carFees.insert, open: () => setDoing('new') }}
        actions={(row) => [
          { text: Label.edit, needs: carFees.update.needs, run: () => setDoing(row) },
          {
            text: Label.delete,
            needs: carFees.delete.needs,
            run: () => void remove(carFees.delete, { id: row.id, version: row.version }, row.name),
            danger: true,
          },
        ]}
        empty={['还没有套餐：新增后在月卡类型中选用', 'No plans yet: add one, then choose it in a pass type']}
      />
      {doing && <PlanForm of={doing === 'new' ? undefined : doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const FIELDS = [
  'name',
  'priceFen',
  'periodUnit',
  'periodCount',
  { name: 'validType', help: ['自然月：首月不足整月按天折算', 'Calendar months: a part of the first month is billed by day'] },
  'timeWindow',
  { name: 'parks', control: <ParksSelect />, help: ['不选为月卡类型的全部车场', 'Leave empty for all car parks of the pass type'] },
  'quota',
  'renewAheadDays',
  { name: 'graceDays', optional: true },
  'refundRule',
  'status',
  'remark',
] as const
const NEW = {
  periodUnit: PeriodUnit.month,
  periodCount: 1,
  validType: ValidType.rolling,
  timeWindow: PassWindow.always,
  graceDays: 0,
  refundRule: RefundRule.byDay,
  status: PlanStatus.onSale,
  parks: [] as string[],
}

function PlanForm({ of, onClose }: { of: Row | undefined; onClose: () => void }) {
  const common = { entity: CarFeesTerms, changes: PLAN_CHANGES, fields: FIELDS as never, onClose }
  return of ? (
    <FormDialog {...common} mode="edit" value={of} save={carFees.update} done={['已保存', 'Saved']} />
  ) : (
    <FormDialog {...common} mode="new" value={NEW} save={carFees.insert} done={['已新增', 'Added']} />
  )
}
