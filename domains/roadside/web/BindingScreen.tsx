import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { berth, bindingSearch } from '../contract/berth.ts'
import { BerthChip, DistrictName, DistrictSelect } from './api/names.tsx'

/** Which device watched which berth, from when to when, and who saw to it. */
export default function BindingScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={['哪台设备何时绑到哪个泊位、何时取下、是谁操作的', 'Which device was bound to which berth, when it was unbound, and by whom']}
      query={berth.bindLog}
      search={bindingSearch}
      find={[{ name: 'parkCode', control: <DistrictSelect />, label: ['片区', 'District'] }, 'seatCode', 'deviceNo', 'kind', 'action', 'fromAt']}
      columns={[
        { dataIndex: 'seatCode', title: say(['泊位', 'Berth']), render: (_, row) => <BerthChip parkCode={row.parkCode} seatCode={row.seatCode} /> },
        { dataIndex: 'parkCode', title: say(['片区', 'District']), render: (_, row) => <DistrictName code={row.parkCode} /> },
        'deviceNo',
        'kind',
        'action',
        'fromAt',
        'operName',
        'toAt',
        'offOperName',
        'reason',
      ]}
      live="roadside.berth"
    />
  )
}
