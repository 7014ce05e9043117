import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, empty, entity, id, listOf, message, nothing, orNone, pickSome, text, whole } from '../../../platform/contract/field.ts'
import { ButtonType } from '../../../platform/contract/menu.ts'

/** A button of a screen. A person who holds it has its capability; the screen asks by `resource path + code`, the server by the capability. */
export const Button = entity(['按钮', 'Button'], {
  id: id<'ButtonId'>(),
  resourceId: id<'ResourceId'>('所属菜单', 'Menu'),
  resourceUrl: text('菜单地址', 'Menu address', { max: 200 }),
  resourceName: text('菜单名称', 'Menu name'),
  resourceNameEn: text('菜单英文名称', 'English menu name'),
  code: text('按钮编码', 'Button code', { max: 40, pattern: '^[a-z][a-zA-Z0-9-]*$' }),
  name: text('按钮名称', 'Button name'),
  nameEn: text('英文名称', 'English name'),
  /** By this the product's own button on the screen finds its row, whatever it is called by now. */
  shippedName: orNone(text('出厂名称', 'Built-in name')),
  type: among('按钮类型', 'Button type', ButtonType),
  capability: text('权限', 'Permission', { max: 100, pattern: '^[a-z0-9-]+:[a-z0-9-]+:[a-z0-9-]+$' }),
  version: whole('版本', 'Version'),
})
export const buttonSearch = searchOf(Button, { resourceId: 'equals', name: 'contains', code: 'startsWith' }, { sort: ['code'], ascending: true })

const signedIn = { service: 'custom', needs: 'signed-in' } as const
const edit = { service: 'custom', needs: 'identity:button:edit', writes: true } as const
export const button = {
  getAll: call('identity.button.get-all', {
    service: 'custom',
    get: '/resourceBtn/getAllResourceBtn',
    needs: 'identity:button:view',
    query: empty,
    reply: listOf(Button),
  }),
  getCurrent: call('identity.button.get-current', {
    ...signedIn,
    get: '/resourceBtn/getCurrResourceBtn',
    query: paged(buttonSearch),
    reply: pageOf(Button),
  }),
  getCurrentNoPage: call('identity.button.get-current-no-page', {
    ...signedIn,
    get: '/resourceBtn/getCurrResourceBtnNoPage',
    query: empty,
    reply: listOf(Button),
  }),
  add: call('identity.button.add', {
    ...edit,
    post: '/resourceBtn/add',
    does: ['新增按钮', 'Added a button'],
    body: pickSome(Button, ['resourceId', 'code', 'name', 'nameEn', 'capability'], ['type']),
    reply: message({ id: id<'ButtonId'>() }),
  }),
  del: call('identity.button.del', {
    ...edit,
    post: '/resourceBtn/del',
    does: ['删除按钮', 'Deleted a button'],
    body: message({ id: id<'ButtonId'>() }),
    reply: nothing,
  }),
  update: call('identity.button.update', {
    ...edit,
    post: '/resourceBtn/update',
    does: ['修改按钮', 'Changed a button'],
    body: pickSome(Button, ['id', 'version'], ['code', 'name', 'nameEn', 'type', 'capability']),
    reply: nothing,
  }),
}
