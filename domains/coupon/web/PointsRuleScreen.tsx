import { Form } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkNames, ParksSelect } from '../../parking/web/api/names.tsx'
import { PointsEvent, PointsExpire, PointsRule, pointsRule, pointsRuleSearch, RuleStatus } from '../contract/pointsRule.ts'
import { RULE_CHANGES } from './changes.ts'
import { PointsParks } from './PointsParks.tsx'
import { MultiplierInput, ONCE } from './inputs.tsx'

type Row = Of<typeof PointsRule>

/** Rules that earn points: for what, how many, and how long they last; and the parks that take part. */
export default function PointsRuleScreen() {
  const say = useText()
  const remove = useRemove(RULE_CHANGES)
  const act = useAct(RULE_CHANGES)
  const [doing, setDoing] = useState<Row | 'new'>()
  const turn = (row: Row, stopped: boolean) =>
    void act(pointsRule.update, { id: row.id, version: row.version, stopped }, { done: stopped ? ['已停用', 'Stopped'] : ['已启用', 'Started'] })
  return (
    <>
      <ListScreen
        purpose={[
          '得积分的规则：同一事件取优先级最高的一条，叠加规则另计',
          'Rules by which points are earned: for each event the highest priority applies, plus additive rules',
        ]}
        query={pointsRule.pageQuery}
        search={pointsRuleSearch}
        exports={pointsRule.export}
        find={['name', 'event', 'status', 'startAt']}
        add={{ call: pointsRule.add, open: () => setDoing('new') }}
        toolbar={
          <>
            <ImportButton call={pointsRule.import} template={pointsRule.importTemplate} changes={RULE_CHANGES} />
            <PointsParks />
          </>
        }
        columns={[
          'name',
          'event',
          'ratio',
          {
            dataIndex: 'multiplier',
            render: (_, row) =>
              row.multiplier === ONCE ? '--' : `×${row.multiplier / ONCE} ${row.multiplierFrom ? `${row.multiplierFrom}–${row.multiplierTo}` : ''}`,
          },
          'dayCap',
          {
            dataIndex: 'parkCodes',
            render: (_, row) => (row.parkCodes.length > 0 ? <ParkNames codes={row.parkCodes} /> : say(['全部车场', 'All car parks'])),
          },
          'additive',
          'priority',
          'startAt',
          'endAt',
          'status',
          'monthCap',
          'roundDown',
          'expireType',
          'expireMonths',
        ]}
        hidden={['startAt', 'monthCap', 'roundDown', 'expireType', 'expireMonths']}
        roomy={['parkCodes', 'additive', 'dayCap']}
        actions={(row) => [
          { text: Label.edit, needs: pointsRule.update.needs, run: () => setDoing(row) },
          row.status === RuleStatus.stopped
            ? { text: Label.enable, needs: pointsRule.update.needs, run: () => turn(row, false) }
            : { text: Label.disable, needs: pointsRule.update.needs, run: () => turn(row, true) },
          { text: Label.delete, needs: pointsRule.delete.needs, run: () => void remove(pointsRule.delete, { id: row.id }, row.name), danger: true },
        ]}
        empty={['还没有积分规则', 'No points rules yet']}
      />
      {doing && <RuleForm of={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const HOURS = { name: 'multiplierFrom', optional: true, help: ['如 22:00；不填为全天', 'For example 22:00; leave empty for all day'] } as const
function RuleForm({ of, onClose }: { of: Row | 'new'; onClose: () => void }) {
  const [expires, setExpires] = useState<Row['expireType']>(of === 'new' ? PointsExpire.yearEnd : of.expireType)
  const shared = { entity: PointsRule, changes: RULE_CHANGES, onClose, below: <Watch onExpires={setExpires} /> }
  const fields = [
    'name',
    'event',
    { name: 'ratio', help: ['每实付 1 元得多少积分；签到、注册为每次', 'Points for every yuan paid; for a check-in or a registration, each time'] },
    { name: 'roundDown', optional: true, help: ['不足 1 积分舍去，否则四舍五入', 'Parts of a point are dropped; if off, rounded'] },
    { name: 'dayCap', optional: true, help: ['每个账户，不填不限', 'Per account; leave empty for no limit'] },
    { name: 'monthCap', optional: true },
    { name: 'multiplier', control: <MultiplierInput />, per: ONCE, optional: true },
    HOURS,
    { name: 'multiplierTo', optional: true },
    { name: 'parkCodes', control: <ParksSelect />, optional: true, help: ['不选为全部车场', 'Leave empty for all car parks'] },
    { name: 'additive', optional: true, help: ['与优先级最高的规则一起发放', 'Given on top of the highest-priority rule'] },
    { name: 'priority', optional: true },
    'startAt',
    'endAt',
    { name: 'expireType', optional: true },
    ...(expires === PointsExpire.months ? [{ name: 'expireMonths', optional: true }] : []),
  ] as never
  if (of === 'new')
    return (
      <FormDialog
        {...shared}
        mode="new"
        value={{
          event: PointsEvent.parking,
          ratio: 1,
          roundDown: true,
          multiplier: ONCE,
          parkCodes: [],
          additive: false,
          priority: 0,
          expireType: expires,
        }}
        save={pointsRule.add}
        done={['已新增', 'Added']}
        fields={fields}
      />
    )
  return <FormDialog {...shared} mode="edit" value={of} save={pointsRule.update} done={['已保存', 'Saved']} fields={fields} />
}
function Watch({ onExpires }: { onExpires: (type: Row['expireType']) => void }) {
  const type = Form.useWatch('expireType', Form.useFormInstance()) as Row['expireType'] | undefined
  if (type !== undefined) queueMicrotask(() => onExpires(type))
  return null
}
