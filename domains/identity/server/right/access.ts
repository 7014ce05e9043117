import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { access, type Needed } from '../../contract/access.ts'
import { holdingOf } from './holding.ts'
import '../tables.ts'
import { LockState } from '../../contract/person.ts'
import { RoleGrants } from '../../contract/role.ts'

export const calls = serve(access, {
  async explain({ tx, input: { personId, resourceId }, actor: { enterprise } }) {
    const [person, entry, buttons, roles] = await Promise.all([
      tx.selectFrom('identity.person').select(['name', 'lockState', 'mustChange']).where('id', '=', personId).executeTakeFirst(),
      tx.selectFrom('identity.resource').select(['url', 'hidden', 'retired', 'needs']).where('id', '=', resourceId).executeTakeFirst(),
      tx
        .selectFrom('identity.button')
        .select(['id', 'code', 'name', 'nameEn', 'capability'])
        .where('resourceId', '=', resourceId)
        .where('retired', '=', false)
        .orderBy('code')
        .execute(),
      rolesOf(tx, personId),
    ])
    if (!person || !entry) throw NotFound()
    const holding = await holdingOf(tx, { userId: personId, enterprise })
    const asked = [...entry.needs, ...buttons.map(({ capability }) => capability)]
    const given = await giversOf(tx, asked)
    const needed = (capability: string, has = holding.capabilities.has(capability)): Of<typeof Needed> => ({
      capability,
      has,
      platformOnly: given.get(capability)?.platformOnly ?? false,
      roles: given.get(capability)?.roles ?? [],
    })
    const held = holding.resources(resourceId, entry.needs)
    const mayEnter = person.lockState === LockState.normal && !person.mustChange
    const shown = held && !entry.hidden && !entry.retired && entry.needs.every((one) => holding.capabilities.has(one))
    return {
      personName: person.name,
      roles,
      locked: person.lockState !== LockState.normal,
      mustChange: person.mustChange,
      url: entry.url,
      hidden: entry.hidden,
      retired: entry.retired,
      held,
      sees: shown && mayEnter,
      needs: entry.needs.map((one) => needed(one)),
      buttons: buttons.map(({ code, name, nameEn, capability }) => ({ code, name, nameEn, needs: needed(capability) })),
    }
  },
})

const rolesOf = async (tx: Tx, personId: string) =>
  (
    await run<{ name: string }>(
      tx,
      {
        sql: `select r.name from identity.person_role x join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id
          where x.enterprise_id = scope_enterprise() and x.person_id = $1 order by r.name`,
      },
      [personId],
    )
  ).map(({ name }) => name)

/** Which roles of the company give a capability, by the same rules by which a person's are counted. */
async function giversOf(tx: Tx, capabilities: readonly string[]) {
  const rows = await run<{ code: string; platformOnly: boolean; roles: string[] }>(
    tx,
    {
      sql: `select c.code, c.platform_only, coalesce((select array_agg(r.name order by r.name) from identity.role r where r.enterprise_id = scope_enterprise() and (
          r.grants = ${RoleGrants.everything} or (r.grants = ${RoleGrants.viewing} and c.code like '%:view') or (r.grants = ${RoleGrants.chosen} and (
            exists (select from identity.role_resource x join identity.resource s on s.id = x.resource_id where x.enterprise_id = r.enterprise_id and x.role_id = r.id and c.code = any (s.needs))
            or exists (select from identity.role_button x join identity.button b on b.id = x.button_id where x.enterprise_id = r.enterprise_id and x.role_id = r.id and b.capability = c.code))))), '{}') as roles
        from identity.capability c where c.code = any ($1)`,
    },
    [[...new Set(capabilities)]],
  )
  return new Map(rows.map(({ code, ...rest }) => [code, rest]))
}
