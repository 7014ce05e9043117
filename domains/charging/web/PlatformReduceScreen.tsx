import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkNames, useParks } from '../../parking/web/api/names.tsx'
import { platform } from '../contract/platform.ts'
import { PlatformReduce, platformReduce, reduceGives, reduceSearch, type ReduceShown, ReduceStatus, ReduceType } from '../contract/platformReduce.ts'
import { Gives, givesFault, MINUTES, SHARE, YUAN, YUAN_PER_KWH } from './Gives.tsx'
import { StationNames, StationsSelect } from './stations.tsx'

type Row = Of<typeof ReduceShown>
const CHANGES = [platformReduce.getTableList]

/** What drivers of a platform are given: a lower service price, or parking while they charge. */
export default function PlatformReduceScreen() {
  const say = useText()
  const remove = useRemove(CHANGES)
  const [edited, setEdited] = useState<Row | 'new'>()
  return (
    <>
      <ListScreen
        purpose={[
          '合作平台车主的服务费优惠，以及充电抵停车；本平台只设停车优惠',
          'Service fee discounts for drivers of partner platforms, and parking discounts for charging; our own platform offers parking discounts only',
        ]}
        query={platformReduce.getTableList}
        exports={platformReduce.export}
        search={reduceSearch}
        find={[{ name: 'platformId', label: ['平台', 'Platform'], control: <PlatformSelect /> }, 'reduceType', 'status', 'name']}
        columns={[
          'name',
          { dataIndex: 'platformName', title: say(['平台', 'Platform']) },
          'reduceType',
          { dataIndex: 'value', title: say(['优惠', 'Discount']), render: (_, row) => say(reduceGives(row)) },
          'status',
          { dataIndex: 'stationIds', render: (_, row) => <StationNames ids={row.stationIds} /> },
          { dataIndex: 'parkCodes', render: (_, row) => (row.parkCodes.length === 0 ? say(['全部', 'All']) : <ParkNames codes={row.parkCodes} />) },
          'minWh',
          'minMinutes',
          'startAt',
          'endAt',
        ]}
        hidden={['minMinutes']}
        roomy={['parkCodes', 'minWh', 'startAt']}
        add={{ call: platformReduce.add, open: () => setEdited('new') }}
        actions={(row) => [
          { text: Label.edit, needs: platformReduce.update.needs, run: () => setEdited(row) },
          {
            text: Label.delete,
            needs: platformReduce.delete.needs,
            run: () => void remove(platformReduce.delete, { id: row.id, version: row.version }, row.name),
            danger: true,
            not: row.status === ReduceStatus.inUse && ['请先停用', 'Stop it first'],
          },
        ]}
        empty={['还没有平台优惠', 'No discounts yet']}
      />
      {edited && <ReduceForm of={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function PlatformSelect(props: { id?: string; value?: string; onChange?: (value: string | undefined) => void }) {
  const say = useText()
  const { data = [] } = useQuery(asks(platform.getList, {}, { quiet: true }))
  return (
    <Select
      allowClear
      style={{ minWidth: 160 }}
      placeholder={say(['请选择平台', 'Choose a platform'])}
      options={data.map(({ id, name }) => ({ value: id, label: name }))}
      {...(props as object)}
    />
  )
}
function ParksSelect(props: { id?: string; value?: string[]; onChange?: (value: string[]) => void }) {
  const say = useText()
  const options = useParks().map(({ parkCode, name }) => ({ value: parkCode, label: name }))
  return (
    <Select
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['不选为全部', 'Leave empty for all'])}
      options={options}
      {...(props as object)}
    />
  )
}

const SCALES = {
  [ReduceType.serviceRate]: SHARE,
  [ReduceType.servicePrice]: YUAN_PER_KWH,
  [ReduceType.parkMinutes]: MINUTES,
  [ReduceType.parkAmount]: YUAN,
}
function ReduceForm({ of, onClose }: { of: Row | 'new'; onClose: () => void }) {
  const given = { by: 'reduceType', scales: SCALES, ...(of !== 'new' && { kind: of.reduceType }) }
  const shared = [
    'name',
    {
      name: 'value',
      control: <Gives {...given} />,
      check: givesFault(given),
      beside: ['reduceType'],
      help: [
        '服务费折扣填实付比例，90% 为九折；停车全免填 0',
        'For a service fee discount enter what the driver still pays: 90% means 10% off; for free parking enter 0',
      ],
    },
    'startAt',
    'endAt',
    { name: 'stationIds', optional: true, control: <StationsSelect /> },
    { name: 'parkCodes', optional: true, control: <ParksSelect /> },
    { name: 'minWh', optional: true },
    { name: 'minMinutes', optional: true },
  ] as const
  if (of === 'new')
    return (
      <FormDialog
        entity={PlatformReduce}
        mode="new"
        value={{ reduceType: ReduceType.serviceRate }}
        save={platformReduce.add}
        changes={CHANGES}
        done={['已新增', 'Added']}
        fields={[{ name: 'platformId', control: <PlatformSelect />, label: ['平台', 'Platform'] }, 'reduceType', ...shared]}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      entity={PlatformReduce}
      mode="edit"
      value={of}
      save={platformReduce.update}
      changes={CHANGES}
      done={['已保存', 'Saved']}
      fields={['status', ...shared]}
      onClose={onClose}
    />
  )
}
