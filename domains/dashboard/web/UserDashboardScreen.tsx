import { plural } from '../../../platform/contract/plural.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { Chart } from '../../../platform/web/Chart.tsx'
import { count, yuan } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { Tile } from '../../../platform/web/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { type ArrearsSummary, record } from '../../arrears/contract/record.ts'
import { account } from '../../owner/contract/account.ts'
import { asset } from '../../owner/contract/asset.ts'
import { home } from '../contract/home.ts'
import { UNPAID_EXITS } from '../contract/figures.ts'
import { Overview, Part, shortDay, useFigures, useLastDays } from './Overview.tsx'

const OWNERS = '/userCenter/carOwner/info'
const CARS = '/userCenter/carOwner/binding'
const REVIEW = '/userCenter/carOwner/licensePlateReview'
const ASSETS = '/userCenter/carOwner/asset'
const ARREARS = '/userCenter/arrearage/record'
const NOTHING = {}
const DAYS = 30
const DAY_MS = 86_400_000

/** Drivers with an account, what they have paid in, and what is owed. */
export default function UserDashboardScreen() {
  const { from, to } = useLastDays(DAYS)
  const span = { atFrom: startOf(from), atTo: instantAt(msOf(startOf(to)) + DAY_MS - 1) }
  return (
    <Overview
      purpose={['车主、储值余额与欠费，趋势为近 30 天', 'Owners, stored value and arrears; trends over the last 30 days']}
      label={['用户数字', 'Owner figures']}
      tiles={<Figures />}
    >
      <Part title={['车主增长', 'Owner growth']} to={OWNERS} call={account.userStatistics} input={{ dateFrom: from, dateTo: to }}>
        {(days) => <Growth days={days} />}
      </Part>
      <Part title={['欠费构成', 'Arrears by state']} to={ARREARS} call={record.summary} input={NOTHING}>
        {(of) => <Debts of={of} />}
      </Part>
      <Part title={['储值变动', 'Stored value changes']} to={ASSETS} call={asset.sum} input={span}>
        {(of) => <Stored of={of} />}
      </Part>
    </Overview>
  )
}

function Figures() {
  const say = useText()
  const now = useFigures(account.statistics, NOTHING).data
  const escapes = useFigures(home.escapes, NOTHING).data
  const debts = useFigures(record.summary, NOTHING).data
  return (
    <>
      <Tile name={['车主', 'Owners']} to={OWNERS} value={now?.owners}>
        {now && say([`今日新增 ${count(now.addedToday)}`, `${count(now.addedToday)} new today`])}
      </Tile>
      <Tile name={['绑定车辆', 'Cars bound']} to={CARS} value={now?.cars}>
        {now && say([`已认证 ${count(now.verified)}`, `${count(now.verified)} verified`])}
      </Tile>
      <Tile name={['待审核车牌', 'Plates to review']} to={REVIEW} value={now?.waiting} tone={Boolean(now?.waiting) && 'warning'} />
      <Tile name={['储值余额', 'Stored value']} to={ASSETS} value={now && <Money fen={now.storedFen} />}>
        {now && say([`代扣 ${count(now.autoDebit)} 辆`, `${count(now.autoDebit)} with automatic debit`])}
      </Tile>
      <Tile name={['未缴欠费', 'Unpaid arrears']} to={ARREARS} value={debts && <Money fen={debts.owedFen} />}>
        {debts && say([`共 ${count(debts.count)} 笔`, `of ${count(debts.count)} ${plural(debts.count, 'debt')}`])}
      </Tile>
      <Tile figure={UNPAID_EXITS.orders} value={escapes?.orders.today} {...escapes?.orders} good="down" />
    </>
  )
}

function Growth({ days }: { days: NonNullable<Of<typeof account.userStatistics.reply>> }) {
  return (
    <Chart
      kind="line"
      label={['车主增长', 'Owner growth']}
      by={['日期', 'Day']}
      categories={days.map(({ day }) => day)}
      ticks={days.map(({ day }) => shortDay(day))}
      series={[
        { name: ['新增车主', 'New owners'], values: days.map(({ added }) => added) },
        { name: ['活跃车主', 'Active owners'], values: days.map(({ active }) => active) },
        { name: ['新绑车辆', 'Cars bound'], values: days.map(({ bound }) => bound) },
      ]}
    />
  )
}
function Debts({ of }: { of: Of<typeof ArrearsSummary> }) {
  const say = useText()
  const parts = [
    [['未缴', 'Unpaid'], of.owedFen],
    [['已补缴', 'Repaid'], of.paidFen],
    [['减免', 'Waived'], of.waivedFen],
    [['核销', 'Written off'], of.writtenOffFen],
    [['撤销', 'Revoked'], of.revokedFen],
  ] as const
  return (
    <Chart
      kind="share"
      label={['欠费构成', 'Arrears by state']}
      by={['去向', 'Use']}
      categories={parts.map(([name]) => say(name))}
      series={[{ name: ['金额', 'Amount'], values: parts.map(([, fen]) => fen) }]}
      written={(fen) => `¥${yuan(fen)}`}
    />
  )
}
function Stored({ of }: { of: Of<typeof asset.sum.reply> }) {
  const say = useText()
  const parts = [
    [['充值', 'Topped up'], of.rechargedFen],
    [['赠送', 'Bonus'], of.givenFen],
    [['消费', 'Spent'], of.spentFen],
    [['退款', 'Refunded'], of.refundedFen],
    [['收回', 'Clawed back'], of.takenBackFen],
    [['期末余额（账户与停车卡）', 'Closing balance, accounts and cards'], of.closingFen],
  ] as const
  return (
    <Chart
      kind="bar"
      label={['近 30 天储值变动', 'Stored value changes, last 30 days']}
      by={['项目', 'Item']}
      categories={parts.map(([name]) => say(name))}
      series={[{ name: ['金额', 'Amount'], values: parts.map(([, fen]) => fen) }]}
      written={(fen) => `¥${yuan(fen)}`}
    />
  )
}
