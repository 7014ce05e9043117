import { Link } from 'react-router'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { etc, EtcState, passageSearch } from '../contract/etc.ts'
import { EtcFiles } from './EtcFiles.tsx'

const FILES = '/userCenter/arrearage/record'

/** Cars that left an ETC lane though the antenna did not take their fee, or does not know whether it did. */
export default function EtcArrearsScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={[
        'ETC 扣费未成功而车辆已离场；结果未知的次日由发行方清分文件确认',
        'Cars that left after a failed ETC deduction; unknown results are settled the next day by the issuer’s clearing file',
      ]}
      query={etc.escape}
      search={passageSearch}
      exports={etc.escapeExport}
      find={[
        'plateNo',
        'etcState',
        'tradeTime',
        { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> },
        'laneNo',
        'failCode',
        'deductNo',
      ]}
      sum={{
        totals: ['amountFen', 'owedFen'],
        figures: [
          { text: ['结果未知', 'unknown'], leads: { etcState: [EtcState.unknown] } },
          { text: ['失败', 'failed'], leads: { etcState: [EtcState.failed] } },
          { text: ['转人工', 'manual handling'], leads: { etcState: [EtcState.manual] } },
        ],
      }}
      toolbar={<EtcFiles />}
      columns={[
        'plateNo',
        'etcState',
        'failCode',
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
        'laneNo',
        'amountFen',
        'owedFen',
        'tradeTime',
        { dataIndex: 'arrearsNo', render: (_, row) => row.recordId && <Link to={`${FILES}/${row.recordId}`}>{row.arrearsNo}</Link> },
        'arrearsState',
        'matched',
        'deductNo',
        'psamNo',
        'psamSeq',
        'cardNo',
        'fileNo',
      ]}
      hidden={['deductNo', 'psamNo', 'psamSeq', 'cardNo', 'fileNo', 'arrearsState']}
      roomy={['parkCode', 'laneNo', 'failCode', 'matched']}
      empty={['没有 ETC 欠费', 'No ETC arrears']}
    />
  )
}
