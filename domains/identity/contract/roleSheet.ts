import { listOf, message, shaped, text } from '../../../platform/contract/field.ts'
import { importOf, templateOf } from '../../../platform/contract/sheet.ts'
import { Role } from './role.ts'

const { name, dataScope, grants, parks, remark } = Role.properties

const edit = { service: 'custom', needs: 'identity:role:edit' } as const
/** Roles as a sheet: menus by their address, or by a name that no other has, a folder for all that lies in it; buttons by the address of their screen and their code. */
export const roleSheet = {
  import: importOf('identity.role.import', {
    ...edit,
    post: '/roleNew/importRoleList',
    title: ['角色', 'Roles'],
    row: message(
      { name, dataScope },
      {
        grants,
        parks,
        menus: shaped('菜单', 'Menus', listOf(text('菜单地址', 'Menu address', { max: 200 }), { max: 2000 })),
        buttons: shaped('按钮', 'Buttons', listOf(text('按钮', 'Button', { max: 300, pattern: '^/[^:]+:[^:]+$' }), { max: 5000 })),
        remark,
      },
    ),
    unique: 'name',
    note: [
      '菜单写地址，或侧边菜单里的名称；写目录的名称即授予其下全部菜单。按钮写 菜单地址:按钮编码。指定车场只在数据范围为「指定车场」时填写。',
      'Menus by address, or by name as the side menu shows them; a folder’s name grants everything below it. Buttons as menu address:button code. Chosen car parks only with the data scope “Chosen car parks”.',
    ],
  }),
  exportTemplate: templateOf('identity.role.export-template', { ...edit, get: '/roleNew/exportRoleTemplate' }),
}
