import { call } from '../../../platform/contract/call.ts'
import { entity, id, listOf, message, nothing, pickSome, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

const CRITERIA_MAX = 60
/** The query in a list's address: criteria, order and rows per page, each as its text. */
const criteria = shaped(
  '条件',
  'Criteria',
  listOf(
    entity({
      name: text('名称', 'Name', { max: 64, pattern: '^[A-Za-z][A-Za-z0-9]*$' }),
      value: text('值', 'Value', { min: 0, max: 4000 }),
    }),
    { max: CRITERIA_MAX },
  ),
)

/** A named search of one list. Shared ones are found by everybody of the enterprise; only their maker changes them. */
export const View = entity(['视图', 'Saved view'], {
  id: id<'ViewId'>(),
  list: text('列表', 'List', { max: 100 }),
  name: text('视图名称', 'View name', { max: 40 }),
  shared: yes('共享给全企业', 'Shared with the enterprise'),
  criteria,
  mine: yes('我的', 'Mine'),
  madeBy: text('创建人', 'Created by'),
  version: whole('版本', 'Version'),
})

const shape = { service: 'custom', needs: 'signed-in', own: true } as const
export const view = {
  query: call('identity.view.query', { ...shape, get: '/account/views', query: message({ list: View.properties.list }), reply: listOf(View) }),
  add: call('identity.view.add', {
    ...shape,
    post: '/account/addView',
    writes: true,
    does: ['新增视图', 'Added a view'],
    body: pickSome(View, ['list', 'name', 'shared', 'criteria'], []),
    reply: message({ id: View.properties.id }),
  }),
  update: call('identity.view.update', {
    ...shape,
    post: '/account/updateView',
    writes: true,
    does: ['修改视图', 'Changed a view'],
    body: pickSome(View, ['id', 'version'], ['name', 'shared', 'criteria']),
    reply: nothing,
  }),
  delete: call('identity.view.delete', {
    ...shape,
    post: '/account/deleteView',
    writes: true,
    does: ['删除视图', 'Deleted a view'],
    body: message({ id: View.properties.id }),
    reply: nothing,
  }),
}
