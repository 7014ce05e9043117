import { run } from '../../../platform/server/database.ts'
import type { Domain } from '../../../platform/server/domain.ts'
import { task } from '../../../platform/server/jobs.ts'
import { menu } from '../contract/menu.ts'
import { calls as account } from './account.ts'
import { calls as button } from './button.ts'
import { calls as department } from './department.ts'
import { calls as enterprise } from './enterprise.ts'
import { calls as menuCalls } from './menu.ts'
import { calls as person } from './person.ts'
import { calls as resource } from './resource.ts'
import { calls as role } from './role.ts'
import { calls as session } from './session.ts'

export const identity: Domain = {
  name: 'identity',
  calls: [...session, ...account, ...menuCalls, ...button, ...resource, ...role, ...department, ...person, ...enterprise],
  menu,
  tasks: [
    task(
      'identity.forget',
      async ({ tx }) => {
        await run(tx, { sql: 'select identity.forget_old_sessions()' }, [])
      },
      { every: '7 19 * * *' },
    ),
  ],
  start({ hub }) {
    // Whose session ended, who was locked, whose rights changed: the realtime channel closes at once and has to be opened anew, under the rights of now.
    hub.onSignal('session', (person) => hub.drop(({ userId }) => person === '' || userId === person))
  },
}
