import { plural } from '../../../platform/contract/plural.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { count, yuan } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { Tile } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { type ArrearsSummary, record } from '../../arrears/contract/record.ts'
import { ARREARS_FIGURES } from '../../arrears/contract/figures.ts'
import { account } from '../../owner/contract/account.ts'
import { asset } from '../../owner/contract/asset.ts'
import { OWNERS, OWNERS_OVER_TIME, STORED_VALUE } from '../../owner/contract/figures.ts'
import { home } from '../contract/home.ts'
import { UNPAID_EXITS } from '../contract/figures.ts'
import { Overview, Part, shortDay, useFigures, useLastDays } from './Overview.tsx'

const OWNERS_LIST = '/userCenter/carOwner/info'
const ASSETS = '/userCenter/carOwner/asset'
const ARREARS = '/userCenter/arrearage/record'
const NOTHING = {}
/** The parts that arrears divide into. */
const PARTS = ['owedFen', 'paidFen', 'waivedFen', 'writtenOffFen', 'revokedFen'] as const
const DEBTS = PARTS.map((name) => ARREARS_FIGURES[name])
const CHANGES = ['rechargedFen', 'givenFen', 'spentFen', 'refundedFen', 'takenBackFen', 'closingFen'] as const
const STORED = CHANGES.map((name) => STORED_VALUE[name])
const DAYS = 30
const DAY_MS = 86_400_000

/** Drivers with an account, what they have paid in, and what is owed. */
export default function OwnerDashboardScreen() {
  const { from, to } = useLastDays(DAYS)
  const span = { atFrom: startOf(from), atTo: instantAt(msOf(startOf(to)) + DAY_MS - 1) }
  return (
    <Overview
      purpose={['车主、储值余额与欠费，趋势为近 30 天', 'Owners, stored value and arrears; trends over the last 30 days']}
      label={['用户数字', 'Owner figures']}
      tiles={<Figures />}
    >
      <Part
        title={['车主增长', 'Owner growth']}
        to={OWNERS_LIST}
        figures={Object.values(OWNERS_OVER_TIME)}
        call={account.userStatistics}
        input={{ dateFrom: from, dateTo: to }}
      >
        {(days) => <Growth days={days} />}
      </Part>
      <Part title={['欠费构成', 'Arrears by state']} to={ARREARS} figures={DEBTS} call={record.summary} input={NOTHING}>
        {(of) => <Debts of={of} />}
      </Part>
      <Part title={['储值收支', 'Stored value in and out']} to={ASSETS} figures={STORED} call={asset.sum} input={span}>
        {(of) => <StoredChanges of={of} />}
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
      <Tile figure={OWNERS.owners} value={now?.owners}>
        {now && say([`今日新增 ${count(now.addedToday)}`, `${count(now.addedToday)} new today`])}
      </Tile>
      <Tile figure={OWNERS.cars} value={now?.cars}>
        {now && say([`已认证 ${count(now.verified)}`, `${count(now.verified)} verified`])}
      </Tile>
      <Tile figure={OWNERS.waiting} value={now?.waiting} tone={Boolean(now?.waiting) && 'warning'} />
      <Tile figure={OWNERS.storedFen} value={now && <Money fen={now.storedFen} />}>
        {now && say([`代扣 ${count(now.autoDebit)} 辆`, `${count(now.autoDebit)} with automatic debit`])}
      </Tile>
      <Tile figure={ARREARS_FIGURES.owedFen} value={debts && <Money fen={debts.owedFen} />}>
        {debts && say([`含已缴清的共 ${count(debts.count)} 笔`, `of ${count(debts.count)} ${plural(debts.count, 'debt')}, those paid up included`])}
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
        { name: OWNERS_OVER_TIME.added.name, values: days.map(({ added }) => added) },
        { name: OWNERS_OVER_TIME.active.name, values: days.map(({ active }) => active) },
        { name: OWNERS_OVER_TIME.bound.name, values: days.map(({ bound }) => bound) },
      ]}
    />
  )
}
function Debts({ of }: { of: Of<typeof ArrearsSummary> }) {
  const say = useText()
  const parts = PARTS.map((name) => [ARREARS_FIGURES[name].name, of[name]] as const)
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
function StoredChanges({ of }: { of: Of<typeof asset.sum.reply> }) {
  const say = useText()
  const parts = CHANGES.map((name) => [STORED_VALUE[name].name, of[name]] as const)
  return (
    <Chart
      kind="bar"
      label={['近 30 天储值收支', 'Stored value in and out, last 30 days']}
      by={['项目', 'Item']}
      categories={parts.map(([name]) => say(name))}
      series={[{ name: ['金额', 'Amount'], values: parts.map(([, fen]) => fen) }]}
      written={(fen) => `¥${yuan(fen)}`}
    />
  )
}
