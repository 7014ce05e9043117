import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { SEES_WHOLE } from '../../../platform/contract/personal.ts'

const looks = ['after-sale:order:view', 'parking:park:view'] as const
const add = { code: 'add', name: ['新建与修改工单', 'Create and change work orders'], needs: 'after-sale:order:add' } as const
const assign = { code: 'assign', name: ['分派', 'Assign'], needs: 'after-sale:order:assign' } as const
const handle = { code: 'handle', name: ['处理', 'Handle work orders'], needs: 'after-sale:order:handle' } as const
const remind = { code: 'remind', name: ['催办', 'Remind'], needs: 'after-sale:order:remind' } as const
const manage = { code: 'manage', name: ['查看全部、删除', 'View all, delete'], needs: 'after-sale:order:manage' } as const
/** The permission to call customers back: it shows the whole number, and no screen of the staff. */
const whole = { code: 'whole', name: ['查看完整的手机号、邮箱', 'View full phone numbers and e-mails'], needs: SEES_WHOLE } as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/operation/afterSale/dashboard',
    'AfterSaleDashboardScreen',
    ['售后概览', 'After-sales dashboard'],
    [...looks, 'after-sale:suggestion:view'],
  ),
  screen(
    '/operation/afterSale/feedback',
    'FeedbackScreen',
    ['投诉建议', 'Feedback'],
    ['after-sale:suggestion:view', 'parking:park:view'],
    [
      { code: 'edit', name: ['登记与回复', 'Record and reply'], needs: 'after-sale:suggestion:edit' },
      { code: 'delete', name: ['删除', 'Delete'], needs: 'after-sale:suggestion:delete', type: ButtonType.danger },
    ],
  ),
  screen(
    '/operation/afterSale/order/all',
    'AllOrdersScreen',
    ['全部工单', 'All work orders'],
    [...looks],
    [add, assign, handle, remind, manage, whole],
  ),
  screen('/operation/afterSale/order/create', 'CreateOrderScreen', ['新建工单', 'Create work order'], [...looks], [add, assign, whole]),
  screen('/operation/afterSale/order/deal', 'DealOrdersScreen', ['我的工单', 'My work orders'], [...looks, 'after-sale:case:view'], [handle, whole]),
  screen(
    '/operation/afterSale/return',
    'ReturnVisitScreen',
    ['回访管理', 'Follow-ups'],
    ['after-sale:interview:view', 'parking:park:view'],
    [{ code: 'edit', name: ['计划与登记回访', 'Plan and record interviews'], needs: 'after-sale:interview:edit' }],
  ),
  screen('/operation/afterSale/evaluate', 'EvaluateScreen', ['服务评价', 'Evaluations'], [...looks, 'after-sale:interview:view']),
  screen(
    '/operation/afterSale/case',
    'CaseScreen',
    ['案例库', 'Standard answers'],
    ['after-sale:case:view'],
    [{ code: 'edit', name: ['编写案例', 'Write cases'], needs: 'after-sale:case:edit' }],
  ),
]
