import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Activity, activity, activityGives, ActivityKind, activitySearch, ActivityState } from '../contract/activity.ts'
import { StartMode } from '../contract/session.ts'
import { Gives, givesFault, SHARE, YUAN, YUAN_PER_KWH } from './Gives.tsx'
import { StationNames, StationsSelect } from './stations.tsx'

type Row = Of<typeof Activity>
const CHANGES = [activity.query]

/** Money off charges: what runs, what it has given, what is left of its budget. */
export default function ActivityScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const [made, setMade] = useState<Partial<Row>>()
  const setState = (row: Row, state: Row['state']) =>
    void act(
      activity.updateState,
      { id: row.id, version: row.version, state },
      {
        question:
          state === ActivityState.stopped
            ? [`停用活动「${row.name}」？进行中的订单不受影响`, `Stop promotion “${row.name}”? Sessions in progress are not affected`]
            : [`恢复活动「${row.name}」？进行中的订单不受影响`, `Resume promotion “${row.name}”? Sessions in progress are not affected`],
        act: state === ActivityState.stopped ? ['停用活动', 'Stop promotion'] : ['恢复活动', 'Resume promotion'],
        done: ['已生效', 'Done'],
      },
    )
  return (
    <>
      <ListScreen
        purpose={[
          '充电优惠活动：预算用完或到期自动停止，也可手动停用',
          'Charging promotions: each ends when its budget is used up or its time is over, and can be stopped by hand',
        ]}
        query={activity.query}
        exports={activity.export}
        search={activitySearch}
        find={['name', 'state', 'kind', 'startAt']}
        columns={[
          'name',
          'state',
          'kind',
          { dataIndex: 'value', title: say(['优惠', 'Discount']), render: (_, row) => say(activityGives(row)) },
          { dataIndex: 'stationIds', render: (_, row) => <StationNames ids={row.stationIds} /> },
          { dataIndex: 'startModes', render: (_, row) => modesOf(row, say) },
          'startAt',
          'endAt',
          'usedFen',
          'budgetFen',
          'usedTimes',
          'perUserTimes',
          'perDayTimes',
        ]}
        hidden={['startModes', 'perUserTimes', 'perDayTimes', 'usedTimes']}
        roomy={['kind', 'stationIds']}
        add={{ call: activity.add, open: () => setMade({ kind: ActivityKind.serviceRate }) }}
        actions={(row) => [
          {
            text: ['停用', 'Stop'],
            needs: activity.updateState.needs,
            run: () => setState(row, ActivityState.stopped),
            not: row.state !== ActivityState.running &&
              row.state !== ActivityState.notYet && ['只有未结束的活动可以停用', 'Only a promotion that has not ended can be stopped'],
          },
          {
            text: ['恢复', 'Resume'],
            needs: activity.updateState.needs,
            run: () => setState(row, ActivityState.notYet),
            not: row.state !== ActivityState.stopped && ['活动没有停用', 'The promotion is not stopped'],
          },
          { text: ['复制', 'Copy'], needs: activity.add.needs, run: () => setMade({ ...row, name: `${row.name} 2` }) },
        ]}
        empty={['还没有充电活动', 'No promotion yet']}
      />
      {made && <ActivityForm of={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

const modesOf = ({ startModes }: Row, say: Say) =>
  startModes.length === 0
    ? say(['全部', 'All'])
    : startModes.map((mode) => say([StartMode.entries[mode][0], StartMode.entries[mode][1]])).join(say(['、', ', ']))

const SCALES = {
  [ActivityKind.serviceRate]: SHARE,
  [ActivityKind.threshold]: YUAN,
  [ActivityKind.first]: YUAN,
  [ActivityKind.perKwh]: YUAN_PER_KWH,
}
function ActivityForm({ of, onClose }: { of: Partial<Row>; onClose: () => void }) {
  const say = useText()
  const modes = Object.entries(StartMode.entries)
    .slice(0, 4)
    .map(([code, [zh, en]]) => ({ value: Number(code), label: say([zh, en]) }))
  return (
    <FormDialog
      entity={Activity}
      mode="new"
      value={of}
      save={activity.add}
      changes={CHANGES}
      done={['已发布', 'Published']}
      fields={[
        'name',
        'kind',
        {
          name: 'value',
          control: <Gives by="kind" scales={SCALES} />,
          check: givesFault({ by: 'kind', scales: SCALES }),
          beside: ['kind'],
          help: ['服务费折扣填实付比例，90% 为九折', 'Enter the share the driver pays: 90% means 10% off'],
        },
        { name: 'thresholdFen', optional: true, help: ['仅满减', 'Only for an amount off above a minimum'] },
        { name: 'maxDiscountFen', optional: true },
        'startAt',
        'endAt',
        { name: 'stationIds', optional: true, control: <StationsSelect /> },
        {
          name: 'startModes',
          optional: true,
          control: <Select mode="multiple" options={modes} placeholder={say(['不选为全部', 'Leave empty for all'])} />,
        },
        { name: 'perUserTimes', optional: true },
        { name: 'perDayTimes', optional: true },
        {
          name: 'budgetFen',
          optional: true,
          help: ['剩余预算不足一单优惠时，该单不优惠', 'A session gets no discount if the remaining budget does not cover it'],
        },
      ]}
      onClose={onClose}
    />
  )
}
