import { call } from '../../../platform/contract/call.ts'
import { day, empty, entity, listOf, shaped, text, whole } from '../../../platform/contract/field.ts'

const Opened = entity({
  name: text('菜单', 'Screen', { max: 100 }),
  nameEn: text('英文名称', 'English name', { max: 100 }),
  path: text('地址', 'Address', { max: 200 }),
  times: whole('打开次数', 'Times opened'),
})
/** Figures of identity about the use of the console. */
export const Use = entity({
  people: whole('用户数', 'Users'),
  locked: whole('锁定用户', 'Locked'),
  roles: whole('角色数', 'Roles'),
  online: whole('在线用户', 'Users online'),
  opened: shaped('常用菜单', 'Most used pages', listOf(Opened)),
})
const Day = entity({
  day: day('日期', 'Day'),
  signIns: whole('登录次数', 'Sign-ins'),
  refused: whole('登录失败', 'Failed sign-ins'),
  people: whole('登录人数', 'Users'),
  operations: whole('操作次数', 'Operations'),
})
const Busy = entity({ name: text('操作人', 'Operator', { max: 100 }), operations: whole('操作次数', 'Operations') })
/** The last 14 days of the enterprise, today included. */
export const Overview = entity({
  ...Use.properties,
  days: shaped('每日', 'By day', listOf(Day)),
  busiest: shaped('操作最多', 'Most active', listOf(Busy)),
  files: whole('文件数', 'Files'),
  fileBytes: whole('文件容量', 'File size', { max: Number.MAX_SAFE_INTEGER }),
})

export const overview = {
  applicationOverview: call('system.overview.application-overview', {
    service: 'business',
    post: '/system/applicationOverview',
    needs: 'system:overview:view',
    query: empty,
    reply: Overview,
  }),
}
