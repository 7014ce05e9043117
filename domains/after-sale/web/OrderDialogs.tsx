import { plural } from '../../../platform/contract/plural.ts'
import { Modal } from 'antd'
import { useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CHOOSE, ParkSelect } from '../../parking/web/api/names.tsx'
import { Handling, isObjection, OF_MONEY, WorkOrder, workOrder, OrderSource } from '../contract/workOrder.ts'
import { Level } from '../contract/level.ts'
import { ORDER_CHANGES } from './changes.ts'
import { CallerBefore, CannedAnswers, CaseSelect, HandlerSelect, RemedySelect } from './pickers.tsx'

export type Row = Of<typeof WorkOrder>
type HandlingCode = Of<typeof workOrder.handle.input>['event']
export type Doing =
  { what: 'new' | 'edit'; of?: Row | undefined } | { what: 'assign'; rows: readonly Row[] } | { what: 'handle'; of: Row; event: HandlingCode }

const half = true
/** The customer and their car: the agent hears these first. */
const CUSTOMER = [
  { name: 'contact', optional: true, half, section: ['客户与车辆', 'Customer and car'] as Text },
  { name: 'plateNo', optional: true, half },
  { name: 'contactName', optional: true, half },
  { name: 'parkCode', label: ['车场', 'Car park'] as Text, optional: true, half, control: <ParkSelect empty={CHOOSE} /> },
] as const
const MATTER = [
  { name: 'title', section: ['事项', 'Matter'] as Text },
  { name: 'type', half },
  {
    name: 'level',
    half,
    help: [
      '紧急 15 分钟响应、4 小时解决，昼夜计时；高 0.5/8，中 2/24，低 4/40 工作小时',
      'Urgent: respond in 15 min, solve in 4 h, around the clock; high 0.5/8, medium 2/24, low 4/40 working hours',
    ] as Text,
  },
  'content',
  { name: 'images', optional: true },
  {
    name: 'relatedNo',
    optional: true,
    half,
    help: ['退款与计费争议请填写，解决时据此关联退款或减免', 'For refunds and fee disputes: used to find the refund or waiver when solving'] as Text,
  },
  { name: 'deviceNo', optional: true, half },
] as const

/** The dialogs of acts on orders. */
export function OrderDialog({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  const shared = { changes: ORDER_CHANGES, onClose }
  if (doing.what === 'assign') return <Assign rows={doing.rows} onClose={onClose} />
  if (doing.what === 'handle') return <Handle of={doing.of} event={doing.event} onClose={onClose} />
  if (doing.what === 'edit')
    return (
      <FormDialog
        {...shared}
        title={[`修改工单 ${doing.of!.orderNo}`, `Edit work order ${doing.of!.orderNo}`]}
        entity={WorkOrder}
        mode="edit"
        value={doing.of!}
        save={workOrder.update}
        done={['已保存；级别有变时限从建单重新计算', 'Saved; if the level changed, time limits are recalculated from creation']}
        fields={[...CUSTOMER, ...MATTER]}
      />
    )
  return (
    <FormDialog
      {...shared}
      title={['新建工单', 'New work order']}
      entity={workOrder.add.input}
      mode="new"
      value={{ level: Level.middle, source: OrderSource.telephone }}
      save={workOrder.add}
      act={['建单', 'Create']}
      done={['工单已建立', 'Work order created']}
      fields={[
        ...CUSTOMER.map((one) => (one.name === 'plateNo' ? { ...one, under: <CallerBefore /> } : one)),
        { name: 'source', half },
        ...MATTER,
        {
          name: 'assigneeId',
          optional: true,
          control: <HandlerSelect />,
          help: ['不选则进入待分派', 'If empty, it waits to be assigned'],
          section: ['分派', 'Assignment'],
        },
      ]}
    />
  )
}

/** Assigns orders to one person; the result of each is shown where not all went well. */
function Assign({ rows, onClose }: { rows: readonly Row[]; onClose: () => void }) {
  const say = useText()
  const [outcomes, setOutcomes] = useState<Of<typeof workOrder.assign.reply>>()
  const refused = useRef(false)
  const one = rows.length === 1 ? rows[0] : undefined
  const title: Text = one
    ? [`分派 ${one.orderNo}`, `Assign ${one.orderNo}`]
    : [`分派 ${rows.length} 个工单`, `Assign ${rows.length} ${plural(rows.length, 'work order')}`]
  if (outcomes)
    return (
      <Modal open title={say(title)} footer={null} onCancel={onClose} width={640}>
        <table className="lines">
          <tbody>
            {outcomes.map(({ id, orderNo, done, zh, en }) => (
              <tr key={id}>
                <td>{orderNo}</td>
                <td>
                  <span className={`state ${done ? 'success' : 'error'}`}>{say([zh, en])}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Modal>
    )
  return (
    <FormDialog
      title={title}
      entity={workOrder.assign.input}
      mode="new"
      value={{ ids: rows.map(({ id }) => id) }}
      save={workOrder.assign}
      act={title}
      done={['已提交分派', 'Assigned']}
      changes={ORDER_CHANGES}
      fields={[
        { name: 'assigneeId', control: <HandlerSelect /> },
        { name: 'opinion', optional: true },
      ]}
      onSaved={(reply) => {
        const all = reply as Of<typeof workOrder.assign.reply>
        refused.current = all.some(({ done }) => !done)
        if (refused.current) setOutcomes(all)
      }}
      onClose={() => refused.current || onClose()}
    />
  )
}

const WORDS: Record<HandlingCode, { done: Text; help?: Text }> = {
  [Handling.start]: { done: ['已开始处理', 'Started'] },
  [Handling.wait]: {
    done: ['已转为等待客户，时限暂停', 'Waiting for customer: the time limit is paused'],
    help: ['写明等客户提供什么', 'State what the customer needs to provide'],
  },
  [Handling.resume]: { done: ['继续处理，时限已顺延', 'Resumed: the time limit is extended'] },
  [Handling.solve]: {
    done: ['已解决，待客户确认', 'Solved, waiting for the customer’s confirmation'],
    help: ['写明怎样解决', 'State how it was solved'],
  },
  [Handling.return]: { done: ['已退回调度', 'Returned to dispatch'], help: ['写明为什么不该由您处理', 'State why you should not handle it'] },
  [Handling.close]: { done: ['已关闭', 'Closed'] },
  [Handling.reopen]: { done: ['已重开', 'Reopened'], help: ['写明为什么重开', 'State why it is reopened'] },
  [Handling.cancel]: { done: ['已取消', 'Cancelled'], help: ['写明为什么取消', 'State why it is cancelled'] },
}
/** Steps whose words a driver who objected to a bill reads there. */
const READ: readonly number[] = [Handling.wait, Handling.solve, Handling.cancel]
const READ_BY_DRIVER: Text = ['车主会在账单上看到这段话', 'The driver reads this with the bill']
const WITHOUT_WORDS: readonly number[] = [Handling.start, Handling.resume, Handling.close]
function Handle({ of, event, onClose }: { of: Row; event: HandlingCode; onClose: () => void }) {
  const [zh, en] = Handling.entries[event]
  const { done, help } = WORDS[event]
  const helps = [...(help ? [help] : []), ...(isObjection(of) && READ.includes(event) ? [READ_BY_DRIVER] : [])]
  const solves = event === Handling.solve
  const money = solves && OF_MONEY.includes(of.type)
  return (
    <FormDialog
      title={[`${zh} · ${of.orderNo} ${of.title}`, `${en} · ${of.orderNo} ${of.title}`]}
      entity={workOrder.handle.input}
      mode="new"
      value={{ id: of.id, version: of.version, event }}
      save={workOrder.handle}
      act={[zh, en]}
      done={done}
      changes={ORDER_CHANGES}
      fields={[
        ...(money
          ? [
              {
                name: 'finding' as const,
                optional: true,
                help: ['不成立，或成立并关联已通过的退款或减免', 'Not upheld, or upheld with an approved refund or waiver'] as Text,
              },
              { name: 'remedyId' as const, optional: true, control: <RemedySelect orderId={of.id} /> },
            ]
          : []),
        {
          name: 'opinion',
          optional: WITHOUT_WORDS.includes(event),
          ...(helps.length > 0 && { help: [helps.map(([one]) => one).join('；'), helps.map(([, one]) => one).join('. ')] as Text }),
          ...(solves && { under: <CannedAnswers category={of.type} /> }),
        },
        { name: 'images', optional: true },
        ...(solves ? [{ name: 'caseId' as const, optional: true, control: <CaseSelect category={of.type} /> }] : []),
      ]}
      onClose={onClose}
    />
  )
}
