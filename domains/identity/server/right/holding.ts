import { run, type Tx } from '../../../../platform/server/database.ts'
import type { Actor } from '../../../../platform/server/serve.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { RoleGrants } from '../../contract/role.ts'
import '../tables.ts'

/** Rights from the roles of a person, apart from whether the password has to be changed first. */
export interface Holding {
  capabilities: ReadonlySet<string>
  /** Holds this entry of the menu, whose capabilities are `needs`. */
  resources(id: string, needs: readonly string[]): boolean
  buttons(id: string, capability: string): boolean
}

export async function holdingOf(tx: Tx, { userId, enterprise }: Pick<Actor, 'userId' | 'enterprise'>): Promise<Holding> {
  const roles = tx
    .selectFrom('identity.heldRole as x')
    .innerJoin('identity.role as r', (join) => join.onRef('r.enterpriseId', '=', 'x.enterpriseId').onRef('r.id', '=', 'x.roleId'))
    .where('x.enterpriseId', '=', enterprise)
    .where('x.personId', '=', userId)
  const [held, resources, buttons, [read]] = await Promise.all([
    roles.select(['r.grants']).execute(),
    roles.innerJoin('identity.roleResource as s', 's.roleId', 'r.id').select('s.resourceId as id').execute(),
    roles.innerJoin('identity.roleButton as b', 'b.roleId', 'r.id').select('b.buttonId as id').execute(),
    run<{ codes: string[] }>(tx, { sql: 'select identity.capabilities_of($1, $2) as codes' }, [enterprise, userId]),
  ])
  return holdingFrom(
    held.map(({ grants }) => grants),
    [...resources, ...buttons],
    read!.codes,
  )
}
/** Returns the rights that one role would give to a person without another. */
export async function holdingOfRole(tx: Tx, { id, grants }: { id: string; grants: number }): Promise<Holding> {
  const [resources, buttons, [read]] = await Promise.all([
    tx.selectFrom('identity.roleResource').select('resourceId as id').where('roleId', '=', id).execute(),
    tx.selectFrom('identity.roleButton').select('buttonId as id').where('roleId', '=', id).execute(),
    run<{ codes: string[] }>(tx, { sql: 'select identity.capabilities_in($1) as codes' }, [id]),
  ])
  return holdingFrom([grants], [...resources, ...buttons], read!.codes)
}

function holdingFrom(grants: readonly number[], ids: readonly { id: string }[], codes: readonly string[]): Holding {
  const everything = grants.includes(RoleGrants.everything)
  const looking = grants.includes(RoleGrants.viewing)
  const capabilities = new Set(codes)
  const chosen = new Set(ids.map(({ id }) => id))
  return {
    capabilities,
    resources: (id, needs) => everything || chosen.has(id) || (looking && needs.every(isLook)),
    buttons: (id, capability) => capabilities.has(capability) && (everything || chosen.has(id) || (looking && isLook(capability))),
  }
}
const isLook = (capability: string) => capability.endsWith(':view')

export const BeyondOwn = refusal(
  'identity.beyond-own',
  40225,
  '不能授予自己没有的权限：{zh}',
  'You cannot grant permissions you do not have: {en}',
  403,
)
/** Nobody grants what they lack: neither directly, nor by choosing a menu, nor by taking part in the growth of somebody else. */
export function refuseBeyond(holding: Pick<Holding, 'capabilities'>, wanted: Iterable<string>) {
  const lacking = [...new Set(wanted)].filter((one) => !holding.capabilities.has(one))
  if (lacking.length) throw BeyondOwn({ zh: lacking.slice(0, 5).join('、'), en: lacking.slice(0, 5).join(', ') })
}
