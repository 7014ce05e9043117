import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { log, pdaSearch } from '../../contract/log.ts'
import { ChainState } from './ChainState.tsx'
import '../system.css'

/** Log lines of the collectors' handhelds, in order of receipt. */
export default function PdaLogScreen() {
  return (
    <ListScreen
      purpose={['收费员手持机上报的运行日志，按接收时间排列', 'Runtime logs reported by collectors’ handhelds, in order of receipt']}
      query={log.pdaQuery}
      search={pdaSearch}
      find={['deviceNo', 'level', 'receivedAt', 'tollNo', 'tag']}
      columns={[
        'receivedAt',
        'deviceNo',
        'tollNo',
        'level',
        'tag',
        { dataIndex: 'content', render: (_, { content }) => <span className="pda-words">{content}</span> },
        'appVersion',
        'deviceTime',
        'parkCode',
      ]}
      hidden={['parkCode']}
      roomy={['deviceTime']}
      toolbar={<ChainState of={3} />}
      exports={log.pdaExport}
    />
  )
}
