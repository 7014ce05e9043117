import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Kanban } from '../../../platform/web/list/Kanban.tsx'
import { useFrames } from '../../../platform/web/live.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { Level } from '../contract/level.ts'
import { Handling, OPEN_STATES, orderCan, OrderState, SlaState, workOrder } from '../contract/workOrder.ts'
import { ORDER_CHANGES } from './changes.ts'
import { type Doing, OrderDialog, type Row } from './OrderDialogs.tsx'

type StateCode = Row['state']
const { unassigned, assigned, working, waiting, solved, returned, reopened, closed } = OrderState
const COLUMNS: readonly StateCode[] = [unassigned, returned, reopened, assigned, working, waiting, solved]
/** More cards than these are a list. */
const CARDS = 200
/** The step that takes a card to a column; assigning is a step of its own. */
const STEPS: Readonly<Partial<Record<StateCode, Exclude<keyof typeof Handling, 'name' | 'label' | 'entries'>>>> = {
  [working]: 'start',
  [waiting]: 'wait',
  [solved]: 'solve',
  [returned]: 'return',
  [closed]: 'close',
}

/** The orders that are open, as cards under their states: dragged to where they go next. */
export function OrderBoard({ turn }: { turn: ReactNode }) {
  const say = useText()
  const me = person.use()?.custId as string | undefined
  const act = useAct(ORDER_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const { data, error, refetch } = useQuery(
    asks(workOrder.query, { state: [...OPEN_STATES, solved], limit: CARDS, orderByColumn: 'dueAt', isAsc: true }),
  )
  useFrames('after-sale.order', () => void refetch())
  const leads = can(workOrder.delete.needs)
  const handles = (row: Row) => can(workOrder.handle.needs) && (leads || row.assigneeId === me)
  const stepTo = (row: Row, to: StateCode) => (row.state === waiting && to === working ? ('resume' as const) : STEPS[to])
  const mayGo = (row: Row): StateCode[] =>
    COLUMNS.filter((to) => {
      if (to === assigned) return can(workOrder.assign.needs) && orderCan.assign(row.state) !== undefined && row.state !== assigned
      const step = stepTo(row, to)
      return step !== undefined && step !== 'close' && handles(row) && orderCan[step](row.state) === to
    })
  const move = (row: Row, to: StateCode) => {
    const step = stepTo(row, to)
    if (to === assigned) setDoing({ what: 'assign', rows: [row] })
    else if (step === 'start' || step === 'resume') void act(workOrder.handle, { id: row.id, version: row.version, event: Handling[step] })
    else if (step) setDoing({ what: 'handle', of: row, event: Handling[step] })
  }
  return (
    <div className="page">
      <PageHead purpose={['未关闭的工单，按状态排列，最急的在上', 'Open work orders by status, most urgent first']}>
        <span className="push" />
        {turn}
      </PageHead>
      {error ? <Failed error={error as Refusal} retry={() => void refetch()} /> : !data && <Waiting />}
      {data && data.total > data.records.length && (
        <p className="faint">{say([`只显示最急的 ${CARDS} 个，其余见列表`, `Only the ${CARDS} most urgent are shown; see the list for the rest`])}</p>
      )}
      {data && (
        <Kanban
          label={['工单看板', 'Work order board']}
          rows={data.records}
          keyOf={({ id }) => id}
          states={OrderState}
          columns={COLUMNS}
          stateOf={({ state }) => state}
          mayGo={mayGo}
          onMove={move}
          nameOf={({ orderNo, title }) => `${orderNo} ${title}`}
          card={(row) => <Card of={row} />}
        />
      )}
      {doing && <OrderDialog doing={doing} onClose={() => setDoing(undefined)} />}
    </div>
  )
}
const Card = ({ of }: { of: Of<typeof workOrder.query.reply>['records'][number] }) => (
  <>
    <Link to={`/operation/afterSale/order/all/${of.id}`}>{of.title}</Link>
    <div>
      <State dictionary={SlaState} value={of.slaState} /> <State dictionary={Level} value={of.level} />
    </div>
    <div className="faint">
      {of.assigneeName} <Time at={of.dueAt} />
    </div>
  </>
)
