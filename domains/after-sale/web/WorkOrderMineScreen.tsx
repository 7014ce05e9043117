import { Box, OrderState } from '../contract/workOrder.ts'
import { Orders, useParkColumn } from './Orders.tsx'

/** My work orders, the most urgent first; they are solved with the answers of standard cases. */
export default function WorkOrderMineScreen() {
  const park = useParkColumn()
  return (
    <Orders
      purpose={[
        '分派给我的工单：开始、等待客户、解决或退回；解决时可引用案例库的答复',
        'Work orders assigned to me: start, wait for the customer, solve or return; answers can be taken from standard cases',
      ]}
      boxes={[Box.todo, Box.done]}
      columns={[
        'dueAt',
        'slaState',
        'level',
        'title',
        'type',
        'state',
        park,
        'contactName',
        'contact',
        'plateNo',
        'orderNo',
        'respondDueAt',
        'respondState',
        'createdAt',
        'solvedAt',
        'score',
      ]}
      hidden={['respondDueAt', 'respondState', 'solvedAt', 'score', 'orderNo']}
      roomy={['contactName', 'createdAt', 'plateNo']}
      acts={(row, act) => {
        const { start, resume, ...rest } = {
          start: act.handle('start'),
          resume: act.handle('resume'),
          wait: act.handle('wait'),
          solve: act.handle('solve'),
          back: act.handle('return'),
        }
        const first = row.state === OrderState.waiting ? [resume] : row.state === OrderState.assigned ? [start, rest.back] : [rest.solve, rest.wait]
        const others = [start, rest.solve, rest.wait, resume, rest.back].filter((one) => !first.includes(one))
        // Possible actions come before those that are not.
        return [...first, ...others.toSorted((a, b) => Number(Boolean(a.not)) - Number(Boolean(b.not)))]
      }}
      empty={['没有待您处理的工单', 'No work orders for you to handle']}
    />
  )
}
