import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { percent } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { findPark } from '../../parking/web/api/names.tsx'
import { interview, InterviewResult, interviewSearch } from '../contract/interview.ts'
import { suggestion } from '../contract/suggestion.ts'
import { orderSearch, workOrder } from '../contract/workOrder.ts'
import { OrderHead, OrderStory } from './OrderStory.tsx'
import { useParkColumn } from './Orders.tsx'

type Shown = 'customers' | 'interviews'
/** Customers' ratings of the service: given by themselves, and in follow-ups. The two are not mixed. */
export default function EvaluationScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('customers')
  const mine = useQuery(asks(workOrder.summary, {}, { quiet: true })).data
  const asked = useQuery({ ...asks(suggestion.summary, {}, { quiet: true }), enabled: can(suggestion.summary.needs) }).data
  const toolbar = (
    <>
      <Segmented<Shown>
        value={shown}
        onChange={show}
        options={[
          { value: 'customers', label: say([`客户评价 · 满意度 ${percent(mine?.csat)}`, `Customers · CSAT ${percent(mine?.csat)}`]) },
          {
            value: 'interviews',
            label: say([`回访评分 · 满意度 ${percent(asked?.interviewCsat)}`, `Interviews · CSAT ${percent(asked?.interviewCsat)}`]),
          },
        ]}
      />
      <span className="faint">{say(['满意度：近 30 天 4、5 分占比', 'CSAT: share of scores 4 and 5 in the last 30 days'])}</span>
    </>
  )
  return shown === 'customers' ? <Customers toolbar={toolbar} /> : <Asked toolbar={toolbar} />
}

function Customers({ toolbar }: { toolbar: ReactNode }) {
  const park = useParkColumn()
  return (
    <ListScreen
      purpose={[
        '工单关闭后，客户通过短信链接所作的评价，每单一次',
        'Ratings given by customers through the text-message link after closing, one per work order',
      ]}
      query={workOrder.query}
      search={orderSearch}
      only={{ scored: true } as never}
      toolbar={toolbar}
      find={['score', 'scoredAt', findPark, 'type', 'assigneeName', 'plateNo', 'orderNo', 'level', 'createdAt']}
      sum={{
        figures: [
          { text: ['不满意', 'dissatisfied'], leads: { score: [1, 2] } },
          { text: ['满意', 'satisfied'], leads: { score: [4, 5] } },
        ],
      }}
      columns={['scoredAt', 'score', 'comment', 'title', 'assigneeName', 'type', park, 'orderNo', 'closedAt', 'reopens']}
      hidden={['reopens']}
      roomy={['closedAt', 'parkCode']}
      live="after-sale.order"
      detail={{ call: workOrder.one, head: (row) => <OrderHead of={row} />, body: (row) => <OrderStory of={row} /> }}
      empty={['还没有评价；工单关闭时向客户发送评价链接', 'No ratings yet: customers get a link when a work order is closed']}
    />
  )
}
function Asked({ toolbar }: { toolbar: ReactNode }) {
  return (
    <ListScreen
      purpose={['回访时客户给出的评分', 'Scores given by customers in interviews']}
      query={interview.query}
      search={interviewSearch}
      only={{ result: [InterviewResult.asked] }}
      toolbar={toolbar}
      find={['score', 'doneAt', findPark, 'solved', 'handlerName', 'visitorName', 'targetNo']}
      sum={{
        figures: [
          { text: ['不满意', 'dissatisfied'], leads: { score: [1, 2] } },
          { text: ['满意', 'satisfied'], leads: { score: [4, 5] } },
        ],
      }}
      columns={['doneAt', 'score', 'solved', 'content', 'targetNo', 'title', 'handlerName', 'visitorName', 'way']}
      empty={['还没有回访评分', 'No interview scores yet']}
    />
  )
}
