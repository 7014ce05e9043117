import type { Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/Chart.tsx'
import { count } from '../../../platform/web/format.ts'
import { listAt } from '../../../platform/web/listAt.ts'
import { useText } from '../../../platform/web/text.ts'
import { Tile } from '../../../platform/web/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { coupon, CouponState, type CouponStatistics } from '../../coupon/contract/coupon.ts'
import { pointsAccount, type PointsSum } from '../../coupon/contract/pointsAccount.ts'
import { Overview, Part, shortDay, useFigures, useLastDays } from './Overview.tsx'

const COUPONS = '/activity/coupon/statistics'
const SENT = '/activity/coupon/send'
const ACCOUNTS = '/activity/integral/list'
const NOTHING = {}
const DAYS = 30
type Coupons = Of<typeof CouponStatistics>

/** Coupons and points: what was given out, what came back, and what is still to come. */
export default function ActivityDashboardScreen() {
  const { from, to } = useLastDays(DAYS)
  return (
    <Overview
      purpose={['优惠券与积分的发放、使用与结余，趋势为近 30 天', 'Coupons and points issued, used and remaining; trends over the last 30 days']}
      label={['活动数字', 'Activity figures']}
      tiles={<Figures />}
    >
      <Part
        title={['每日发放与核销', 'Issued and used per day']}
        to={COUPONS}
        call={coupon.queryStatistics}
        input={{ issuedAtFrom: from, issuedAtTo: to }}
      >
        {(of) => <ByDay of={of} />}
      </Part>
      <Part title={['优惠券去向', 'Coupons by state']} to={COUPONS} call={coupon.queryStatistics} input={NOTHING}>
        {(of) => <Whereabouts of={of} />}
      </Part>
      <Part title={['核销最多的优惠券', 'Most used coupons']} to={COUPONS} call={coupon.queryStatistics} input={NOTHING}>
        {(of) => <Templates of={of} />}
      </Part>
      <Part title={['积分去向', 'Points by use']} to={ACCOUNTS} call={pointsAccount.statistics} input={NOTHING}>
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
      <Tile name={['已发优惠券', 'Coupons issued']} to={SENT} value={of?.issued} />
      <Tile name={['已核销', 'Used']} to={listAt(SENT, { state: CouponState.used })} value={of?.used}>
        {share !== undefined && say([`核销率 ${share}%`, `${share}% use rate`])}
      </Tile>
      <Tile name={['实际抵扣', 'Deducted']} value={of && <Money fen={of.deductedFen} />} />
      <Tile name={['积分账户', 'Points accounts']} to={ACCOUNTS} value={points?.accounts} />
      <Tile name={['积分结余', 'Points balance']} to={ACCOUNTS} value={points?.balance}>
        {points && points.debt > 0 && say([`欠 ${count(points.debt)}`, `${count(points.debt)} owed`])}
      </Tile>
      <Tile name={['累计获得', 'Points earned']} value={points?.earned} />
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
        { name: ['发放', 'Issued'], values: byDay.map(({ issued }) => issued) },
        { name: ['核销', 'Used'], values: byDay.map(({ used }) => used) },
      ]}
    />
  )
}
function Whereabouts({ of }: { of: Coupons }) {
  const say = useText()
  const parts = [
    [['可用', 'Usable'], of.live],
    [['锁定', 'Locked'], of.locked],
    [['已使用', 'Used'], of.used],
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
        { name: ['已使用', 'Used'], values: most.map(({ used }) => used) },
        { name: ['可用', 'Usable'], values: most.map(({ live }) => live), tone: 'quiet' },
      ]}
    />
  )
}
function Points({ of }: { of: Of<typeof PointsSum> }) {
  const say = useText()
  const parts = [
    [['结余', 'Balance'], of.balance],
    [['已使用', 'Spent'], of.spent],
    [['已过期', 'Expired'], of.expired],
    [['已收回', 'Clawed back'], of.clawed],
  ] as const
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
