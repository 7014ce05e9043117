import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Pictures, State } from '../../../platform/web/value.tsx'
import { CHOOSE, findPark, ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { Level } from '../contract/level.ts'
import { Suggestion, suggestion, suggestionCan, SuggestionKind, suggestionSearch, SuggestionState } from '../contract/suggestion.ts'
import { OrderType, workOrder, OrderSource } from '../contract/workOrder.ts'
import { SUGGESTION_CHANGES } from './changes.ts'
import { useDueColumn, useNow } from './due.tsx'
import { HandlerSelect } from './pickers.tsx'
import { useParkColumn } from './Orders.tsx'
import './afterSale.css'

type Row = Of<typeof Suggestion>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'decline' | 'reply' | 'close' | 'convert'; of: Row }
const UNANSWERED: readonly Row['state'][] = [SuggestionState.waiting, SuggestionState.accepted]
const NOT_NOW: Text = ['当前状态不能操作', 'Not possible in its current state']

/** Complaints, suggestions, praise and questions: accepted, answered, closed, or made into a work order. */
export default function SuggestionScreen() {
  const columns = useColumns()
  const now = useNow()
  const remove = useRemove(SUGGESTION_CHANGES)
  const act = useAct(SUGGESTION_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const open = (what: Exclude<Doing['what'], 'new'>, of: Row) => () => setDoing({ what, of })
  const not = (move: keyof typeof suggestionCan, row: Row) => suggestionCan[move](row.state) === undefined && NOT_NOW
  const accept = (row: Row) => void act(suggestion.accept, { id: row.id, version: row.version, accept: true }, { done: ['已受理', 'Accepted'] })
  const { needs } = suggestion.update
  return (
    <>
      <ListScreen
        purpose={[
          '客户的投诉、建议、表扬与咨询：1 个工作日受理，投诉 3 日、其他 5 日内回复',
          'Complaints, suggestions, praise and questions: accept within 1 working day, reply within 3 for complaints, 5 for the rest',
        ]}
        query={suggestion.query}
        search={suggestionSearch}
        exports={suggestion.export}
        find={['kind', 'state', 'createdAt', findPark, 'plateNo', 'phone', 'source', 'category', 'suggestNo', 'handlerName', 'result', 'replyDueAt']}
        sum={{
          figures: [
            { text: ['待受理', 'to be accepted'], leads: { state: [SuggestionState.waiting] } },
            { text: ['待回复', 'to be replied to'], leads: { state: [SuggestionState.accepted] } },
            { text: ['超时未回复', 'overdue'], leads: { state: [...UNANSWERED], replyDueAtTo: now } },
          ],
        }}
        columns={columns}
        hidden={['phone', 'plateNo', 'source', 'category', 'acceptDueAt', 'acceptedAt', 'repliedAt', 'result', 'orderNo', 'createdName']}
        roomy={['contactName', 'parkCode', 'createdAt']}
        add={{ call: suggestion.add, open: () => setDoing({ what: 'new' }), text: ['登记反馈', 'Record feedback'] }}
        actions={(row) => [
          row.state === SuggestionState.waiting
            ? { text: ['受理', 'Accept'], needs, run: () => accept(row) }
            : { text: ['回复', 'Reply'], needs, run: open('reply', row), not: not('reply', row) },
          row.state === SuggestionState.replied
            ? { text: ['办结', 'Close'], needs, run: open('close', row) }
            : { text: ['转工单', 'Convert'], needs, run: open('convert', row), not: not('convert', row) },
          { text: ['不受理', 'Decline'], needs, run: open('decline', row), not: not('decline', row) },
          { text: Label.edit, needs, run: open('edit', row), not: not('edit', row) },
          {
            ...deleting(remove, suggestion.delete, { id: row.id, version: row.version }, row.suggestNo),
            not: suggestionCan.delete(row.state) === undefined && ['只有待受理的可以删除', 'Only feedback not yet accepted'],
          },
        ]}
        history={{ kind: 'after_sale.suggestion', changes: SUGGESTION_CHANGES }}
        detail={{
          call: suggestion.one,
          head: (row) => (
            <>
              <State dictionary={SuggestionKind} value={row.kind} /> <State dictionary={SuggestionState} value={row.state} />{' '}
              <span className="faint">{row.suggestNo}</span>
            </>
          ),
          body: (row) => <Story of={row} />,
        }}
        empty={['还没有反馈', 'No feedback yet']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function useColumns(): Column<Row>[] {
  const park = useParkColumn()
  const due = useDueColumn('replyDueAt', ['回复时限', 'Reply by'], (row: Row) => UNANSWERED.includes(row.state))
  return [
    'suggestNo',
    'kind',
    'content',
    'state',
    due,
    park,
    'contactName',
    'phone',
    'plateNo',
    'handlerName',
    'createdAt',
    'source',
    'category',
    'acceptDueAt',
    'acceptedAt',
    'repliedAt',
    'result',
    'orderNo',
    'createdName',
  ]
}

function Story({ of }: { of: Row }) {
  const say = useText()
  const orders = can(workOrder.one.needs)
  return (
    <div className="story">
      <Section title={['内容', 'Content']}>
        <p className="after-sale-text">{of.content}</p>
        {of.images && <Pictures addresses={of.images} height={64} />}
      </Section>
      {of.reply && (
        <Section title={['回复', 'Reply']}>
          <p className="after-sale-text">{of.reply}</p>
          <p className="faint">
            {say(
              of.toldAt
                ? ['已发送给反馈人', 'Sent to the customer']
                : ['未发送：没有联系电话，或没有启用的答复模板', 'Not sent: no phone number, or no reply template enabled'],
            )}
          </p>
        </Section>
      )}
      <Facts
        entity={Suggestion}
        of={of}
        show={[
          'source',
          'category',
          'contactName',
          'phone',
          'plateNo',
          { label: ['车场', 'Car park'], value: <ParkName code={of.parkCode} /> },
          'createdName',
          'createdAt',
          'acceptDueAt',
          'acceptedAt',
          'replyDueAt',
          'repliedAt',
          'handlerName',
          ...(of.reason ? (['reason'] as const) : []),
          ...(of.result ? (['result', 'closedAt'] as const) : []),
          ...(of.orderId
            ? [
                {
                  label: ['工单', 'Work order'] as const,
                  value: orders ? <Link to={`/operation/afterSale/order/all/${of.orderId}`}>{of.orderNo}</Link> : of.orderNo,
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}

const FIELDS = [
  'kind',
  'content',
  { name: 'contactName', optional: true },
  { name: 'phone', optional: true, help: ['留下电话，回复时通知反馈人', 'If entered, the reply is sent to this number'] as Text },
  { name: 'plateNo', optional: true },
  { name: 'parkCode', label: ['车场', 'Car park'] as Text, optional: true, control: <ParkSelect empty={CHOOSE} /> },
  { name: 'category', optional: true },
  { name: 'images', optional: true },
] as const
function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  if (what === 'new') return <NewFeedback onClose={onClose} />
  if (what === 'edit') return <EditFeedback of={of} onClose={onClose} />
  if (what === 'decline') return <Decline of={of} onClose={onClose} />
  if (what === 'reply') return <Reply of={of} onClose={onClose} />
  if (what === 'close') return <Close of={of} onClose={onClose} />
  return <Convert of={of} onClose={onClose} />
}

function NewFeedback({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={['登记反馈', 'Record feedback']}
      entity={Suggestion}
      mode="new"
      value={{ kind: SuggestionKind.complaint, source: OrderSource.telephone }}
      save={suggestion.add}
      changes={SUGGESTION_CHANGES}
      fields={[FIELDS[0], 'source', ...FIELDS.slice(1)]}
      onClose={onClose}
    />
  )
}

interface AboutOne {
  of: Row
  onClose: () => void
}
const keyOf = ({ id, version }: Row) => ({ id, version })

function EditFeedback({ of, onClose }: AboutOne) {
  return (
    <FormDialog entity={Suggestion} mode="edit" value={of} save={suggestion.update} changes={SUGGESTION_CHANGES} fields={FIELDS} onClose={onClose} />
  )
}

function Decline({ of, onClose }: AboutOne) {
  return (
    <FormDialog
      title={[`不受理 ${of.suggestNo}`, `Decline ${of.suggestNo}`]}
      entity={suggestion.accept.input}
      mode="new"
      value={{ ...keyOf(of), accept: false }}
      save={suggestion.accept}
      act={['不受理', 'Decline']}
      done={['已登记不受理', 'Declined']}
      changes={SUGGESTION_CHANGES}
      fields={['reason']}
      onClose={onClose}
    />
  )
}

function Reply({ of, onClose }: AboutOne) {
  return (
    <FormDialog
      title={[`回复 ${of.suggestNo}`, `Reply to ${of.suggestNo}`]}
      entity={suggestion.reply.input}
      mode="new"
      value={{ ...keyOf(of), reply: of.reply ?? '' }}
      save={suggestion.reply}
      act={['回复', 'Reply']}
      done={['已回复', 'Replied']}
      changes={SUGGESTION_CHANGES}
      fields={[
        {
          name: 'reply',
          help: of.phone ? ['发送给反馈人', 'Sent to the customer'] : ['没有联系电话，不会发送', 'No phone number: it will not be sent'],
        },
      ]}
      onClose={onClose}
    />
  )
}

function Close({ of, onClose }: AboutOne) {
  return (
    <FormDialog
      title={[`办结 ${of.suggestNo}`, `Close ${of.suggestNo}`]}
      entity={suggestion.close.input}
      mode="new"
      value={keyOf(of)}
      save={suggestion.close}
      act={['办结', 'Close']}
      done={['已办结', 'Closed']}
      changes={SUGGESTION_CHANGES}
      fields={['result']}
      onClose={onClose}
    />
  )
}

function Convert({ of, onClose }: AboutOne) {
  const type =
    of.kind === SuggestionKind.complaint ? OrderType.complaint : of.kind === SuggestionKind.question ? OrderType.question : OrderType.suggestion
  return (
    <FormDialog
      title={[`转工单 ${of.suggestNo}`, `Convert ${of.suggestNo} to a work order`]}
      entity={suggestion.convert.input}
      mode="new"
      value={{ ...keyOf(of), type, level: Level.middle }}
      save={suggestion.convert}
      act={['转工单', 'Convert']}
      done={['已转工单，图片一并带入', 'Converted to a work order, pictures included']}
      changes={SUGGESTION_CHANGES}
      fields={[
        'type',
        'level',
        { name: 'title', optional: true, help: ['不填则取内容开头', 'If empty, the beginning of the content is used'] },
        { name: 'assigneeId', optional: true, control: <HandlerSelect />, help: ['不选则进入待分派', 'If empty, it waits to be assigned'] },
      ]}
      onClose={onClose}
    />
  )
}
