import { Unsafe } from 'typebox'
import { call } from '../../../platform/contract/call.ts'
import {
  anything,
  empty,
  entity,
  id,
  listOf,
  message,
  nothing,
  orNone,
  pickSome,
  type Schema,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'

/** An entry of the resource tree. A url is a path of the console or an http(s) link; nothing else ever gets into the menu. */
export const Resource = entity({
  id: id<'ResourceId'>(),
  parentId: orNone(id<'ResourceId'>('上级', 'Parent')),
  url: text('地址', 'Address', { max: 200, pattern: '^((/[A-Za-z0-9_-]+)+|https?://[^\\s"\'<>]+)$' }),
  name: text('名称', 'Name'),
  nameEn: text('英文名称', 'English name'),
  component: text('组件', 'Component', { min: 0, pattern: '^[A-Za-z0-9]*$' }),
  funcCode: text('功能码', 'Function code', { min: 0, max: 200 }),
  icon: orNone(text('图标', 'Icon', { pattern: '^[A-Za-z0-9]+$' })),
  level: whole('层级', 'Level'),
  sort: whole('排序', 'Sort order', { min: 0, max: 100_000 }),
  hidden: yes('隐藏', 'Hidden'),
  needs: shaped('权限', 'Permissions', listOf(text('权限', 'Permission', { max: 100 }), { max: 50 })),
  version: whole('版本', 'Version'),
})
/** The `component` of a folder, which has no screen. */
export const FOLDER = 'layoutHeaderAside'
/** An entry that opens something by itself; a folder opens what lies below it. */
export const isScreen = ({ url, component }: { url: string; component: string }) => (component !== '' && component !== FOLDER) || /^https?:/.test(url)
type ResourceOf = (typeof Resource)['~unsafe']
/** `held`: in the tree of a role, whether the role holds it. */
export interface ResourceNode extends ResourceOf {
  held?: boolean
  children: ResourceNode[]
}
const ResourceNodes: Schema<ResourceNode[]> = listOf(
  Unsafe<ResourceNode>({ ...Resource, properties: { ...Resource.properties, children: listOf(anything), held: { type: 'boolean' } } }),
)

const edit = { service: 'custom', needs: 'identity:resource:edit', writes: true } as const
export const resource = {
  queryTree: call('identity.resource.query-tree', {
    service: 'custom',
    get: '/resource/queryTree',
    needs: 'identity:resource:view',
    query: empty,
    reply: ResourceNodes,
  }),
  /** The whole tree with what one role holds, and the buttons that it holds. */
  queryRoleTree: call('identity.resource.query-role-tree', {
    service: 'custom',
    get: '/resource/queryRoleTree',
    needs: 'identity:role:view',
    query: message({ roleId: id<'RoleId'>('角色', 'Role') }),
    reply: message({ tree: ResourceNodes, buttonIds: listOf(id<'ButtonId'>()) }),
  }),
  add: call('identity.resource.add', {
    ...edit,
    post: '/resource/add',
    does: ['新增菜单', 'Added a menu entry'],
    body: pickSome(Resource, ['url', 'name', 'nameEn'], ['parentId', 'component', 'icon', 'sort', 'hidden', 'needs']),
    reply: message({ id: id<'ResourceId'>() }),
  }),
  update: call('identity.resource.update', {
    ...edit,
    post: '/resource/update',
    does: ['修改菜单', 'Changed a menu entry'],
    body: pickSome(Resource, ['id', 'version'], ['parentId', 'name', 'nameEn', 'icon', 'sort', 'hidden']),
    reply: nothing,
  }),
  del: call('identity.resource.del', {
    ...edit,
    post: '/resource/del',
    does: ['删除菜单', 'Deleted a menu entry'],
    body: message({ id: id<'ResourceId'>() }),
    reply: nothing,
  }),
}
