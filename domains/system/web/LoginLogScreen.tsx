import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { log, loginSearch } from '../contract/log.ts'

/** Who signed in, from where, and who tried. */
export default function LoginLogScreen() {
  return (
    <ListScreen
      purpose={['谁在何时何地登录，以及失败的尝试', 'Who signed in, when and from where, and who tried in vain']}
      query={log.loginPage}
      search={loginSearch}
      find={['username', 'outcome', 'at']}
      columns={['at', 'username', 'outcome', 'ip', 'browser', 'userSystem']}
    />
  )
}
