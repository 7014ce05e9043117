import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { tickedSome } from '../../../platform/web/list/selection.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { ASSIGN_MAX, Box, Handling, orderCan, orderSearch, OrderState, SlaState, workOrder } from '../contract/workOrder.ts'
import { ORDER_CHANGES } from './changes.ts'
import { type Doing, OrderDialog, type Row } from './OrderDialogs.tsx'
import { OrderHead, OrderStory } from './OrderStory.tsx'

type BoxCode = NonNullable<Of<typeof workOrder.query.input>['box']>
interface Props {
  purpose: Text
  /** The boxes that one may look into here; the first is open. */
  boxes: readonly BoxCode[]
  /** The buttons that lead here, most wanted first. */
  acts: (row: Row, act: Acts) => RowAction[]
  columns: readonly Column<Row>[]
  hidden?: readonly (keyof Row & string)[]
  roomy?: readonly (keyof Row & string)[]
  adds?: boolean
  assigns?: boolean
  above?: ReactNode
  empty: Text
}
const NOT_NOW: Text = ['当前状态不能操作', 'Not possible in its current state']
const NOT_MINE: Text = ['由处理人或主管操作', 'Only for its handler or a supervisor']
const NOT_TAKEN: Text = ['由建单人或主管操作', 'Only for its creator or a supervisor']
type Move = Exclude<keyof typeof Handling, 'name' | 'label' | 'entries'>
const OF_HANDLER: readonly string[] = ['start', 'wait', 'resume', 'solve', 'return'] satisfies Move[]
export interface Acts {
  handle(move: Move): RowAction
  assign: RowAction
  edit: RowAction
  remind: RowAction
  remove: RowAction
}

/** The acts on one order, with the reason where one is not possible now. */
function useActs(open: (doing: Doing) => void): (row: Row) => Acts {
  const act = useAct(ORDER_CHANGES)
  const remove = useRemove(ORDER_CHANGES)
  const me = person.use()?.custId as string | undefined
  const leads = can(workOrder.delete.needs)
  return (row) => {
    const barred = (move: keyof typeof orderCan, mine: string | null, who: Text): Text | undefined =>
      orderCan[move](row.state) === undefined ? NOT_NOW : leads || mine === me ? undefined : who
    return {
      handle: (move) => ({
        text: Handling.entries[Handling[move]] as Text,
        needs: workOrder.handle.needs,
        // An act that needs no words is done at once.
        run: () =>
          move === 'start' || move === 'resume'
            ? void act(workOrder.handle, { id: row.id, version: row.version, event: Handling[move] }, { done: ['已登记', 'Recorded'] })
            : open({ what: 'handle', of: row, event: Handling[move] }),
        not: OF_HANDLER.includes(move) ? barred(move, row.assigneeId, NOT_MINE) : barred(move, row.creatorId, NOT_TAKEN),
      }),
      assign: {
        text: row.assigneeId ? ['改派', 'Reassign'] : ['分派', 'Assign'],
        needs: workOrder.assign.needs,
        run: () => open({ what: 'assign', rows: [row] }),
        not: orderCan.assign(row.state) === undefined && NOT_NOW,
      },
      edit: {
        text: Label.edit,
        needs: workOrder.update.needs,
        run: () => open({ what: 'edit', of: row }),
        not: barred('change', row.creatorId, NOT_TAKEN),
      },
      remind: {
        text: ['催办', 'Remind'],
        needs: workOrder.remindPost.needs,
        run: () => void act(workOrder.remindPost, { id: row.id }, { done: ['已催办', 'Reminded'] }),
        not: orderCan.remind(row.state) === undefined && NOT_NOW,
      },
      remove: {
        ...deleting(remove, workOrder.delete, { id: row.id, version: row.version }, `${row.orderNo} ${row.title}`),
        not: orderCan.delete(row.state) === undefined && ['只有待分派和已取消的可以删除', 'Only unassigned or cancelled work orders'],
      },
    }
  }
}

export const useParkColumn = () => {
  const say = useText()
  return {
    dataIndex: 'parkCode' as const,
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: { parkCode: string | null }) => <ParkName code={row.parkCode} />,
  }
}

/** A list of work orders, with what is done to them; each screen opens other boxes and other buttons first. */
export function Orders({ purpose, boxes, acts, columns, hidden = [], roomy = [], adds, assigns, above, empty }: Props) {
  const [box, setBox] = useState<BoxCode>(boxes[0]!)
  const [doing, setDoing] = useState<Doing>()
  const actsOf = useActs(setDoing)
  const buttons = (row: Row) => acts(row, actsOf(row))
  const mayAssign = assigns && can(workOrder.assign.needs)
  return (
    <>
      <ListScreen
        key={box}
        purpose={purpose}
        query={workOrder.query}
        search={orderSearch}
        {...(above !== undefined && { above })}
        only={{ box } as never}
        find={[
          'state',
          'plateNo',
          findPark,
          'contact',
          'type',
          'level',
          'slaState',
          'title',
          'orderNo',
          'assigneeName',
          'creatorName',
          'source',
          'respondState',
          'createdAt',
          'dueAt',
          'reopens',
        ]}
        sum={{
          figures: [
            { text: ['超时', 'overdue'], leads: { slaState: [SlaState.over] } },
            { text: ['预警', 'due soon'], leads: { slaState: [SlaState.near] } },
            { text: ['待客户确认', 'to be confirmed'], leads: { state: [OrderState.solved] } },
          ],
        }}
        columns={columns}
        hidden={hidden}
        roomy={roomy}
        live="after-sale.order"
        ticks={Boolean(mayAssign)}
        {...(adds && { add: { call: workOrder.add, open: () => setDoing({ what: 'new' }), text: ['新建工单', 'New work order'] as Text } })}
        toolbar={({ ticked }) => (
          <>
            {boxes.length > 1 && <Boxes of={boxes} shown={box} onShow={setBox} />}
            {mayAssign && <AssignTicked ticked={ticked} assign={(rows) => setDoing({ what: 'assign', rows })} />}
          </>
        )}
        actions={buttons}
        detail={{
          call: workOrder.one,
          head: (row) => <OrderHead of={row} />,
          act: (row) => <Next actions={buttons(row)} />,
          body: (row) => <OrderStory of={row} />,
        }}
        empty={empty}
      />
      {doing && <OrderDialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Boxes({ of, shown, onShow }: { of: readonly BoxCode[]; shown: BoxCode; onShow: (box: BoxCode) => void }) {
  const say = useText()
  return <Segmented value={shown} onChange={onShow} options={of.map((one) => ({ value: one, label: say(Box.entries[one]) }))} />
}

/** Of more than can be assigned at once, the first. */
function AssignTicked({ ticked, assign }: { ticked: readonly Row[]; assign: (rows: readonly Row[]) => void }) {
  const say = useText()
  return <Button onClick={() => tickedSome(ticked) && assign(ticked.slice(0, ASSIGN_MAX))}>{say(['批量分派', 'Assign selected'])}</Button>
}

/** The next sensible thing to do with the order that is open. */
function Next({ actions }: { actions: readonly RowAction[] }) {
  const say = useText()
  const [first] = actions.filter(({ needs, not, danger }) => can(needs) && !not && !danger)
  return first ? (
    <Button type="primary" onClick={first.run}>
      {say(first.text)}
    </Button>
  ) : null
}
