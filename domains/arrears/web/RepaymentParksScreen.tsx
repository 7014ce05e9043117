import { Link } from 'react-router'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { partSearch, repay } from '../contract/repayment.ts'
import { ByMethod } from './Repayments.tsx'
import { StayPlace } from '../../parking/contract/stay.ts'

const FILES = '/userCenter/arrearage/record'

/** The parts of repayments that went to debts of parks. */
export default function RepaymentParksScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={['停车场每笔欠费分到的补缴', 'How repayments were allocated to each debt of a car park']}
      query={repay.laneList}
      search={partSearch}
      exports={repay.laneExport}
      find={[
        'plateNo',
        'at',
        'payMethod',
        { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> },
        'place',
        'repayNo',
        'arrearsNo',
      ]}
      sum={{ totals: ['allocatedFen', 'refundFen'] }}
      toolbar={<ByMethod only={{ pType: [StayPlace.park] }} />}
      columns={[
        'repayNo',
        { dataIndex: 'arrearsNo', render: (_, row) => <Link to={`${FILES}/${row.recordId}`}>{row.arrearsNo}</Link> },
        'plateNo',
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
        'allocatedFen',
        'amountFen',
        'owedFen',
        'state',
        'payMethod',
        'place',
        'operatorName',
        'at',
        'refundFen',
        'createdAt',
      ]}
      hidden={['refundFen', 'createdAt', 'amountFen']}
      roomy={['parkCode', 'owedFen', 'place', 'operatorName']}
      empty={['还没有补缴', 'No repayments yet']}
    />
  )
}
