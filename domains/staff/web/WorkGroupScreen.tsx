import { Descriptions } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { toll } from '../contract/collector.ts'
import { groupSearch, workGroup, type WorkGroupLine } from '../contract/workGroup.ts'
import { CollectorSelect, CollectorsSelect, PlacesSelect, useCollectors, useParkColumn } from './choices.tsx'

type Row = Of<typeof WorkGroupLine>
const CHANGES = [workGroup.query, workGroup.pick, workGroup.withPeople, workGroup.detail, toll.query, toll.pick]

/** People who are planned together, who leads them, and which places they keep. */
export default function WorkGroupScreen() {
  const say = useText()
  const park = useParkColumn()
  const remove = useRemove(CHANGES)
  const [doing, setDoing] = useState<Row | 'new'>()
  return (
    <>
      <ListScreen
        purpose={[
          '一起排班的人、班组长，以及须有人值守的地点与时间',
          'People rostered together, their leader, and the places and hours to be covered',
        ]}
        query={workGroup.query}
        search={groupSearch}
        add={{ call: workGroup.save, open: () => setDoing('new') }}
        find={['name', findPark]}
        columns={[
          'name',
          park,
          'leaderName',
          'people',
          { dataIndex: 'placeCodes', title: say(['地点', 'Places']), render: (_, { placeCodes }) => placeCodes.length },
          { dataIndex: 'coverFrom', title: say(['值守', 'Cover']), render: (_, row) => (row.coverFrom ? `${row.coverFrom}–${row.coverTo}` : '--') },
          'remark',
          'updatedAt',
        ]}
        hidden={['updatedAt']}
        roomy={['remark']}
        actions={(row) => [
          { text: Label.edit, needs: workGroup.update.needs, run: () => setDoing(row) },
          { ...deleting(remove, workGroup.delete, { id: row.id }, row.name), not: row.people > 0 && ['还有成员', 'It still has members'] },
        ]}
        detail={{ call: workGroup.detail, head: (one) => <b>{one.name}</b>, body: (one) => <Story of={one} /> }}
        empty={['还没有班组', 'No work groups yet']}
      />
      {doing && <Form of={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Story({ of }: { of: Of<typeof workGroup.detail.reply> }) {
  const say = useText()
  return (
    <Descriptions
      column={1}
      size="small"
      bordered
      items={[
        { key: 'leader', label: say(['班组长', 'Leader']), children: of.leaderName ?? '--' },
        {
          key: 'people',
          label: say(['成员', 'Members']),
          children: of.members.map(({ tollNo, name }) => `${tollNo} ${name}`).join(say(['、', ', '])) || '--',
        },
        { key: 'places', label: say(['地点', 'Places']), children: of.places.map(({ name }) => name).join(say(['、', ', '])) || '--' },
      ]}
    />
  )
}

function Form({ of, onClose }: { of: Row | 'new'; onClose: () => void }) {
  const members = useCollectors().filter(({ groupId }) => of !== 'new' && groupId === of.id)
  const fields = [
    'name',
    { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> },
    { name: 'leaderId', control: <CollectorSelect />, optional: true, help: ['班组长自动成为成员', 'The leader becomes a member'] },
    { name: 'memberIds', control: <CollectorsSelect />, optional: true },
    { name: 'placeCodes', control: <PlacesSelect />, optional: true },
    { name: 'coverFrom', optional: true, help: ['如 06:00；留空不检查缺岗', 'For example 06:00; leave empty to skip the cover check'] },
    { name: 'coverTo', optional: true },
    { name: 'remark', optional: true },
  ] as const
  const common = { changes: CHANGES, fields: fields as never, onClose }
  if (of === 'new')
    return (
      <FormDialog
        {...common}
        title={['新增班组', 'New work group']}
        entity={workGroup.save.input as never}
        mode="new"
        value={{}}
        save={workGroup.save}
      />
    )
  return (
    <FormDialog
      {...common}
      key={members.length}
      title={['编辑班组', 'Edit work group']}
      entity={workGroup.update.input as never}
      mode="edit"
      value={{ ...of, memberIds: members.map(({ id }) => id) } as never}
      save={workGroup.update}
    />
  )
}
