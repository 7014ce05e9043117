import { Segmented } from 'antd'
import { useState } from 'react'
import { useText } from '../../../platform/web/text.ts'
import { Box } from '../contract/workOrder.ts'
import { OrderBoard } from './OrderBoard.tsx'
import { Orders, useParkColumn } from './Orders.tsx'

/** Every order that one may see, as a list or as cards under their states. */
export default function WorkOrderScreen() {
  const say = useText()
  const park = useParkColumn()
  const [shown, show] = useState<'list' | 'board'>('list')
  const turn = (
    <Segmented
      value={shown}
      onChange={show}
      options={[
        { value: 'list', label: say(['列表', 'List']) },
        { value: 'board', label: say(['看板', 'Board']) },
      ]}
    />
  )
  if (shown === 'board') return <OrderBoard turn={turn} />
  return (
    <Orders
      purpose={['全部工单：分派、改派、催办，盯住时限', 'All work orders: assign, reassign, send reminders and watch time limits']}
      boxes={[Box.all, Box.overdue, Box.unassigned, Box.mine]}
      above={<div className="line-buttons">{turn}</div>}
      columns={[
        'orderNo',
        'title',
        'level',
        'state',
        'slaState',
        'dueAt',
        'type',
        'assigneeName',
        park,
        'plateNo',
        'contactName',
        'contact',
        'creatorName',
        'source',
        'createdAt',
        'respondState',
        'respondDueAt',
        'solvedAt',
        'closedAt',
        'reopens',
        'score',
        'relatedNo',
        'deviceNo',
      ]}
      hidden={[
        'parkCode',
        'contactName',
        'contact',
        'creatorName',
        'source',
        'respondState',
        'respondDueAt',
        'solvedAt',
        'closedAt',
        'reopens',
        'relatedNo',
        'deviceNo',
        'score',
        'plateNo',
      ]}
      roomy={['orderNo', 'parkCode', 'type', 'createdAt']}
      assigns
      acts={(_, act) => [act.assign, act.remind, act.handle('close'), act.handle('reopen'), act.handle('cancel'), act.edit, act.remove]}
      empty={['还没有工单', 'No work orders yet']}
    />
  )
}
