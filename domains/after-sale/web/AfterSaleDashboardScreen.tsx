import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import type { Day, Dictionary, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import type { Figure } from '../../../platform/contract/figure.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { percent } from '../../../platform/web/format.ts'
import type { Criteria } from '../../../platform/web/list/listAt.ts'
import { useFrames } from '../../../platform/web/live.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { FEEDBACK, WORK_ORDERS } from '../contract/figures.ts'
import { type SuggestionSummary, suggestion, SuggestionKind, SuggestionState } from '../contract/suggestion.ts'
import { type OrderSummary, OrderState, OrderType, RespondState, SlaState, workOrder } from '../contract/workOrder.ts'
import { feedbackOn, openOrders, ordersOn } from './lists.ts'
import './afterSale.css'

const EVALUATE = '/operation/afterSale/evaluate'
const REFRESH_MS = 60_000
type Orders = Of<typeof OrderSummary>
type Said = Of<typeof SuggestionSummary>

const today = () => dayOf(new Date().toISOString() as Instant)
const back = (days: number): Day => dayOf(instantAt(msOf(startOf(today())) - (days - 1) * DAY_MS))

/** How after-sales stands; every figure opens the orders or the feedback that it counts. */
export default function AfterSaleDashboardScreen() {
  const say = useText()
  const [days, setDays] = useState(30)
  const input = { dateFrom: back(days), dateTo: today() }
  const orders = useQuery({ ...asks(workOrder.summary, input), refetchInterval: REFRESH_MS })
  const said = useQuery({ ...asks(suggestion.summary, input, { quiet: true }), refetchInterval: REFRESH_MS, enabled: can(suggestion.summary.needs) })
  useFrames('after-sale.order', () => void orders.refetch())
  const orderList = (criteria: Criteria) => ordersOn(input.dateFrom, input.dateTo, criteria)
  return (
    <div className="page">
      <PageHead purpose={['工单与反馈的进展；点数字看明细', 'Progress of work orders and feedback; click a figure for its list']}>
        <span className="push" />
        <Segmented
          value={days}
          onChange={setDays}
          options={[
            { value: 7, label: say(['近 7 天', 'Last 7 days']) },
            { value: 30, label: say(['近 30 天', 'Last 30 days']) },
            { value: 90, label: say(['近 90 天', 'Last 90 days']) },
          ]}
        />
      </PageHead>
      {orders.error && <Failed error={orders.error as Refusal} retry={() => void orders.refetch()} />}
      {orders.data ? <Figures of={orders.data} listOf={orderList} /> : !orders.error && <Waiting />}
      {orders.data && (
        <div className="after-sale-board">
          <Days of={orders.data} />
          <Parts
            title={['工单类型', 'Work orders by type']}
            figure={WORK_ORDERS.total}
            dictionary={OrderType}
            shares={orders.data.types}
            leads={(type) => orderList({ type })}
          />
          <Parts
            title={['工单状态', 'Work orders by status']}
            figure={WORK_ORDERS.total}
            dictionary={OrderState}
            shares={orders.data.states}
            leads={(state) => orderList({ state })}
          />
          {said.data && <Feedback of={said.data} listOf={(criteria) => feedbackOn(input.dateFrom, input.dateTo, criteria)} />}
        </div>
      )}
    </div>
  )
}

type ListOf = (criteria: Criteria) => string
const NONE_THEN = ['这段时间没有', 'None in this period'] as const
function Figures({ of, listOf }: { of: Orders; listOf: ListOf }) {
  const say = useText()
  return (
    <Tiles label={['工单数字', 'Work order figures']}>
      <Tile figure={WORK_ORDERS.createdToday} to={ordersOn(today(), today(), {})} value={of.createdToday} />
      <Tile figure={WORK_ORDERS.pending} to={openOrders()} value={of.pending}>
        {say([
          `其中待我处理 ${of.mine}；另有已解决待确认 ${of.confirming}`,
          `${of.mine} assigned to me; ${of.confirming} more solved, to be confirmed`,
        ])}
      </Tile>
      <Tile figure={WORK_ORDERS.overdue} to={openOrders({ slaState: SlaState.over })} value={of.overdue} tone={of.overdue > 0 && 'error'} />
      <Tile figure={WORK_ORDERS.respondRate} to={listOf({ respondState: RespondState.late })} value={percent(of.respondRate)}>
        {say(['点开看超时响应', 'Click for late responses'])}
      </Tile>
      <Tile figure={WORK_ORDERS.csat} to={EVALUATE} value={percent(of.csat)}>
        {say([`${of.rated} 次评价，4、5 分占比`, `share of 4s and 5s in ${of.rated} ${plural(of.rated, 'rating')}`])}
      </Tile>
      <Tile figure={WORK_ORDERS.reopenRate} to={listOf({ reopensFrom: 1 })} value={percent(of.reopenRate)} />
    </Tiles>
  )
}

function Days({ of }: { of: Orders }) {
  return (
    <section className="after-sale-panel wide">
      <Chart
        title={['每日新建与解决', 'New and solved per day']}
        figures={[WORK_ORDERS.total]}
        label={['工单', 'Work orders']}
        kind="line"
        by={['日期', 'Day']}
        categories={of.days.map(({ day }) => day)}
        ticks={of.days.map(({ day }) => day.slice(5))}
        series={[
          { name: ['新建', 'New'], values: of.days.map(({ created }) => created) },
          { name: ['解决', 'Solved'], values: of.days.map(({ solved }) => solved) },
        ]}
        leads={(at, series) => (series === 0 ? ordersOn(of.days[at]!.day, of.days[at]!.day, {}) : undefined)}
        empty={NONE_THEN}
      />
    </section>
  )
}
function Feedback({ of, listOf }: { of: Said; listOf: ListOf }) {
  return (
    <>
      <Parts
        title={['反馈类型', 'Feedback by type']}
        figure={FEEDBACK.total}
        dictionary={SuggestionKind}
        shares={of.kinds}
        leads={(kind) => listOf({ kind })}
      />
      <Parts
        title={['反馈状态', 'Feedback by status']}
        figure={FEEDBACK.total}
        dictionary={SuggestionState}
        shares={of.states}
        leads={(state) => listOf({ state })}
      />
    </>
  )
}
function Parts<S extends number>({
  title,
  figure,
  dictionary,
  shares,
  leads,
}: {
  title: readonly [string, string]
  figure: Figure
  dictionary: Dictionary<S>
  shares: Orders['states']
  leads: (code: number) => string
}) {
  const say = useText()
  const ordered = shares.toSorted((a, b) => b.count - a.count)
  return (
    <section className="after-sale-panel">
      <Chart
        title={title}
        figures={[figure]}
        label={title}
        kind="rank"
        by={['分类', 'Category']}
        categories={ordered.map(({ code }) => say(dictionary.entries[code as S]))}
        series={[{ name: ['数量', 'Count'], values: ordered.map(({ count }) => count) }]}
        leads={(at) => leads(ordered[at]!.code)}
        empty={NONE_THEN}
      />
    </section>
  )
}
