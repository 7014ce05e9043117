import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { repairMenu } from './repairMenu.ts'

const looks = ['inspection:task:view', 'inspection:rule:view', 'parking:park:view', 'staff:toll:view'] as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/operation/maintain/statistics',
    'MaintainStatisticsScreen',
    ['运维统计', 'Maintenance statistics'],
    ['inspection:statistics:view', 'inspection:result:view', 'parking:park:view'],
  ),
  screen(
    '/operation/maintain/rules',
    'PatrolRuleScreen',
    ['巡检规则', 'Patrol rules'],
    ['inspection:rule:view', 'parking:park:view'],
    [{ code: 'edit', name: ['设置规则与车场', 'Set up rules and their car parks'], needs: 'inspection:rule:edit' }],
  ),
  screen(
    '/operation/maintain/rostering',
    'PatrolTaskScreen',
    ['巡检排班', 'Inspection schedules'],
    [...looks],
    [{ code: 'edit', name: ['安排、调整、导入任务', 'Plan, change and import tasks'], needs: 'inspection:task:edit' }],
  ),
  screen(
    '/operation/maintain/inspectionRecord',
    'InspectionRecordScreen',
    ['巡检记录', 'Inspection records'],
    ['inspection:record:view', 'inspection:result:view', 'parking:park:view'],
    [{ code: 'add', name: ['提交巡检', 'Submit patrol'], needs: 'inspection:record:add', type: ButtonType.primary }],
  ),
  ...repairMenu,
]
