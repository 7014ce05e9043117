import type pg from 'pg'
import type { Tx } from '../../../platform/server/database.ts'
import { run } from '../../../platform/server/database.ts'
import { LockState } from '../contract/person.ts'
import './tables.ts'

export { sessionsIn, type SessionsHere } from './signIn/sessions.ts'
/** Accounts that are no persons of the console keep their passwords as persons do. */
export { digestOf, hashed, matches, Mismatch, noPassword, randomPassword, SamePassword } from './signIn/password.ts'
/** And sign in as persons do: a wrong name, a wrong password and a lock are one sentence, and guesses wait the longer the more there were. */
export { clientOf, secret, WrongSignIn } from './signIn/opening.ts'
export { countWrong, forgetTries, slowed, triedBy, triesOf } from './signIn/tries.ts'
export { secretHash } from './signIn/sessions.ts'
export { confirmSelf } from './signIn/confirmSelf.ts'
export { personHeld } from './questions.ts'
export { syncCatalogue } from './right/catalogue.ts'
export { ensureEnterprise, ensureFirstAdministrator } from './people/people.ts'
export { peopleAmong } from './systemAnswers.ts'
export { demoPeople, DEMO_ENTERPRISE, OTHER_ENTERPRISE } from './demo.ts'

/** For work that is done in every enterprise, before there is a scope. */
export const enterprisesIn = async (pool: pg.Pool): Promise<number[]> =>
  (await pool.query<{ id: number }>('select id from identity.enterprises() as id')).rows.map(({ id }) => id)

/** Returns the name of the scope's enterprise. */
export const companyOf = async (tx: Tx): Promise<string> =>
  (await run<{ name: string }>(tx, { sql: 'select name from identity.enterprise where id = scope_enterprise()' }, []))[0]?.name ?? ''

/** Of anybody in the scope's enterprise, whomever the one who asks may see. */
/** Whether a session is live: a stream that stays open for minutes asks again and again. */
export const sessionIsLive = async (tx: Tx, id: string): Promise<boolean> =>
  (await run(tx, { sql: 'select 1 from identity.session where id::text = $1 and ended_at is null and expires_at > now()' }, [id])).length > 0

/** Ends all sessions of a person of the scope's enterprise who has nothing more to do here. */
export const endSessionsOf = async (tx: Tx, personId: string): Promise<void> =>
  void (await run(
    tx,
    {
      sql: "select identity.end_own_sessions(id, null, null, 'left') from identity.person where enterprise_id = scope_enterprise() and id = $1",
    },
    [personId],
  ))

export const personName = async (tx: Tx, id: string): Promise<string | undefined> =>
  (await run<{ name: string | null }>(tx, { sql: 'select identity.name_of($1) as name' }, [id]))[0]?.name ?? undefined

/** People of the scope's enterprise who may sign in and have a capability, and see a park where one is named, whomever the one who asks may see. */
export const holdersOf = (tx: Tx, capability: string, parkCode: string | null = null): Promise<{ id: string; name: string }[]> =>
  run(tx, { sql: 'select id, name from identity.holders_of($1) where $2::text is null or identity.sees_park(id, $2)' }, [capability, parkCode])

/** Somebody whom a message can be sent to. */
export interface Reachable {
  id: string
  name: string
  phone: string | null
  email: string | null
}
export interface PeopleWanted {
  ids?: readonly string[]
  roleIds?: readonly string[]
  /** With the departments below them. */
  departmentIds?: readonly string[]
  capability?: string
  /** Part of the name, or the username. */
  keyword?: string
}
/** Unlocked people of the scope's enterprise whom all that is said fits; nothing said is everybody. */
export const peopleWanted = (tx: Tx, { ids, roleIds, departmentIds, capability, keyword }: PeopleWanted): Promise<Reachable[]> =>
  run(
    tx,
    {
      sql: `with recursive below as (
          select id from identity.department where enterprise_id = scope_enterprise() and id = any ($3::uuid[])
          union select d.id from identity.department d join below b on d.parent_id = b.id where d.enterprise_id = scope_enterprise())
        select p.id, p.name, p.phone, p.email from identity.person p where p.enterprise_id = scope_enterprise() and p.lock_state = ${LockState.normal}
          and ($1::uuid[] is null or p.id = any ($1::uuid[]))
          and ($2::uuid[] is null or exists (select from identity.person_role r where r.enterprise_id = p.enterprise_id and r.person_id = p.id and r.role_id = any ($2::uuid[])))
          and ($3::uuid[] is null or p.department_id in (select id from below))
          and ($4::text is null or $4 = any (identity.capabilities_of(p.enterprise_id, p.id)))
          and ($5::text is null or position($5 in p.name) > 0 or p.username = $5)
        order by p.id`,
    },
    [ids ?? null, roleIds ?? null, departmentIds ?? null, capability || null, keyword || null],
  )

export interface Group {
  id: string
  name: string
  /** A department's parent. */
  parentId: string | null
}
/** Returns the roles and departments by which a sender chooses people. */
export const groupsOf = async (tx: Tx): Promise<{ roles: Group[]; departments: Group[] }> => {
  const of = (table: 'role' | 'department', parent: string) =>
    run<Group>(
      tx,
      { sql: `select id, name, ${parent} as parent_id from identity.${table} where enterprise_id = scope_enterprise() order by name limit 2000` },
      [],
    )
  const [roles, departments] = await Promise.all([of('role', 'null::uuid'), of('department', 'parent_id')])
  return { roles, departments }
}
export const namesOf = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await run<{ name: string }>(
      tx,
      { sql: 'select name from identity.person where enterprise_id = scope_enterprise() and id = any($1) order by name' },
      [ids],
    )
  ).map(({ name }) => name)

/** Whether somebody sees what lies in a park, or with none what lies in no park. */
export const seesPark = async (tx: Tx, id: string, parkCode: string | null): Promise<boolean> =>
  (await run<{ sees: boolean }>(tx, { sql: 'select identity.sees_park($1, $2) as sees' }, [id, parkCode]))[0]!.sees
export { parksThere } from './people/parks.ts'
