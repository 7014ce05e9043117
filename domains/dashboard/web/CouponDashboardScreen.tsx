import type { Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { count } from '../../../platform/web/format.ts'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { useText } from '../../../platform/web/text.ts'
import { Tile } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { coupon, CouponState, type CouponStatistics } from '../../coupon/contract/coupon.ts'
import { COUPONS, POINTS } from '../../coupon/contract/figures.ts'
import { pointsAccount, type PointsSum } from '../../coupon/contract/pointsAccount.ts'
import { Overview, Part, shortDay, useFigures, useLastDays } from './Overview.tsx'

const STATISTICS = '/activity/coupon/statistics'
const SENT = COUPONS.issued.opens.path
const USED = listAt(SENT, { state: CouponState.used })
/** The points that were granted, by what became of them. */
const PARTS = ['balance', 'spent', 'expired', 'clawed'] as const
const ACCOUNTS = '/activity/integral/list'
const NOTHING = {}
const DAYS = 30
type Coupons = Of<typeof CouponStatistics>

/** Coupons and points: what was given out, what came back, and what is still to come. */
export default function CouponDashboardScreen() {
  const { from, to } = useLastDays(DAYS)
  return (
    <Overview
      purpose={['优惠券与积分的发放、使用与结余，趋势为近 30 天', 'Coupons and points issued, used and remaining; trends over the last 30 days']}
      label={['活动数字', 'Activity figures']}
      tiles={<Figures />}
    >
      <Part
        title={['每日发放与核销', 'Issued and used per day']}
        to={STATISTICS}
        figures={[COUPONS.issued, COUPONS.used]}
        call={coupon.queryStatistics}
        input={{ issuedAtFrom: from, issuedAtTo: to }}
      >
        {(of) => <ByDay of={of} />}
      </Part>
      <Part
        title={['优惠券去向', 'Coupons by state']}
        to={STATISTICS}
        figures={[COUPONS.usable, COUPONS.used, COUPONS.gone]}
        call={coupon.queryStatistics}
        input={NOTHING}
      >
        {(of) => <Whereabouts of={of} />}
      </Part>
      <Part
        title={['核销最多的优惠券', 'Most used coupons']}
        to={STATISTICS}
        figures={[COUPONS.used, COUPONS.usable]}
        call={coupon.queryStatistics}
        input={NOTHING}
      >
        {(of) => <Templates of={of} />}
      </Part>
      <Part
        title={['积分去向', 'Points by use']}
        to={ACCOUNTS}
        figures={PARTS.map((name) => POINTS[name])}
        call={pointsAccount.statistics}
        input={NOTHING}
      >
        {(of) => <Points of={of} />}
      </Part>
    </Overview>
  )
}

function Figures() {
  const say = useText()
  const of = useFigures(coupon.queryStatistics, NOTHING).data
  const points = useFigures(pointsAccount.statistics, NOTHING).data
  const share = of && of.issued > 0 ? Math.round((of.used / of.issued) * 100) : undefined
  return (
    <>
      <Tile figure={COUPONS.issued} to={SENT} value={of?.issued} />
      <Tile figure={COUPONS.used} to={USED} value={of?.used}>
        {share !== undefined && say([`核销率 ${share}%`, `${share}% use rate`])}
      </Tile>
      <Tile figure={COUPONS.deductedFen} to={USED} value={of && <Money fen={of.deductedFen} />} />
      <Tile figure={POINTS.accounts} value={points?.accounts} />
      <Tile figure={POINTS.balance} value={points?.balance}>
        {points && points.debt > 0 && say([`欠 ${count(points.debt)}`, `${count(points.debt)} owed`])}
      </Tile>
      <Tile figure={POINTS.earned} value={points?.earned} />
    </>
  )
}

function ByDay({ of: { byDay } }: { of: Coupons }) {
  return (
    <Chart
      kind="line"
      label={['每日发放与核销', 'Issued and used per day']}
      by={['日期', 'Day']}
      categories={byDay.map(({ day }) => day)}
      ticks={byDay.map(({ day }) => shortDay(day))}
      series={[
        { name: COUPONS.issued.name, values: byDay.map(({ issued }) => issued) },
        { name: COUPONS.used.name, values: byDay.map(({ used }) => used) },
      ]}
    />
  )
}
function Whereabouts({ of }: { of: Coupons }) {
  const say = useText()
  const parts = [
    [COUPONS.usable.name, of.live + of.locked],
    [COUPONS.used.name, of.used],
    [['已作废', 'Withdrawn'], of.withdrawn],
    [['已过期', 'Expired'], of.expired],
  ] as const
  return (
    <Chart
      kind="share"
      label={['优惠券去向', 'Coupons by state']}
      by={['状态', 'Status']}
      categories={parts.map(([name]) => say(name))}
      series={[{ name: ['张数', 'Coupons'], values: parts.map(([, n]) => n) }]}
    />
  )
}
const MOST = 8
function Templates({ of: { byTemplate } }: { of: Coupons }) {
  const most = [...byTemplate].sort((a, b) => b.used - a.used || b.issued - a.issued).slice(0, MOST)
  return (
    <Chart
      kind="rank"
      label={['优惠券核销', 'Coupon use']}
      by={['优惠券', 'Coupon']}
      categories={most.map(({ name }) => name)}
      series={[
        { name: COUPONS.used.name, values: most.map(({ used }) => used) },
        { name: COUPONS.usable.name, values: most.map(({ live, locked }) => live + locked), tone: 'quiet' },
      ]}
    />
  )
}
function Points({ of }: { of: Of<typeof PointsSum> }) {
  const say = useText()
  const parts = PARTS.map((name) => [POINTS[name].name, of[name]] as const)
  return (
    <Chart
      kind="share"
      label={['积分去向', 'Points by use']}
      by={['去向', 'Use']}
      categories={parts.map(([name]) => say(name))}
      series={[{ name: ['积分', 'Points'], values: parts.map(([, n]) => n) }]}
    />
  )
}
