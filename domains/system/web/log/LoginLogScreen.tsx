import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { State } from '../../../../platform/web/value.tsx'
import { LoginType } from '../../../identity/contract/session.ts'
import { log, loginSearch } from '../../contract/log.ts'
import { ChainState } from './ChainState.tsx'
import '../system.css'

/** Sign-ins and failed tries: by whom, and from where. */
export default function LoginLogScreen() {
  return (
    <ListScreen
      purpose={['谁在何时何地登录，以及失败的尝试', 'Who signed in, when and from where, and failed attempts']}
      query={log.loginPage}
      search={loginSearch}
      find={['username', 'outcome', 'at', 'ip']}
      columns={[
        'at',
        'username',
        'outcome',
        { dataIndex: 'loginType', align: 'left', render: (_, { loginType }) => <State dictionary={LoginType} value={loginType as never} /> },
        'ip',
        'browser',
        'userSystem',
      ]}
      toolbar={<ChainState of={2} />}
      exports={log.loginExport}
    />
  )
}
