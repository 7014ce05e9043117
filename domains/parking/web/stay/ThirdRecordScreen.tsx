import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { SessionStatus, stay, staySearch } from '../../contract/stay.ts'
import { ParkName } from '../api/names.tsx'
import { STAY_TOPIC } from './changes.ts'
import { FIND, storyDetail } from './StayScreen.tsx'
import '../parking.css'

/** Stays that other operators' platforms told: beside our own, in none of their figures. */
export default function ThirdRecordScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={[
        '其他平台推送的停车记录，单独展示，不计入本平台的在场与收入',
        'Stays pushed by other platforms: shown separately, not counted in cars present or income',
      ]}
      query={stay.queryThirdPage}
      search={staySearch}
      find={[...FIND, 'entryTime', 'status', 'exitTime']}
      sum={{
        totals: ['receivableFen', 'paidFen'],
        figures: [{ text: ['在场', 'present'], leads: { status: [SessionStatus.present] } }],
      }}
      columns={[
        'plateNo',
        'thirdPlatform',
        'status',
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
        'entryTime',
        'exitTime',
        'durationMin',
        'receivableFen',
        'paidFen',
        'payState',
      ]}
      hidden={['payState']}
      roomy={['durationMin', 'receivableFen']}
      live={STAY_TOPIC}
      detail={storyDetail}
      empty={[
        '还没有第三方记录。对方平台以接口密钥推送后显示在这里。',
        'No records yet. They appear when another platform pushes them with its API key.',
      ]}
    />
  )
}
