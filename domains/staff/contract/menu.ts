import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const looks = ['staff:toll:view', 'staff:group:view', 'staff:shift:view', 'parking:park:view'] as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen('/assetManage/person/dashboard', 'StaffDashboardScreen', ['人员概览', 'Staff dashboard'], ['staff:attendance:view', ...looks]),
  screen(
    '/assetManage/person/staff',
    'CollectorScreen',
    ['收费员管理', 'Collectors'],
    [...looks],
    [
      { code: 'edit', name: ['新增、修改、导入、离职', 'Add, change, import, mark as left'], needs: 'staff:toll:edit' },
      { code: 'message', name: ['通知', 'Notify'], needs: 'staff:toll:message' },
    ],
  ),
  screen(
    '/assetManage/person/device',
    'HandheldScreen',
    ['人员设备', 'Staff devices'],
    ['device:device:view', ...looks],
    [
      { code: 'edit', name: ['绑定、解绑、锁定手持机', 'Issue, take back, lock handhelds'], needs: 'staff:handheld:edit' },
      { code: 'log', name: ['查看手持机日志', 'View handheld logs'], needs: 'system:pda-log:view' },
    ],
  ),
  screen(
    '/assetManage/person/rostering/team',
    'WorkGroupScreen',
    ['班组管理', 'Work groups'],
    [...looks],
    [{ code: 'edit', name: ['设置班组', 'Set up groups'], needs: 'staff:group:edit' }],
  ),
  screen(
    '/assetManage/person/rostering/staff',
    'RosterScreen',
    ['人员排班', 'Staff rostering'],
    ['staff:roster:view', ...looks],
    [{ code: 'edit', name: ['排班', 'Edit the roster'], needs: 'staff:roster:edit' }],
  ),
  screen(
    '/assetManage/person/rostering/config',
    'WorkShiftScreen',
    ['班次配置', 'Shift configuration'],
    ['staff:shift:view'],
    [{ code: 'edit', name: ['设置班次', 'Set up shifts'], needs: 'staff:shift:edit' }],
  ),
  screen(
    '/assetManage/person/attendance/record',
    'AttendanceScreen',
    ['考勤记录', 'Attendance records'],
    ['staff:roster:view', 'staff:attendance:view', ...looks],
    [
      { code: 'location', name: ['查看上报地点', 'View report locations'], needs: 'staff:location:view' },
      {
        code: 'requests',
        name: ['查看请假、调班、替班、补卡申请', 'View requests for leave, swaps, stand-ins and missed punches'],
        needs: 'staff:request:view',
        at: '?tab=requests',
      },
      { code: 'apply', name: ['提交与答复申请', 'Submit and answer requests'], needs: 'staff:request:apply', at: '?tab=requests' },
      { code: 'decide', name: ['审批申请', 'Decide requests'], needs: 'staff:request:decide', at: '?tab=requests' },
    ],
  ),
  screen(
    '/assetManage/person/attendance/statistics',
    'AttendanceStatisticsScreen',
    ['考勤统计', 'Attendance statistics'],
    ['staff:attendance:view', ...looks],
    [
      { code: 'run', name: ['重新计算', 'Recalculate'], needs: 'staff:attendance:run' },
      { code: 'close', name: ['锁定月份', 'Close month'], needs: 'staff:attendance:close' },
      { code: 'card', name: ['打卡', 'Clock in/out'], needs: 'staff:card:add' },
    ],
  ),
  screen(
    '/assetManage/person/statistics/today',
    'StaffTodayScreen',
    ['今日统计', 'Today’s statistics'],
    ['staff:location:view', 'staff:log:view', ...looks],
  ),
  screen(
    '/assetManage/person/statistics/history',
    'WorkLogScreen',
    ['历史统计', 'History statistics'],
    ['staff:log:view', ...looks],
    [
      { code: 'write', name: ['填写自己的日志', 'Write own log'], needs: 'staff:log:write' },
      { code: 'review', name: ['点评日志', 'Rate logs'], needs: 'staff:log:review' },
    ],
  ),
  screen(
    '/assetManage/person/alarm/record',
    'WorkWarningScreen',
    ['预警记录', 'Warning records'],
    ['staff:warning:view', ...looks],
    [{ code: 'handle', name: ['处理预警', 'Handle warnings'], needs: 'staff:warning:handle' }],
  ),
  screen('/assetManage/person/alarm/statistics', 'WarningStatisticsScreen', ['预警统计', 'Warning statistics'], ['staff:warning:view', ...looks]),
  screen(
    '/assetManage/person/alarm/config',
    'WorkWarningRuleScreen',
    ['预警配置', 'Warning configuration'],
    ['staff:warning-rule:view'],
    [{ code: 'edit', name: ['设置规则', 'Set rules'], needs: 'staff:warning-rule:edit' }],
  ),
  screen('/assetManage/person/till', 'MyTillScreen', ['我的收银班次', 'My cash shift'], ['settlement:order:cash']),
  screen(
    '/assetManage/person/charging',
    'CollectionScreen',
    ['收款统计', 'Cash and receipts'],
    ['staff:money:view', ...looks],
    [
      { code: 'shift', name: ['查看收银班次', 'View cash shifts'], needs: 'settlement:shift:view' },
      { code: 'cash', name: ['开班、上缴、交班、接班', 'Open, deposit, close, take over shifts'], needs: 'settlement:order:cash' },
      { code: 'settle', name: ['处理差异', 'Settle difference'], needs: 'settlement:shift:settle' },
      { code: 'verify', name: ['核验', 'Verify'], needs: 'settlement:shift:verify' },
    ],
  ),
]
