import { run } from '../../../platform/server/database.ts'
import type { Domain } from '../../../platform/server/domain.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { openVault } from '../../../platform/server/start/vault.ts'
import { menu } from '../contract/menu.ts'
import { calls as access } from './right/access.ts'
import { calls as account } from './signIn/account.ts'
import { calls as apiKey } from './signIn/apiKey.ts'
import { calls as button } from './right/button.ts'
import { calls as department } from './people/department.ts'
import { calls as departmentSheet } from './people/departmentSheet.ts'
import { calls as directory, useDirectories } from './signIn/directory.ts'
import { calls as enterprise, relationCalls } from './people/enterprise.ts'
import { calls as enterpriseSheet } from './people/enterpriseSheet.ts'
import { calls as lock } from './signIn/lock.ts'
import { calls as menuCalls } from './right/menu.ts'
import { calls as oidc, offerOidc } from './signIn/oidc.ts'
import { calls as person } from './people/person.ts'
import { calls as preference } from './preference.ts'
import { calls as resource } from './right/resource.ts'
import { calls as resourceSheet } from './right/resourceSheet.ts'
import { records } from './records.ts'
import { calls as role } from './right/role.ts'
import { calls as roleSheet } from './right/roleSheet.ts'
import { calls as secondFactor } from './signIn/secondFactor.ts'
import { calls as session } from './signIn/session.ts'
import { followSettings } from './signIn/sessionLength.ts'
import { calls as view } from './view.ts'
import { answerSystem } from './systemAnswers.ts'
import { nouns } from './nouns.ts'
import { known } from './known.ts'

export const identity: Domain = {
  name: 'identity',
  known,
  calls: [
    ...session,
    ...lock,
    ...access,
    ...oidc,
    ...directory,
    ...secondFactor,
    ...apiKey,
    ...account,
    ...menuCalls,
    ...button,
    ...resource,
    ...resourceSheet,
    ...role,
    ...roleSheet,
    ...department,
    ...departmentSheet,
    ...person,
    ...enterprise,
    ...relationCalls,
    ...enterpriseSheet,
    ...preference,
    ...view,
  ],
  menu,
  records,
  nouns,
  tasks: [
    task(
      'identity.forget',
      async ({ tx }) => {
        await run(tx, { sql: 'select identity.forget_old_sessions()' }, [])
      },
      { every: '7 19 * * *' },
    ),
  ],
  start({ hub, config, log }) {
    answerSystem()
    followSettings()
    offerOidc(config.oidc, log)
    useDirectories({ vault: openVault(config, process.env), log })
    // Whose session ended, who was locked, whose rights changed: the realtime channel closes at once and has to be opened anew, under the rights of now.
    hub.onSignal('session', (person) => hub.drop(({ userId }) => person === '' || userId === person))
  },
}
