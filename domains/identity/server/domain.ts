import { run } from '../../../platform/server/database.ts'
import type { Domain } from '../../../platform/server/domain.ts'
import { task } from '../../../platform/server/jobs.ts'
import { openVault } from '../../../platform/server/vault.ts'
import { menu } from '../contract/menu.ts'
import { calls as access } from './access.ts'
import { calls as account } from './account.ts'
import { calls as apiKey } from './apiKey.ts'
import { calls as button } from './button.ts'
import { calls as department } from './department.ts'
import { calls as departmentSheet } from './departmentSheet.ts'
import { calls as directory, useDirectories } from './directory.ts'
import { calls as enterprise, relationCalls } from './enterprise.ts'
import { calls as enterpriseSheet } from './enterpriseSheet.ts'
import { calls as lock } from './lock.ts'
import { calls as menuCalls } from './menu.ts'
import { calls as oidc, offerOidc } from './oidc.ts'
import { calls as person } from './person.ts'
import { calls as preference } from './preference.ts'
import { calls as resource } from './resource.ts'
import { calls as resourceSheet } from './resourceSheet.ts'
import { records } from './records.ts'
import { calls as role } from './role.ts'
import { calls as roleSheet } from './roleSheet.ts'
import { calls as secondFactor } from './secondFactor.ts'
import { calls as session } from './session.ts'
import { followSettings } from './sessionLength.ts'
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
