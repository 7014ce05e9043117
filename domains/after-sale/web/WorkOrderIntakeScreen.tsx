import { can } from '../../../platform/web/person.ts'
import { Box, workOrder } from '../contract/workOrder.ts'
import { Orders, useParkColumn } from './Orders.tsx'

/** Orders are taken in, and those that nobody has are given to somebody. */
export default function WorkOrderIntakeScreen() {
  const park = useParkColumn()
  const first = can(workOrder.assign.needs) ? [Box.unassigned, Box.mine] : [Box.mine, Box.unassigned]
  return (
    <Orders
      purpose={[
        '受理客户来电来访：先看以往记录，再建单；待分派的在这里分给处理人',
        'Take customer calls and visits: check earlier records, then create a work order; unassigned ones are assigned here',
      ]}
      boxes={first as [1, 4]}
      adds
      assigns
      columns={[
        'orderNo',
        'title',
        'type',
        'level',
        'state',
        'slaState',
        'respondDueAt',
        park,
        'contactName',
        'contact',
        'plateNo',
        'assigneeName',
        'source',
        'creatorName',
        'createdAt',
        'dueAt',
      ]}
      hidden={['plateNo', 'source', 'dueAt', 'assigneeName', 'creatorName']}
      roomy={['orderNo', 'respondDueAt', 'contactName', 'parkCode']}
      acts={(_, act) => [act.assign, act.edit, act.handle('close'), act.handle('reopen'), act.handle('cancel'), act.remind]}
      empty={['没有待分派的工单', 'No work orders to assign']}
    />
  )
}
