import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay, count, dayEnd, dayStart, time } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, NoPermission, Nothing, Waiting } from '../../../platform/web/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plate, State } from '../../../platform/web/value.tsx'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { SessionAbnormal, stay } from '../../parking/contract/stay.ts'
import { type Escapes, home, type Today } from '../contract/home.ts'
import './dashboard.css'

/** Figures are looked at again by themselves; a wall of them is not worth more. */
const LOOK_AGAIN_MS = 30_000
const LATEST = 6
const again = { refetchInterval: LOOK_AGAIN_MS }
const FlowChart = lazy(() => import('./FlowChart.tsx'))

const STAYS = '/operation/record/parking/parkingRecord'
const ABNORMAL = '/operation/record/parking/abnormal'
const PRESENT = '/operation/record/parking/present'
const INCOME = '/operation/temporaryIncome'
const ORDERS = '/operation/finance'
const within = (path: string, field: string, more: Record<string, string> = {}) => {
  const day = cityDay()
  return `${path}?${new URLSearchParams({ [`${field}From`]: dayStart(day), [`${field}To`]: dayEnd(day), ...more })}`
}

/** The first look of a day's work: what the parks did until now, beside yesterday at the same time, each figure leading to what it sums. */
export default function TodayScreen() {
  return can(home.realPark.needs) ? <TodayPage /> : <NoPermission />
}

function TodayPage() {
  const say = useText()
  const today = useQuery({ ...asks(home.realPark, {}, { quiet: true }), ...again })
  const escapes = useQuery({ ...asks(home.escapes, {}, { quiet: true }), ...again })
  return (
    <div className="page today">
      <PageHead purpose={['今天到此刻，与昨天同一时刻相比', 'Today until now, beside yesterday at the same time']}>
        <span className="push" />
        {today.data && (
          <span className="faint">
            {say(['截至', 'As of'])} {time(today.data.at)}
          </span>
        )}
      </PageHead>
      {today.data ? (
        <Figures of={today.data} escapes={escapes.data} />
      ) : today.isError ? (
        <Failed error={today.error as Refusal} retry={() => void today.refetch()} />
      ) : (
        <Waiting lines={3} />
      )}
      <div className="today-parts">
        <Flow />
        <Places />
        <Latest />
        <News />
      </div>
    </div>
  )
}

/** At most six figures, what is asked first first. */
function Figures({ of, escapes }: { of: Of<typeof Today>; escapes: Of<typeof Escapes> | undefined }) {
  const say = useText()
  const share = of.totalBays > 0 ? Math.round((of.present / of.totalBays) * 100) : undefined
  return (
    <nav className="today-figures" aria-label={say(['今日数字', 'Figures of today'])}>
      <Figure name={['进场', 'Came in']} to={within(STAYS, 'entryTime', { status: '1,2,3,4' })} value={count(of.entered.today)} {...of.entered} />
      <Figure name={['出场', 'Went out']} to={within(STAYS, 'exitTime', { status: '3' })} value={count(of.left.today)} {...of.left} />
      <Figure name={['在场', 'Present']} to={PRESENT} value={count(of.present)}>
        {say([`共 ${count(of.totalBays)} 个泊位`, `of ${count(of.totalBays)} bays`])}
        {share !== undefined && ` · ${share}%`}
      </Figure>
      <Figure
        name={['应收', 'Receivable']}
        to={`${INCOME}?dayFrom=${cityDay()}&dayTo=${cityDay()}`}
        value={<Money fen={of.receivableFen.today} />}
        {...of.receivableFen}
      />
      <Figure
        name={['实收', 'Paid']}
        to={`${INCOME}?dayFrom=${cityDay()}&dayTo=${cityDay()}`}
        value={<Money fen={of.paidFen.today} />}
        {...of.paidFen}
      />
      <Figure name={['异常', 'Abnormal']} to={within(ABNORMAL, 'entryTime')} value={count(of.abnormal.today)} {...of.abnormal} good="down">
        {escapes && (
          <Link to={`${ORDERS}?status=4`} className="today-aside">
            {say([`欠费离场 ${escapes.orders.today} 笔`, `${escapes.orders.today} left unpaid`])}
          </Link>
        )}
      </Figure>
    </nav>
  )
}

interface FigureProps {
  name: Text
  to: string
  value: ReactNode
  today?: number
  before?: number
  /** Whether more or less of it is what one hopes for. */
  good?: 'up' | 'down'
  children?: ReactNode
}
function Figure({ name, to, value, today, before, good = 'up', children }: FigureProps) {
  const say = useText()
  return (
    <div className="today-figure">
      <Link to={to}>
        <span>{say(name)}</span>
        <b>{value}</b>
      </Link>
      <p>
        {today !== undefined && before !== undefined && <Change today={today} before={before} good={good} />}
        {children}
      </p>
    </div>
  )
}
/** The change against yesterday at the same time: a sign and a word, not a colour alone. Nothing to compare with is `--`. */
function Change({ today, before, good }: { today: number; before: number; good: 'up' | 'down' }) {
  const say = useText()
  const yesterday = say(['较昨日', 'vs yesterday'])
  if (before === 0) return <span className="faint">{yesterday} --</span>
  const percent = Math.round(((today - before) / before) * 100)
  const tone = percent === 0 ? 'faint' : percent > 0 === (good === 'up') ? 'up' : 'down'
  return (
    <span className={`change ${tone}`}>
      {yesterday} {percent > 0 ? '▲' : percent < 0 ? '▼' : ''} {Math.abs(percent)}%
    </span>
  )
}

function Part({ title, to, children }: { title: Text; to?: string; children: ReactNode }) {
  const say = useText()
  return (
    <section className="panel">
      <header>
        <h2>{say(title)}</h2>
        <span className="push" />
        {to && <Link to={to}>{say(['全部', 'All'])}</Link>}
      </header>
      {children}
    </section>
  )
}

function Flow() {
  const flow = useQuery({ ...asks(home.flow, {}, { quiet: true }), ...again })
  return (
    <Part title={['每小时进出', 'In and out by the hour']} to={within(STAYS, 'entryTime')}>
      {flow.data ? (
        <Suspense fallback={<Waiting lines={4} />}>
          <FlowChart hours={flow.data} />
        </Suspense>
      ) : flow.isError ? (
        <Failed error={flow.error as Refusal} retry={() => void flow.refetch()} />
      ) : (
        <Waiting lines={4} />
      )}
    </Part>
  )
}

function Places() {
  const say = useText()
  const { data, isError, error, refetch } = useQuery({ ...asks(home.plates, {}, { quiet: true }), ...again })
  const most = Math.max(1, ...(data?.places ?? []).map(({ entered }) => entered))
  return (
    <Part title={['今日进场车辆', 'Cars that came in today']}>
      {isError ? <Failed error={error as Refusal} retry={() => void refetch()} /> : !data && <Waiting lines={4} />}
      {data && data.places.length === 0 && <Nothing />}
      {data && data.places.length > 0 && (
        <div className="today-plates">
          <ul>
            {data.places.map(({ place, entered }) => (
              <li key={place}>
                <span>{place}</span>
                <i style={{ inlineSize: `${(entered / most) * 100}%` }} />
                <b>{count(entered)}</b>
              </li>
            ))}
          </ul>
          <ul className="colors">
            {data.colors.map(({ plateColor, entered }) => (
              <li key={plateColor ?? -1}>
                {plateColor === null ? (
                  <span className="faint">{say(['未识别', 'Not read'])}</span>
                ) : (
                  <State dictionary={PlateColor} value={plateColor} />
                )}
                <b>{count(entered)}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Part>
  )
}

function Latest() {
  const say = useText()
  const may = can(stay.queryAbnormalPage.needs)
  const { data, isError, error, refetch } = useQuery({
    ...asks(stay.queryAbnormalPage, { limit: LATEST, queryMode: 'rows' }, { quiet: true }),
    ...again,
    enabled: may,
  })
  return (
    <Part title={['最近的异常', 'Latest abnormal stays']} {...(may && { to: ABNORMAL })}>
      {!may ? <NoPermission /> : isError ? <Failed error={error as Refusal} retry={() => void refetch()} /> : !data && <Waiting lines={4} />}
      {data && data.records.length === 0 && <Nothing>{say(['没有异常，一切正常。', 'All is well.'])}</Nothing>}
      {data && data.records.length > 0 && (
        <ul className="today-latest">
          {data.records.map((row) => (
            <li key={row.id}>
              <Plate number={row.plateNo} color={row.plateColor} />
              <Link to={`${ABNORMAL}/${row.id}`}>
                <State dictionary={SessionAbnormal} value={row.abnormalType} />
              </Link>
              <span className="push" />
              <time className="faint">{time(row.entryTime ?? row.exitTime ?? row.createdAt)}</time>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

/** News of the platform: nothing publishes any so far. */
function News() {
  const say = useText()
  return (
    <Part title={['平台公告', 'News']}>
      <Nothing>{say(['发布的公告会显示在这里。', 'What is announced appears here.'])}</Nothing>
    </Part>
  )
}
