import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { DeviceType } from '../../device/contract/device.ts'
import { Park } from '../../parking/contract/park.ts'

export const Cycle = dictionary('patrol_cycle', ['巡检周期', 'Patrol period'], {
  day: [1, '日', 'Daily'],
  week: [2, '周', 'Weekly'],
  month: [3, '月', 'Monthly'],
  quarter: [4, '季', 'Quarterly'],
  year: [5, '年', 'Yearly'],
})
export const ItemType = dictionary('patrol_item_type', ['检查项类型', 'Item type'], {
  state: [1, '正常/异常', 'Normal or abnormal'],
  number: [2, '数值', 'Number'],
  picture: [3, '照片', 'Picture'],
})
const figure = (zh: string, en: string) => orNone(whole(zh, en, { min: -1_000_000, max: 1_000_000 }))
/** An item that is checked on each device. A number is right between its bounds; a missing bound is open. */
export const Item = message(
  { name: text('检查项', 'Item', { max: 40 }), type: among('类型', 'Type', ItemType) },
  { min: figure('下限', 'Minimum'), max: figure('上限', 'Maximum') },
)
/** The most items of one device in a round. */
const ITEMS_MAX = 30
const TYPES_MAX = 14
/** The most parks of one rule. */
export const PARKS_MAX = 500
export const items = shaped('检查项', 'Items', listOf(Item, { max: ITEMS_MAX }))
export const deviceTypes = shaped('设备类型', 'Device types', listOf(among('设备类型', 'Device type', DeviceType), { max: TYPES_MAX }))
const parkCode = Park.properties.parkCode
export const parkCodes = shaped('车场', 'Car parks', listOf(parkCode, { max: PARKS_MAX }))
const kept = {
  ...rowFields<'PatrolRuleId'>(),
  name: text('规则名称', 'Name', { max: 40 }),
  deviceTypes,
  cycle: among('周期', 'Period', Cycle),
  times: whole('每周期次数', 'Times per period', { min: 1, max: 28 }),
  items,
  route: orNone(text('路线说明', 'Route', { max: 500 })),
}
/** A rule: the items to check, in which parks, and how often. */
export const KeptRule = entity(['巡检规则', 'Patrol rule'], kept)
export const PatrolRule = entity({ ...kept, parkCodes, openTasks: whole('未完成任务', 'Open tasks', { min: 0 }) })
export const patrolRuleSearch = searchOf(PatrolRule, { name: 'contains', cycle: 'among' }, { sort: ['createdAt', 'name'] })

const { name, cycle, times, route } = kept
const view = { service: 'device', needs: 'inspection:rule:view' } as const
const edit = { service: 'device', needs: 'inspection:rule:edit', writes: true } as const
const query = call('inspection.patrol-rule.query', { ...view, get: '/patrolRules/query', query: paged(patrolRuleSearch), reply: pageOf(PatrolRule) })
const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** The changes of a rule's tasks. */
export const Replanned = message({
  created: counted('新建任务', 'Tasks created'),
  cancelled: counted('取消任务', 'Tasks cancelled'),
  kept: counted('保留任务', 'Tasks kept'),
})

export const patrolRules = {
  query,
  /** Every park that one sees, with whether the rule covers it. */
  parks: call('inspection.patrol-rule.parks-of-rules', {
    ...view,
    get: '/patrolRules/parksOfRules',
    query: message({ ruleId: kept.id }),
    reply: listOf(
      entity({
        ...pick(Park, 'parkCode', 'name').properties,
        checked: yes('已选', 'Selected'),
        deviceCount: counted('设备数', 'Devices'),
        openTasks: counted('未完成任务', 'Open tasks'),
      }),
    ),
  }),
  /** Replaces the parks of a rule: a new one gets its task of the period that runs, one that goes loses what is not begun. `dryRun` says what it would do. */
  updateParks: call('inspection.patrol-rule.update-parks-of-rules', {
    ...edit,
    post: '/patrolRules/updateParksOfRules',
    does: ['设置规则的车场', 'Set the car parks of a patrol rule'],
    body: message({ ruleId: kept.id, version: kept.version, parkCodes }, { dryRun: yes('只检查', 'Check only') }),
    reply: Replanned,
  }),
  insert: call('inspection.patrol-rule.insert', {
    ...edit,
    post: '/patrolRules/insert',
    does: ['新增巡检规则', 'Added a patrol rule'],
    body: message({ name, deviceTypes, cycle, items }, { times, route, parkCodes }),
    reply: PatrolRule,
  }),
  /** Tasks that are not begun take the new items. Another rhythm cancels them and plans anew. */
  update: call('inspection.patrol-rule.update', {
    ...edit,
    post: '/patrolRules/update',
    does: ['修改巡检规则', 'Changed a patrol rule'],
    body: pickSome(KeptRule, ['id', 'version'], ['name', 'deviceTypes', 'cycle', 'times', 'items', 'route']),
    reply: Replanned,
  }),
  /** Refused once one of its tasks was begun. */
  delete: call('inspection.patrol-rule.delete', {
    ...edit,
    post: '/patrolRules/delete',
    does: ['删除巡检规则', 'Deleted a patrol rule'],
    body: pickSome(KeptRule, ['id'], ['version']),
    reply: nothing,
  }),
  export: exportOf('inspection.patrol-rule.find-export', {
    ...view,
    get: '/patrolRules/findExport',
    title: ['巡检规则', 'Patrol rules'],
    query,
    columns: ['name', 'deviceTypes', 'cycle', 'times', { name: 'items', pick: 'name' }, 'route', 'parkCodes', 'openTasks', 'createdAt'],
  }),
}
