import { DataScope } from '../domains/identity/contract/role.ts'
import { digestOf, hashed } from '../domains/identity/server/api.ts'
import { run } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'

/** What one person begins the other ends, and what needs a second approval gets it from the administrator. */
export const FINANCE = [
  ['finance', '财务经办'],
  ['finance2', '财务复核'],
] as const
/** What money goes through: refunds and clearing, debts and appeals, passes, cars of the fleet, rent, shared bays. */
const PARTS = ['settlement', 'arrears', 'member', 'fleet', 'rent', 'share']

/** Two who may decide on money, so that nobody has to approve their own. Made as administrators make people and roles, with the password of the demo. */
export async function addFinance(house: House, enterprise: number, password: string): Promise<void> {
  const people = await Promise.all(FINANCE.map(async ([username, name]) => ({ username, name, hash: await hashed(digestOf(username, password)) })))
  await house.writing(enterprise, 'city.finance', async (tx) => {
    const said = async (sql: string, values: unknown[]) => run<{ id: string }>(tx, { sql }, values)
    const [role] = await said(
      `insert into identity.role (name, remark, data_scope) values ('财务', '退款、对账、欠费、申诉与各项审批', $1) returning id`,
      [DataScope.enterprise],
    )
    await said(`insert into identity.role_resource (role_id, resource_id) select distinct $1::uuid, b.resource_id ${BUTTONS}`, [role!.id, PARTS])
    await said(`insert into identity.role_button (role_id, button_id) select $1::uuid, b.id ${BUTTONS}`, [role!.id, PARTS])
    for (const { username, name, hash } of people) {
      const [person] = await said(
        `insert into identity.person (username, name, password_hash, must_change, demo) values ($1, $2, $3, false, true) returning id`,
        [username, name, hash],
      )
      await said('insert into identity.person_role (person_id, role_id) values ($1, $2)', [person!.id, role!.id])
    }
  })
}
const BUTTONS = `from identity.button b join identity.resource r on r.id = b.resource_id where not r.retired and split_part(b.capability, ':', 1) = any ($2::text[])`
