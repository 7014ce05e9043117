import type pg from 'pg'
import type { Tx } from '../../../platform/server/database.ts'
import { run } from '../../../platform/server/database.ts'
import './tables.ts'

export { sessionsIn, type SessionsHere } from './sessions.ts'
export { syncCatalogue } from './catalogue.ts'
export { ensureEnterprise, ensureFirstAdministrator } from './people.ts'
export { demoPeople, DEMO_ENTERPRISE, OTHER_ENTERPRISE } from './demo.ts'

/** For work that is done in every enterprise, before there is a scope. */
export const enterprisesIn = async (pool: pg.Pool): Promise<number[]> =>
  (await pool.query<{ id: number }>('select id from identity.enterprises() as id')).rows.map(({ id }) => id)

export const personName = async (tx: Tx, id: string): Promise<string | undefined> =>
  (await tx.selectFrom('identity.person').select('name').where('id', '=', id).executeTakeFirst())?.name

/** People of the scope's enterprise who may sign in and have a capability. */
export const holdersOf = (tx: Tx, capability: string): Promise<{ id: string; name: string }[]> =>
  run(
    tx,
    {
      sql: `select id, name from identity.person where enterprise_id = scope_enterprise() and lock_state = 1
        and $1 = any (identity.capabilities_of(enterprise_id, id)) order by id`,
    },
    [capability],
  )
