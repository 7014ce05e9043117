import { id, instant, text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { ApiKey } from '../contract/apiKey.ts'
import { Button } from '../contract/button.ts'
import { Directory } from '../contract/directory.ts'
import { Enterprise } from '../contract/enterprise.ts'
import { Person } from '../contract/person.ts'
import { Resource } from '../contract/resource.ts'
import { Role } from '../contract/role.ts'
import { View } from '../contract/view.ts'

const roleId = id('角色', 'Role')
const shipped = text('出厂内容', 'As shipped')
const retired = yes('已停用', 'Retired')

/** Beside those of `records.ts`. */
export const nouns: Noun[] = [
  {
    table: 'identity.person',
    entity: Person,
    also: { passwordAt: instant('密码修改时间', 'Password changed'), demo: yes('演示账号', 'Demo account') },
  },
  { table: 'identity.role', entity: Role, also: { builtIn: yes('内置', 'Built-in') } },
  { table: 'identity.enterprise', entity: Enterprise },
  { table: 'identity.person_role', label: ['员工的角色', 'Role of a person'], also: { roleId } },
  { table: 'identity.role_resource', label: ['角色的菜单', 'Menu of a role'], also: { roleId, resourceId: id('菜单', 'Menu') } },
  { table: 'identity.role_button', label: ['角色的按钮', 'Button of a role'], also: { roleId, buttonId: id('按钮', 'Button') } },
  { table: 'identity.resource', label: ['菜单', 'Menu'], entity: Resource, also: { retired, shipped } },
  { table: 'identity.button', entity: Button, also: { retired, shipped } },
  { table: 'identity.view', entity: View },
  { table: 'identity.api_key', entity: ApiKey },
  { table: 'identity.directory', entity: Directory },
  {
    table: 'identity.guest',
    label: ['可代管人员', 'Guest'],
    also: {
      homeEnterpriseId: whole('所属企业', 'Own enterprise'),
      admittedAt: instant('准入时间', 'Admitted at'),
      admittedBy: text('准入人', 'Admitted by'),
    },
  },
  { table: 'identity.guest_role', label: ['代管人员的角色', 'Role of a guest'], also: { roleId } },
  {
    table: 'identity.oidc_subject',
    label: ['单点登录绑定', 'Single sign-on subject'],
    also: { issuer: text('身份提供方', 'Provider'), subject: text('主体标识', 'Subject') },
  },
]
