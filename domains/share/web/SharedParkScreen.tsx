import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { FeesKind, parkSearch, type SharedPark, sharing, UseState } from '../contract/sharing.ts'
import { FeesSelect, useParkColumn } from './choices.tsx'
import { Fees } from './Fees.tsx'

type Row = Of<typeof SharedPark>
type Shown = 'parks' | 'fees'

/** Parks that are open to sharing, and what an hour costs there. */
export default function SharedParkScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('parks')
  const toolbar = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'parks', label: say(['共享车场', 'Car parks']) },
        { value: 'fees', label: say(['时租计费', 'Hourly rates']) },
      ]}
    />
  )
  if (shown === 'fees')
    return (
      <Fees
        kind={FeesKind.hourly}
        toolbar={toolbar}
        purpose={[
          '共享车位按小时的计费；修改产生新版本，已有订单按原规则',
          'Hourly rates of shared bays; a change makes a new version, existing orders keep theirs',
        ]}
      />
    )
  return <Parks toolbar={toolbar} />
}

function Parks({ toolbar }: { toolbar: ReactNode }) {
  const park = useParkColumn()
  const act = useAct([sharing.parks])
  const [editing, setEditing] = useState<Row | 'new'>()
  const turn = (row: Row) => {
    const on = row.status === UseState.on
    void act(
      sharing.updatePark,
      { parkCode: row.parkCode, status: on ? UseState.off : UseState.on },
      { done: on ? ['已停用', 'Disabled'] : ['已启用', 'Enabled'] },
    )
  }
  return (
    <>
      <ListScreen
        purpose={['开放共享的车场：共享了多少车位、正被占用多少、按什么计费', 'Car parks open for sharing: shared bays, bays held now and rates']}
        query={sharing.parks}
        search={parkSearch}
        toolbar={toolbar}
        add={{ call: sharing.updatePark, open: () => setEditing('new') }}
        find={[findPark, 'status']}
        columns={[park, 'status', 'bays', 'held', 'maxBays', 'feesName', 'updatedAt']}
        actions={(row) => [
          { text: Label.edit, needs: sharing.updatePark.needs, run: () => setEditing(row) },
          { text: row.status === UseState.on ? Label.disable : Label.enable, needs: sharing.updatePark.needs, run: () => turn(row) },
        ]}
        empty={['还没有开放共享的车场', 'No car parks open for sharing yet']}
      />
      {editing && (
        <FormDialog
          title={['共享设置', 'Sharing settings']}
          entity={sharing.updatePark.input}
          mode={editing === 'new' ? 'new' : 'edit'}
          value={
            editing === 'new'
              ? { status: UseState.on, maxBays: 20 }
              : { parkCode: editing.parkCode, status: editing.status, maxBays: editing.maxBays, ...(editing.feesId && { feesId: editing.feesId }) }
          }
          save={sharing.updatePark}
          changes={[sharing.parks, sharing.pickParks]}
          fields={[
            ...(editing === 'new'
              ? [{ name: 'parkCode' as const, label: ['车场', 'Car park'] as const, control: <ParkSelect empty={CHOOSE} /> }]
              : []),
            'status',
            {
              name: 'feesId',
              label: ['时租计费', 'Hourly rates'],
              control: <FeesSelect kind={FeesKind.hourly} {...(editing !== 'new' && { parkCode: editing.parkCode })} />,
              help: ['须为本车场启用的时租计费', 'Must be enabled hourly rates of this car park'],
            },
            'maxBays',
          ]}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
