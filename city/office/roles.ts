import { run, type Tx } from '../../platform/server/database.ts'

export interface DemoRole {
  name: string
  remark: string
  dataScope: number
  parks?: readonly string[]
  /** Paths of the menu; one that ends in `/` stands for all below it. */
  screens: readonly string[]
  /** Capabilities besides what the screens need; none: all that their buttons give. */
  may?: readonly string[]
  mayNot?: readonly string[]
}

/** Made as administrators make roles: screens by their paths, buttons by what they give. */
export async function addRole(tx: Tx, { name, remark, dataScope, parks, screens, may, mayNot = [] }: DemoRole): Promise<string> {
  const [role] = await run<{ id: string }>(tx, { sql: ROLE }, [name, remark, dataScope, parks ?? []])
  const paths = screens.map((path) => (path.endsWith('/') ? `${path}%` : path))
  const given = await run<{ id: string }>(tx, { sql: SCREENS }, [role!.id, paths])
  if (given.length < screens.length) throw new Error(`The role ${name} names screens that the menu does not have.`)
  await run(tx, { sql: may ? NAMED : BUTTONS }, [role!.id, may ?? paths, ...(may ? [] : [mayNot])])
  return role!.id
}
const ROLE = 'insert into identity.role (name, remark, data_scope, parks) values ($1, $2, $3, $4) returning id'
const SCREENS = `insert into identity.role_resource (role_id, resource_id)
  select $1, id from identity.resource where url like any ($2::text[]) and component not in ('', 'layoutHeaderAside') and not retired returning resource_id as id`
const NAMED =
  'insert into identity.role_button (role_id, button_id) select $1, id from identity.button where capability = any ($2::text[]) and not retired'
const BUTTONS = `insert into identity.role_button (role_id, button_id) select $1, b.id from identity.button b join identity.resource r on r.id = b.resource_id
  where r.url like any ($2::text[]) and not r.retired and not b.retired and b.capability <> all ($3::text[])`

/** A person with one role, and the password of the demo. */
export async function addPerson(tx: Tx, { username, name, hash, roleId }: { username: string; name: string; hash: string; roleId: string }) {
  const [person] = await run<{ id: string }>(tx, { sql: PERSON }, [username, name, hash])
  await run(tx, { sql: 'insert into identity.person_role (person_id, role_id) values ($1, $2)' }, [person!.id, roleId])
  return person!.id
}
const PERSON = 'insert into identity.person (username, name, password_hash, must_change, demo) values ($1, $2, $3, false, true) returning id'
