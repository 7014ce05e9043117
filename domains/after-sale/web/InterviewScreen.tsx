import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CHOOSE, findPark } from '../../parking/web/api/names.tsx'
import { type Interview, interview, InterviewResult, interviewSearch, InterviewTarget, InterviewWay, Solved } from '../contract/interview.ts'
import { suggestion, SuggestionState } from '../contract/suggestion.ts'
import { OrderState, workOrder } from '../contract/workOrder.ts'
import { INTERVIEW_CHANGES } from './changes.ts'
import { useDueColumn, useNow } from './due.tsx'
import { useParkColumn } from './Orders.tsx'

type Row = Of<typeof Interview>
type Doing = { what: 'newOrder' | 'newSuggestion'; of?: undefined } | { what: 'plan' | 'tell'; of: Row }
const DONE: Text = ['回访已完成', 'Interview completed']

/** Customers asked afterwards: who is to be asked, and what they said. */
export default function InterviewScreen() {
  const park = useParkColumn()
  const due = useDueColumn('planAt', ['计划时间', 'Planned for'], (row: Row) => row.result === InterviewResult.waiting)
  const now = useNow()
  const remove = useRemove(INTERVIEW_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const { needs } = interview.update
  const done = (row: Row) => row.result !== InterviewResult.waiting && DONE
  return (
    <>
      <ListScreen
        purpose={[
          '投诉和高级别工单关闭后 3 天内回访，其余抽访一成；处理人不能回访自己的',
          'Complaints and high-level work orders are followed up within 3 days of closing, plus 10% of the rest; handlers do not interview about their own work',
        ]}
        query={interview.query}
        search={interviewSearch}
        find={['result', 'planAt', 'targetType', findPark, 'targetNo', 'contact', 'solved', 'score', 'visitorName', 'handlerName', 'doneAt']}
        sum={{
          figures: [
            { text: ['待回访', 'to interview'], leads: { result: [InterviewResult.waiting] } },
            { text: ['已过计划时间', 'overdue'], leads: { result: [InterviewResult.waiting], planAtTo: now } },
            { text: ['未解决', 'not solved'], leads: { solved: [Solved.no] } },
          ],
        }}
        columns={[
          due,
          'targetNo',
          'title',
          'result',
          'contactName',
          'contact',
          'handlerName',
          'way',
          'attempts',
          'solved',
          'score',
          'visitorName',
          'targetType',
          park,
          'content',
          'doneAt',
        ]}
        hidden={['targetType', 'content', 'doneAt', 'parkCode']}
        roomy={['way', 'contactName', 'attempts']}
        add={{
          call: interview.add,
          open: () => setDoing({ what: can(workOrder.query.needs) ? 'newOrder' : 'newSuggestion' }),
          text: ['新增回访', 'Plan interview'],
        }}
        actions={(row) => [
          { text: ['登记结果', 'Record result'], needs, run: () => setDoing({ what: 'tell', of: row }), not: done(row) },
          { text: ['改计划', 'Reschedule'], needs, run: () => setDoing({ what: 'plan', of: row }), not: done(row) },
          { ...deleting(remove, interview.delete, { id: row.id, version: row.version }, row.targetNo), not: done(row) },
        ]}
        empty={['没有回访', 'No interviews']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const TARGETS_SHOWN = 200
interface PickProps {
  id?: string
  value?: string | undefined
  onChange?: (value: string | undefined) => void
}
/** Orders that were closed, the newest first. */
function ClosedSelect(props: PickProps) {
  const say = useText()
  const orders = useQuery(asks(workOrder.query, { state: [OrderState.closed], limit: TARGETS_SHOWN }, { quiet: true })).data?.records ?? []
  const options = orders.map(({ id, orderNo, title }) => ({ value: id as string, label: `${orderNo} ${title}` }))
  return <Select {...props} placeholder={say(CHOOSE)} options={options} showSearch={{ optionFilterProp: 'label' }} />
}
function ClosedFeedbackSelect(props: PickProps) {
  const say = useText()
  const all = useQuery(asks(suggestion.query, { state: [SuggestionState.closed], limit: TARGETS_SHOWN }, { quiet: true })).data?.records ?? []
  const options = all.map(({ id, suggestNo, content }) => ({ value: id as string, label: `${suggestNo} ${content.slice(0, 40)}` }))
  return <Select {...props} placeholder={say(CHOOSE)} options={options} showSearch={{ optionFilterProp: 'label' }} />
}

function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  if (of === undefined) return <NewVisit order={what === 'newOrder'} onClose={onClose} />
  if (what === 'plan') return <Reschedule of={of} onClose={onClose} />
  return <RecordResult of={of} onClose={onClose} />
}

/** About an order that was closed, or about feedback. */
function NewVisit({ order, onClose }: { order: boolean; onClose: () => void }) {
  return (
    <FormDialog
      title={order ? ['回访工单', 'Interview about a work order'] : ['回访反馈', 'Interview about feedback']}
      entity={interview.add.input}
      mode="new"
      value={{ targetType: order ? InterviewTarget.order : InterviewTarget.suggestion, way: InterviewWay.telephone }}
      save={interview.add}
      changes={INTERVIEW_CHANGES}
      fields={[
        {
          name: 'targetId',
          label: order ? ['已关闭工单', 'Closed work order'] : ['已办结反馈', 'Closed feedback'],
          control: order ? <ClosedSelect /> : <ClosedFeedbackSelect />,
        },
        'way',
        { name: 'planAt', optional: true, help: ['不填为现在', 'If empty, now'] },
      ]}
      onClose={onClose}
    />
  )
}

function Reschedule({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`改计划 ${of.targetNo}`, `Reschedule ${of.targetNo}`]}
      entity={interview.update.input}
      mode="new"
      value={{ id: of.id, version: of.version, way: of.way, planAt: of.planAt }}
      save={interview.update}
      changes={INTERVIEW_CHANGES}
      fields={['way', 'planAt']}
      onClose={onClose}
    />
  )
}

function RecordResult({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`回访 ${of.targetNo} ${of.title}`, `Interview about ${of.targetNo} ${of.title}`]}
      entity={interview.update.input}
      mode="new"
      value={{ id: of.id, version: of.version, result: InterviewResult.asked }}
      save={interview.update}
      act={['登记', 'Record']}
      done={['已登记', 'Recorded']}
      changes={INTERVIEW_CHANGES}
      fields={[
        {
          name: 'result',
          help: [
            '成功须填写是否解决和评分；未接通在第三天结束',
            'If completed, enter whether it was solved and the score; “Not reached” closes on the third day',
          ],
        },
        { name: 'solved', optional: true },
        { name: 'score', optional: true, help: ['1 到 5', '1 to 5'] },
        { name: 'content', optional: true },
        ...(of.targetType === InterviewTarget.order
          ? [
              {
                name: 'reopen' as const,
                optional: true,
                help: ['未解决时可重开，关闭 15 天内', 'Possible if not solved, within 15 days of closing'] as Text,
              },
            ]
          : []),
      ]}
      onClose={onClose}
    />
  )
}
