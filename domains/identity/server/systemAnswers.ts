import type { Of } from '../../../platform/contract/field.ts'
import { enterpriseOf, run } from '../../../platform/server/database.ts'
import type { Receivers } from '../../system/contract/alarmRule.ts'
import type { Use } from '../../system/contract/overview.ts'
import { standing } from '../../../platform/server/call/standing.ts'
import { consoleUse, receivers } from '../../system/server/api.ts'
import { LockState } from '../contract/person.ts'

/** More than a picker shows; who has more people chooses roles. */
const RECEIVERS_MAX = 500
const OPENED = 10

/** Answers system's questions that only identity can: who may be told something, and how the console is used. */
export function answerSystem(): void {
  receivers.answer('identity', async (tx) => {
    const [people, roles] = await Promise.all([
      run<Of<typeof Receivers>['people'][number]>(
        tx,
        {
          sql: `select id, name || ' (' || username || ')' as name from identity.person where enterprise_id = scope_enterprise() and lock_state = ${LockState.normal} order by name limit ${RECEIVERS_MAX}`,
        },
        [],
      ),
      run<Of<typeof Receivers>['roles'][number]>(
        tx,
        { sql: 'select id, name from identity.role where enterprise_id = scope_enterprise() order by name' },
        [],
      ),
    ])
    return { people, roles }
  })
  standing.answer('identity', async (tx, { personId }) => {
    const [found] = await run<{ userName: string | null; parks: string[] | null; departments: string[] | null; capabilities: string[] }>(
      tx,
      { sql: 'select user_name, parks, departments, capabilities from identity.person_actor($1)' },
      [personId],
    )
    if (!found?.userName) return undefined
    const people = found.departments ? { self: personId, departments: found.departments } : undefined
    const enterprise = enterpriseOf(tx)
    return {
      userId: personId,
      userName: found.userName,
      enterprise,
      may: new Set(found.capabilities),
      scope: { enterprise, parks: found.parks, people },
    }
  })
  consoleUse.answer('identity', async (tx, { since }) => {
    const [[counts], opened] = await Promise.all([
      run<Omit<Of<typeof Use>, 'opened'>>(
        tx,
        {
          sql: `select count(*)::int people, (count(*) filter (where lock_state <> ${LockState.normal}))::int locked,
            (select count(*)::int from identity.role where enterprise_id = scope_enterprise()) roles,
            (select count(distinct person_id)::int from identity.session where enterprise_id = scope_enterprise() and ended_at is null and expires_at > now()) online
            from identity.person where enterprise_id = scope_enterprise()`,
        },
        [],
      ),
      run<Of<typeof Use>['opened'][number]>(
        tx,
        {
          sql: `select r.name, r.name_en, r.url as path, c.times from (select resource_id, count(*)::int times from identity.click_record
              where enterprise_id = scope_enterprise() and at >= $1 group by 1 order by 2 desc limit ${OPENED}) c
            join identity.resource r on r.id = c.resource_id order by c.times desc, r.name`,
        },
        [since],
      ),
    ])
    return { ...counts!, opened }
  })
}

/** People of the scope's enterprise with one of these roles, or among these ids, who may sign in. */
export const peopleAmong = (tx: Parameters<typeof run>[0], { people, roles }: { people: readonly string[]; roles: readonly string[] }) =>
  run<{ id: string; name: string }>(
    tx,
    {
      sql: `select id, name from identity.person p where enterprise_id = scope_enterprise() and lock_state = ${LockState.normal} and (id = any($1::uuid[])
        or exists (select from identity.person_role r where r.enterprise_id = p.enterprise_id and r.person_id = p.id and r.role_id = any($2::uuid[]))) order by id`,
    },
    [people, roles],
  )
