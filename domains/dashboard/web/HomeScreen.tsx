import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { listOf } from '../../../platform/web/draw/Explain.tsx'
import { count, time } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Panel } from '../../../platform/web/draw/Panel.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money, Plate, State } from '../../../platform/web/value.tsx'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { SessionAbnormal, stay } from '../../parking/contract/stay.ts'
import { TRAFFIC } from '../../parking/contract/figures.ts'
import { INCOME } from '../../settlement/contract/figures.ts'
import { type Escapes, home, type Today } from '../contract/home.ts'
import { UNPAID_EXITS } from '../contract/figures.ts'
import { ABNORMAL } from './lists.ts'
import './dashboard.css'

const NewsList = lazy(() => import('../../message/web/api/NewsList.tsx'))
const WaitingWork = lazy(() => import('../../settlement/web/api/WaitingWork.tsx'))

/** Figures are looked at again by themselves; a wall of them is not worth more. */
const LOOK_AGAIN_MS = 30_000
const LATEST = 6
const again = { refetchInterval: LOOK_AGAIN_MS }
const FlowChart = lazy(() => import('../../parking/web/api/FlowChart.tsx'))

/** The first look of a day's work: what the parks did until now, beside yesterday at the same time, each figure leading to what it sums. */
export default function HomeScreen() {
  const say = useText()
  const today = useQuery({ ...asks(home.realPark, {}, { quiet: true }), ...again })
  const escapes = useQuery({ ...asks(home.escapes, {}, { quiet: true }), ...again })
  return (
    <div className="page today">
      <PageHead purpose={['今天到此刻，与昨天同一时刻相比', 'Today so far, compared with the same time yesterday']}>
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
      <Suspense>
        <WaitingWork />
      </Suspense>
      <div className="today-parts">
        <Flow />
        <Places />
        {can(stay.queryAbnormalPage.needs) && <Latest />}
        <News />
      </div>
    </div>
  )
}

function Figures({ of, escapes }: { of: Of<typeof Today>; escapes: Of<typeof Escapes> | undefined }) {
  const say = useText()
  const share = of.totalBays > 0 ? Math.round((of.present / of.totalBays) * 100) : undefined
  const cars = ['辆', 'cars'] as const
  return (
    <Tiles label={['今日数字', 'Today’s figures']}>
      <Tile figure={TRAFFIC.entered} unit={cars} value={of.entered.today} {...of.entered} />
      <Tile figure={TRAFFIC.left} unit={cars} value={of.left.today} {...of.left} />
      <Tile figure={TRAFFIC.present} unit={cars} value={of.present}>
        {say([`共 ${count(of.totalBays)} 个泊位`, `of ${count(of.totalBays)} ${plural(of.totalBays, 'bay')}`])}
        {share !== undefined && ` · ${share}%`}
        {of.heldBays > 0 && say([` · 预约保留 ${count(of.heldBays)}`, ` · held for bookings: ${count(of.heldBays)}`])}
      </Tile>
      <Tile figure={INCOME.receivableFen} value={<Money fen={of.receivableFen.today} />} {...of.receivableFen} />
      <Tile figure={INCOME.paidFen} value={<Money fen={of.paidFen.today} />} {...of.paidFen} />
      <Tile figure={TRAFFIC.abnormal} unit={['条', 'stays']} value={of.abnormal.today} {...of.abnormal} good="down">
        {escapes && (
          <Link to={listOf(UNPAID_EXITS.orders) ?? '.'} className={escapes.orders.today > 0 ? 'today-aside some' : 'today-aside'}>
            {say([`欠费离场 ${escapes.orders.today} 笔`, `${escapes.orders.today} left unpaid`])}
          </Link>
        )}
      </Tile>
    </Tiles>
  )
}

function Flow() {
  const flow = useQuery({ ...asks(home.flow, {}, { quiet: true }), ...again })
  return (
    <Panel title={['每小时进出', 'Entries and exits per hour']} to={listOf(TRAFFIC.entered)} figures={[TRAFFIC.entered, TRAFFIC.left]}>
      {flow.data ? (
        <Suspense fallback={<Waiting lines={4} />}>
          <FlowChart hours={flow.data} />
        </Suspense>
      ) : flow.isError ? (
        <Failed error={flow.error as Refusal} retry={() => void flow.refetch()} />
      ) : (
        <Waiting lines={4} />
      )}
    </Panel>
  )
}

function Places() {
  const say = useText()
  const { data, isError, error, refetch } = useQuery({ ...asks(home.plates, {}, { quiet: true }), ...again })
  const most = Math.max(1, ...(data?.places ?? []).map(({ entered }) => entered))
  return (
    <Panel title={['今日进场车辆', 'Cars entered today']} figures={[TRAFFIC.entered]}>
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
                  <span className="faint">{say(['未识别', 'Not recognised'])}</span>
                ) : (
                  <State dictionary={PlateColor} value={plateColor} />
                )}
                <b>{count(entered)}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  )
}

/** Hidden from people who may not read abnormal stays. */
function Latest() {
  const say = useText()
  const { data, isError, error, refetch } = useQuery({
    ...asks(stay.queryAbnormalPage, { limit: LATEST, queryMode: 'rows' }, { quiet: true }),
    ...again,
  })
  return (
    <Panel title={['最近的异常', 'Latest abnormal stays']} to={ABNORMAL}>
      {isError ? <Failed error={error as Refusal} retry={() => void refetch()} /> : !data && <Waiting lines={4} />}
      {data && data.records.length === 0 && <Nothing>{say(['没有异常，一切正常。', 'No abnormal stays.'])}</Nothing>}
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
    </Panel>
  )
}

/** News of the enterprise. */
function News() {
  const say = useText()
  return (
    <Panel title={['平台公告', 'News']}>
      <Suspense fallback={<Waiting />}>
        <NewsList otherwise={<Nothing>{say(['发布的公告会显示在这里。', 'Published news appears here.'])}</Nothing>} />
      </Suspense>
    </Panel>
  )
}
