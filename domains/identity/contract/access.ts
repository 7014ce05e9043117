import { call } from '../../../platform/contract/call.ts'
import { entity, id, listOf, message, shaped, text, yes } from '../../../platform/contract/field.ts'

/** One capability that somebody needs here: whether they have it, and which roles of the company would give it. */
export const Needed = entity({
  capability: text('权限', 'Permission', { max: 100 }),
  has: yes('拥有', 'Held'),
  platformOnly: yes('仅平台运营企业可用', 'Platform operator only'),
  roles: shaped('可授予的角色', 'Roles granting it', listOf(text('角色名称', 'Role name'))),
})
export const NeededButton = entity({
  code: text('按钮', 'Button'),
  name: text('名称', 'Name'),
  nameEn: text('英文名称', 'English name'),
  needs: shaped('权限', 'Permission', Needed),
})
/** Why a person sees a page and its buttons, or does not. `held`: a role of theirs holds the entry itself. */
export const Explanation = entity({
  personName: text('姓名', 'Name'),
  roles: shaped('角色', 'Roles', listOf(text('角色名称', 'Role name'))),
  locked: yes('已锁定', 'Locked'),
  mustChange: yes('须修改密码', 'Must change password'),
  url: text('地址', 'Address', { max: 200 }),
  hidden: yes('菜单已隐藏', 'Menu hidden'),
  retired: yes('菜单已停用', 'Menu retired'),
  held: yes('角色包含该菜单', 'Included in a role'),
  sees: yes('可见', 'Visible'),
  needs: shaped('页面所需权限', 'Permissions needed', listOf(Needed)),
  buttons: shaped('按钮', 'Buttons', listOf(NeededButton)),
})

export const access = {
  explain: call('identity.access.explain', {
    service: 'custom',
    post: '/access/explain',
    needs: 'identity:access:explain',
    own: true,
    body: message({ personId: id<'PersonId'>('用户编号', 'Person'), resourceId: id<'ResourceId'>('菜单编号', 'Menu') }),
    reply: Explanation,
  }),
}
