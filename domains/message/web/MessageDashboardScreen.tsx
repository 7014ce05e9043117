import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, dayOf, instantAt, startOf } from '../../../platform/contract/time.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart, type ChartProps } from '../../../platform/web/draw/Chart.tsx'
import { count, percent, time } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import type { Criteria } from '../../../platform/web/list/listAt.ts'
import { useFrames } from '../../../platform/web/live.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { MESSAGES } from '../contract/figures.ts'
import { statistics, type Summary } from '../contract/statistics.ts'
import { MessageKind, type MessageKindCode } from '../contract/template.ts'
import { sentAt, sentOn } from './lists.ts'
import './message.css'
import { SendState, ReadState } from '../contract/record.ts'
import { ChannelType } from '../contract/channel.ts'

const DAYS = [1, 7, 30] as const
const NONE_THEN = ['这段时间没有消息', 'No messages in this period'] as const
const REFRESH_MS = 30_000

function usePeriod() {
  const [params, setParams] = useSearchParams()
  const today = dayOf(new Date().toISOString() as Instant)
  const back = (days: number) => dayOf(instantAt(Date.parse(startOf(today)) + CITY_OFFSET_MS - (days - 1) * DAY_MS))
  const from = (params.get('from') ?? back(7)) as Day
  const to = (params.get('to') ?? today) as Day
  return { from, to, today, back, set: (first: Day, last: Day) => setParams({ from: first, to: last }) }
}

/** How many messages went out, by channel, kind and time; each figure opens the messages that it counts. */
export default function MessageDashboardScreen() {
  const say = useText()
  const { from, to, today, back, set } = usePeriod()
  const input = { from, to }
  const live = { refetchInterval: REFRESH_MS }
  const summary = useQuery({ ...asks(statistics.summary, input), ...live })
  const channels = useQuery({ ...asks(statistics.channelPieChart, input), ...live })
  const kinds = useQuery({ ...asks(statistics.messageTypeCurve, input), ...live })
  const times = useQuery({ ...asks(statistics.timeCurve, input), ...live })
  const all = [summary, channels, kinds, times]
  useFrames('message.record', () => void summary.refetch())
  const listOf = (criteria: Criteria = {}) => sentOn(from, to, criteria)
  const failed = all.find(({ isError }) => isError)
  const days = DAYS.find((length) => from === back(length) && to === today)
  return (
    <div className="page">
      <PageHead purpose={['消息的发送与送达情况；点击数字查看明细', 'How many messages were sent and delivered; click a figure to open its list']}>
        <span className="push" />
        <Segmented
          value={days ?? 0}
          options={[
            { value: 1, label: say(['今天', 'Today']) },
            { value: 7, label: say(['近 7 天', 'Last 7 days']) },
            { value: 30, label: say(['近 30 天', 'Last 30 days']) },
          ]}
          onChange={(length) => set(back(Number(length)), today)}
        />{' '}
        <DateRange
          value={[startOf(from), startOf(to)] as never}
          onChange={(picked: unknown) => {
            const [first, last] = (picked ?? []) as Instant[]
            if (first && last) set(dayOf(first), dayOf(last))
          }}
        />
      </PageHead>
      {failed ? <Failed error={failed.error as Refusal} retry={() => all.forEach((one) => void one.refetch())} /> : null}
      {summary.data ? <Figures of={summary.data} listOf={listOf} /> : !failed && <Waiting />}
      <div className="message-board">
        {times.data && <Times points={times.data} />}
        {channels.data && (
          <Panel
            title={['按渠道', 'By channel']}
            figures={[MESSAGES.succeeded, MESSAGES.lost]}
            kind="rank"
            by={['渠道', 'Channel']}
            categories={channels.data.map(({ name }) => name)}
            series={[
              { name: MESSAGES.succeeded.name, values: channels.data.map(({ succeeded }) => succeeded) },
              { name: MESSAGES.lost.name, values: channels.data.map(({ failed: lost }) => lost), tone: 'bad' },
              { name: ['其他', 'Other'], values: channels.data.map((one) => one.total - one.succeeded - one.failed), tone: 'quiet' },
            ]}
            leads={(at, of) => listOf({ channelId: channels.data[at]!.channelId, sendState: OF_STATE[of]! })}
          />
        )}
        {kinds.data && <Kinds rows={kinds.data} from={from} to={to} leads={(day, kind) => sentOn(day, day, { kind })} />}
      </div>
    </div>
  )
}

/** Sent, failed, and what is neither yet. */
const OF_STATE = ['2', '3,5', '0,1,4,6']

/** A chart in a box of its own. */
function Panel(props: Omit<ChartProps, 'label' | 'empty'> & { title: NonNullable<ChartProps['title']>; wide?: boolean }) {
  const { wide, ...chart } = props
  return (
    <section className={`message-panel${wide ? ' wide' : ''}`}>
      <Chart label={props.title} empty={NONE_THEN} {...chart} />
    </section>
  )
}

function Figures({ of, listOf }: { of: Of<typeof Summary>; listOf: (criteria?: Criteria) => string }) {
  const say = useText()
  return (
    <Tiles label={['数字', 'Figures']}>
      <Tile figure={MESSAGES.total} to={listOf()} value={of.total} today={of.total} before={of.before} against={BEFORE} />
      <Tile figure={MESSAGES.sentRate} to={listOf({ sendState: SendState.sent })} value={percent(of.sentRate)}>
        {say([`成功 ${count(of.succeeded)}`, `${count(of.succeeded)} sent`])}
      </Tile>
      <Tile
        figure={MESSAGES.failed}
        to={listOf({ sendState: SendState.failed })}
        value={of.failed}
        today={of.failed}
        before={of.failedBefore}
        against={BEFORE}
        good="down"
        tone={of.failed > 0 && 'error'}
      />
      <Tile figure={MESSAGES.waiting} to={listOf({ sendState: '0,1' })} value={of.waiting}>
        {say(['含静默与重试', 'Incl. quiet hours and retries'])}
      </Tile>
      <Tile figure={MESSAGES.limited} to={listOf({ sendState: SendState.overCap })} value={of.limited}>
        {say([`退订 ${of.unsubscribed}`, `${of.unsubscribed} unsubscribed`])}
      </Tile>
      <Tile figure={MESSAGES.readRate} to={listOf({ channelType: ChannelType.inner, readState: ReadState.unread })} value={percent(of.readRate)}>
        {say(['点开看未读', 'Click for unread'])}
      </Tile>
    </Tiles>
  )
}
const BEFORE: Text = ['较上一周期', 'vs previous period']

type Point = { at: Instant; succeeded: number; failed: number; total: number }
function Times({ points }: { points: readonly Point[] }) {
  const hourly = points.length > 1 && Date.parse(points[1]!.at) - Date.parse(points[0]!.at) < DAY_MS
  return (
    <Panel
      wide
      title={hourly ? ['每小时消息数', 'Messages per hour'] : ['每日消息数', 'Messages per day']}
      figures={[MESSAGES.total, MESSAGES.lost]}
      kind="line"
      by={['时间', 'Time']}
      categories={points.map(({ at }) => (hourly ? time(at).slice(5, 16) : dayOf(at)))}
      ticks={points.map(({ at }) => (hourly ? time(at).slice(11, 16) : dayOf(at).slice(5)))}
      series={[
        { name: MESSAGES.total.name, values: points.map(({ total }) => total) },
        { name: MESSAGES.lost.name, values: points.map(({ failed }) => failed), tone: 'bad' },
      ]}
      leads={(at, of) => sentAt(points[at]!.at, hourly, of === 1 ? { sendState: OF_STATE[1] } : {})}
    />
  )
}

interface KindsProps {
  rows: readonly { day: Day; kind: MessageKindCode; total: number }[]
  from: Day
  to: Day
  leads: (day: Day, kind: number) => string
}
function Kinds({ rows, from, to, leads }: KindsProps) {
  const days: Day[] = []
  for (let ms = Date.parse(`${from}T00:00:00Z`); ms <= Date.parse(`${to}T00:00:00Z`); ms += DAY_MS)
    days.push(new Date(ms).toISOString().slice(0, 10) as Day)
  const kinds = (Object.keys(MessageKind.entries).map(Number) as MessageKindCode[]).filter((kind) => rows.some((row) => row.kind === kind))
  const at = (day: Day, kind: MessageKindCode) => rows.find((row) => row.day === day && row.kind === kind)?.total ?? 0
  return (
    <Panel
      title={['按类型', 'By type']}
      figures={[MESSAGES.total]}
      kind="stack"
      by={['日期', 'Day']}
      categories={rows.length === 0 ? [] : days}
      ticks={days.map((day) => day.slice(5))}
      series={kinds.map((kind) => ({ name: MessageKind.entries[kind], values: days.map((day) => at(day, kind)) }))}
      leads={(label, series) => leads(days[label]!, kinds[series]!)}
    />
  )
}
