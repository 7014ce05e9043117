import { covered, type Personal } from '../../../platform/contract/personal.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Found, Kind } from '../../../platform/server/record/kinds.ts'
import { Button, button } from '../contract/button.ts'
import { department, Department } from '../contract/department.ts'
import { enterprise, Enterprise } from '../contract/enterprise.ts'
import { person, Person } from '../contract/person.ts'
import { Resource, resource } from '../contract/resource.ts'
import { role, Role } from '../contract/role.ts'

import { departmentMayComeBack } from './people/department.ts'
import { mayHaveBack } from './right/giving.ts'
import { roleMayComeBack } from './right/role.ts'

const departments = { table: 'identity.department' }
const named = (tied: string) => ({ table: tied })

/** Records of people and rights whose history can be followed. */
export const records: Kind[] = [
  {
    table: 'identity.person',
    entity: Person,
    needs: person.queryPage.needs,
    names: { departmentId: departments },
    find: people,
    bin: { needs: person.delete.needs, restored: mayHaveBack },
    links: [{ table: 'identity.person_role', column: 'role_id', label: ['角色', 'Roles'], names: named('identity.role') }],
  },
  {
    table: 'identity.role',
    entity: Role,
    needs: role.query.needs,
    bin: { needs: role.del.needs, restored: roleMayComeBack },
    links: [
      { table: 'identity.role_resource', column: 'resource_id', label: ['菜单', 'Menus'], names: named('identity.resource') },
      { table: 'identity.role_button', column: 'button_id', label: ['按钮', 'Buttons'], names: named('identity.button') },
    ],
  },
  {
    table: 'identity.department',
    entity: Department,
    needs: department.queryPage.needs,
    names: { parentId: departments },
    bin: { needs: department.delete.needs, restored: departmentMayComeBack },
  },
  { table: 'identity.enterprise', entity: Enterprise, needs: enterprise.queryPage.needs, common: true },
  {
    table: 'identity.resource',
    label: ['菜单', 'Menu entry'],
    entity: Resource,
    needs: resource.del.needs,
    common: true,
    bin: { needs: resource.del.needs },
  },
  { table: 'identity.button', entity: Button, needs: button.del.needs, common: true, bin: { needs: button.del.needs } },
]

const STAFF = '/appManage/organization/staff'
/** By the beginning of the staff number, the phone, the name or the username. Digit by digit, an answer would tell a phone that is covered: that one has to be whole. */
async function people(tx: Tx, words: string, most: number, hidden: readonly Personal[]): Promise<Found[]> {
  const whole = !hidden.includes('phone')
  const rows = await run<{ id: string; username: string; name: string; staffNo: string | null; phone: string | null }>(
    tx,
    {
      sql: `select id, username, name, staff_no, phone from identity.person where enterprise_id = scope_enterprise()
        and (staff_no ^@ $1 or (phone ^@ $1 and ($3 or phone = $1)) or name ^@ $1 or username ^@ $1) order by username limit $2`,
    },
    [words, most, whole],
  )
  return rows.map(({ id, username, name, staffNo, phone }) => ({
    key: id,
    title: name,
    detail: [username, staffNo, phone && !whole ? covered('phone', phone) : phone].filter(Boolean).join(' '),
    path: `${STAFF}?username=${encodeURIComponent(username)}`,
  }))
}
