import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  personal,
  pick,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf, parkName, templateOf } from '../../../platform/contract/sheet.ts'
import { TollType } from '../../roadside/contract/tollType.ts'

export { TollType }
export const OnJob = dictionary('on_job', ['在职状态', 'Employment'], {
  employed: [1, '在职', 'Employed', 'success'],
  left: [2, '离职', 'Left'],
})
export const NoticeState = dictionary('notice_state', ['通知状态', 'Notice status'], {
  waiting: [0, '待上班', 'Waiting for check-in', 'warning'],
  sent: [1, '已发送', 'Sent', 'success'],
})
export const tollNo = text('工号', 'Staff number', { max: 24, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' })
const parkCode = text('车场编号', 'Car park code', { max: 16 })

/** Somebody in the field (收费员): who collects, patrols, or supervises. */
export const Collector = entity(['收费员', 'Collector'], {
  ...rowFields<'CollectorId'>(),
  tollNo,
  name: text('姓名', 'Name', { max: 40 }),
  phone: orNone(personal('phone', text('手机', 'Phone', { max: 20, pattern: '^[0-9+ *-]*$' }))),
  tollType: among('类型', 'Type', TollType),
  groupId: orNone(id<'WorkGroupId'>('班组', 'Group')),
  parkCode,
  onJob: among('在职', 'Employed', OnJob),
  pdaNo: orNone(text('手持机编号', 'Handheld', { max: 40 })),
  personId: orNone(id<'PersonId'>('登录账号', 'Account')),
  leftAt: orNone(instant('离职时间', 'Left at')),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
})
/** As the list shows them: with the group's and the account's names. */
export const CollectorLine = entity({
  ...Collector.properties,
  groupName: orNone(text('班组', 'Group', { max: 40 })),
  username: orNone(text('登录账号', 'Account', { max: 32 })),
})
/** And what they are to work today, and whether their handheld is heard. */
export const CollectorNow = entity({
  ...CollectorLine.properties,
  todayShift: orNone(text('今日班次', 'Shift today', { max: 200 })),
  online: yes('在线', 'Online'),
})
/** A handheld that was heard within so many minutes is on line. */
export const ONLINE_MIN = 5
export const collectorSearch = searchOf(
  CollectorLine,
  {
    tollNo: 'startsWith',
    name: 'contains',
    phone: 'equals',
    tollType: 'among',
    groupId: 'equals',
    parkCode: 'equals',
    onJob: 'among',
    pdaNo: 'equals',
  },
  { sort: ['createdAt', 'tollNo'] },
)
const { name, phone, tollType, groupId, pdaNo, personId, remark } = Collector.properties
const written = { phone, groupId, pdaNo, personId, remark }

/** One row of a sheet of collectors. The group stands in it by name, the account by its username. */
const CollectorRow = message(
  { tollNo, name, tollType, parkCode },
  { phone, groupName: CollectorLine.properties.groupName, pdaNo, username: CollectorLine.properties.username, remark },
)
export const Picked = entity({
  ...pick(Collector, 'id', 'tollNo', 'name', 'tollType', 'groupId', 'parkCode').properties,
  hasAccount: yes('有账号', 'Has an account'),
  mine: yes('本人', 'Oneself'),
})
const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** The cells and the money of somebody's month up to now. */
const MonthFigures = entity({
  cells: counted('班次', 'Shifts'),
  orders: counted('收款笔数', 'Receipts'),
  paidFen: fen('实收', 'Paid'),
})
/** A collector's position, for a reader who may see it. */
const Position = entity({
  at: instant('定位时间', 'Position time'),
  lng: degrees('经度', 'Longitude'),
  lat: degrees('纬度', 'Latitude', 90),
  inFence: orNone(yes('在围栏内', 'In geofence')),
})
export const CollectorDetail = entity({
  ...CollectorNow.properties,
  cashHeldFen: orNone(fen('手持现金', 'Cash held')),
  shiftNo: orNone(text('收银班次号', 'Cash shift', { max: 40 })),
  month: shaped('本月', 'This month', MonthFigures),
  warnings: counted('未处理预警', 'Open warnings'),
  position: orNone(shaped('位置', 'Position', Position)),
})
const view = { service: 'business', needs: 'staff:toll:view' } as const
const edit = { service: 'business', needs: 'staff:toll:edit', writes: true } as const
const query = call('staff.toll.page-query', {
  ...view,
  post: '/api/staff/toll/pageQuery',
  body: paged(collectorSearch),
  reply: pageOf(CollectorNow),
})
const tollEdit = { service: 'business', needs: 'staff:toll:edit' } as const
const add = importOf('staff.toll.toll-import', {
  ...tollEdit,
  post: '/api/staff/toll/tollImport',
  title: ['收费员', 'Collectors'],
  row: CollectorRow,
  unique: 'tollNo',
  note: [
    '工号已存在的修改，没有的新增；离职人员不会因导入而复职。',
    'Existing staff numbers are updated, others added; an import does not reinstate staff who have left.',
  ],
})
/** At most so many are written to at once. */
const TOLD_MAX = 2_000

export const toll = {
  query,
  /** Those employed, for pickers. */
  pick: call('staff.toll.query', {
    ...view,
    post: '/api/staff/toll/query',
    form: message({}, { tollType, groupId, parkCode, keyword: text('关键字', 'Keyword', { max: 40 }) }),
    reply: listOf(Picked),
  }),
  save: call('staff.toll.save', {
    ...edit,
    post: '/api/staff/toll/save',
    does: ['新增收费员', 'Added a collector'],
    body: message({ tollNo, name, tollType, parkCode }, written),
    reply: nothing,
  }),
  /** `onJob` 1 brings somebody back who had left. */
  update: call('staff.toll.update', {
    ...edit,
    post: '/api/staff/toll/update',
    does: ['修改收费员', 'Changed a collector'],
    body: message(pick(Collector, 'id', 'version').properties, { tollNo, name, tollType, parkCode, ...written, onJob: Collector.properties.onJob }),
    reply: nothing,
  }),
  /** Deletes a collector who never worked; one who has worked is kept as left. The answer says which it was. */
  delete: call('staff.toll.delete', {
    ...edit,
    post: '/api/staff/toll/delete',
    does: ['删除收费员', 'Removed a collector'],
    query: message({ id: Collector.properties.id }),
    reply: message({ left: yes('已转为离职', 'Marked as left') }),
  }),
  detail: call('staff.toll.toll-detail', { ...view, post: '/api/staff/toll/tollDetail', body: message({ tollNo }), reply: CollectorDetail }),
  import: add,
  template: templateOf('staff.toll.import-template', { ...tollEdit, get: '/api/staff/toll/importTemplate' }),
  export: exportOf('staff.toll.page-query-export', {
    ...view,
    get: '/api/staff/toll/pageQueryExport',
    title: ['收费员', 'Collectors'],
    query,
    columns: ['tollNo', 'name', 'tollType', 'parkCode', parkName, 'phone', 'groupName', 'pdaNo', 'username', 'onJob', 'remark', 'createdAt'],
  }),
  /** Inside the console and on their handheld; who is off duty gets it at the next check-in, unless it is urgent. */
  message: call('staff.toll.toll-message', {
    service: 'business',
    needs: 'staff:toll:message',
    writes: true,
    post: '/api/staff/toll/tollMessage',
    does: ['通知收费员', 'Notified collectors'],
    body: message(
      { title: text('标题', 'Title', { max: 60 }), content: text('内容', 'Content', { max: 500 }) },
      { tollNos: shaped('工号', 'Staff numbers', listOf(tollNo, { max: TOLD_MAX })), tollType, groupId, urgent: yes('紧急', 'Urgent') },
    ),
    reply: message({
      taskId: id('任务编号', 'Task'),
      sent: counted('已发送', 'Sent'),
      waiting: counted('待上班', 'Waiting'),
      skipped: shaped('未发送', 'Skipped', listOf(tollNo)),
    }),
  }),
}
