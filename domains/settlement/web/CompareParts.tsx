import { Link } from 'react-router'
import type { ReactNode } from 'react'
import type { Day, Of } from '../../../platform/contract/field.ts'
import type { Figure, Within } from '../../../platform/contract/figure.ts'
import { changeIn } from '../../../platform/web/draw/change.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { listOf } from '../../../platform/web/draw/Explain.tsx'
import { count, money, NONE } from '../../../platform/web/format.ts'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { Panel } from '../../../platform/web/draw/Panel.tsx'
import { can } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { CELL, GROUP, HEAD, ROW, TABLE } from '../../../platform/web/list/tableRoles.ts'
import { account, accountNames } from '../../ledger/contract/account.ts'
import { ParkName } from '../../parking/web/api/names.tsx'
import type { Comparison } from '../contract/compare.ts'
import { INCOME } from '../contract/figures.ts'

type Found = Of<typeof Comparison>
interface Props {
  of: Found
  parkCode: string | undefined
}
type Name = 'netFen' | 'receivableFen' | 'paidFen' | 'discountFen' | 'refundFen' | 'orders'
const written = (name: Name, value: number) => (name === 'orders' ? count(value) : money(value))
const thisPeriod = ({ dayFrom: from, dayTo: to }: Found, parkCode: string | undefined): Within => ({ from, to, parkCode })
const otherPeriod = ({ beforeFrom: from, beforeTo: to }: Found, parkCode: string | undefined): Within => ({ from, to, parkCode })

/** While a period runs the other one counts to the same moment: a period that ends there opens no list, which would be of whole days. */
const whole = (of: Found, within: Within | undefined) => (of.beforeUntil !== null && within?.to === of.beforeTo ? undefined : within)

/** An amount or a number that opens its list, where the reader may see it. */
function Opens({ figure, within, children }: { figure: Figure; within: Within | undefined; children: ReactNode }) {
  const to = within && listOf(figure, within)
  return to ? <Link to={to}>{children}</Link> : children
}
const signed = (fen: number) => (fen > 0 ? `+${money(fen)}` : money(fen))
/** How much more or less, and by how many per cent where that says anything. */
function Change({ now, before }: { now: number; before: number }) {
  const percent = changeIn(now, before)
  return (
    <>
      {signed(now - before)}{' '}
      <span className="faint compare-percent">{percent === undefined ? NONE : `${percent > 0 ? '+' : ''}${count(percent)}%`}</span>
    </>
  )
}

const AGAINST: Text = ['变化', 'Change']
const TILES: readonly { name: Name; good: 'up' | 'down' }[] = [
  { name: 'netFen', good: 'up' },
  { name: 'receivableFen', good: 'up' },
  { name: 'paidFen', good: 'up' },
  { name: 'orders', good: 'up' },
  { name: 'discountFen', good: 'down' },
  { name: 'refundFen', good: 'down' },
]
export function Figures({ of, parkCode }: Props) {
  const say = useText()
  return (
    <Tiles label={['收入对比', 'Income compared']}>
      {TILES.map(({ name, good }) => (
        <Tile
          key={name}
          figure={INCOME[name]}
          within={thisPeriod(of, parkCode)}
          value={name === 'orders' ? of.now.orders : <Money fen={of.now[name]} />}
          today={of.now[name]}
          before={of.before[name]}
          against={AGAINST}
          good={good}
        >
          <Opens figure={INCOME[name]} within={whole(of, otherPeriod(of, parkCode))}>
            {say([`对比期 ${written(name, of.before[name])}`, `${written(name, of.before[name])} before`])}
          </Opens>
        </Tile>
      ))}
    </Tiles>
  )
}

const perStay = ({ receivableFen, orders }: Found['now']) => (orders === 0 ? NONE : money(Math.round(receivableFen / orders)))
/** Shows the parts of the change of 净收. */
export function Difference({ of, parkCode }: Props) {
  const say = useText()
  const { now, before, why } = of
  const between = (name: 'discountFen' | 'waivedFen' | 'arrearsFen' | 'refundFen') => `${money(before[name])} → ${money(now[name])}`
  const parts: readonly [text: Text, fen: number, more: string, figure: Figure][] = [
    [['停车笔数', 'Number of stays'], why.staysFen, `${count(before.orders)} → ${count(now.orders)}`, INCOME.orders],
    [['笔均费用', 'Mean fee per stay'], why.meanFen, `${perStay(before)} → ${perStay(now)}`, INCOME.receivableFen],
    [INCOME.discountFen.name, why.discountFen, between('discountFen'), INCOME.discountFen],
    [INCOME.waivedFen.name, why.waivedFen, between('waivedFen'), INCOME.waivedFen],
    [INCOME.arrearsFen.name, why.arrearsFen, between('arrearsFen'), INCOME.arrearsFen],
    [INCOME.refundFen.name, why.refundFen, between('refundFen'), INCOME.refundFen],
  ]
  return (
    <Panel title={['净收差在哪里', 'What explains the change in net']} figures={[INCOME.netFen, INCOME.orders]}>
      <table {...TABLE} className="lines compare-lines">
        <tbody {...GROUP}>
          {parts.map(([text, fen, more, figure]) => (
            <tr {...ROW} key={text[1]}>
              <td {...CELL}>{say(text)}</td>
              <td {...CELL} className="faint">
                {more}
              </td>
              <td {...CELL} className="right">
                <Opens figure={figure} within={thisPeriod(of, parkCode)}>
                  {signed(fen)}
                </Opens>
              </td>
            </tr>
          ))}
          <tr {...ROW} className="sum">
            <td {...CELL}>{say(['净收变化', 'Change in net'])}</td>
            <td {...CELL} className="faint">{`${money(before.netFen)} → ${money(now.netFen)}`}</td>
            <td {...CELL} className="right">
              {signed(now.netFen - before.netFen)}
            </td>
          </tr>
        </tbody>
      </table>
    </Panel>
  )
}

const NOW: Text = ['本期净收', 'Net']
const BEFORE: Text = ['对比期净收', 'Net before']
const CHANGE: Text = ['变化', 'Change']
const STAYS: Text = ['笔数', 'Stays']
interface Line {
  key: string
  head: ReactNode
  now: Found['now']
  before: Found['before']
  /** The time of each side; undefined where the other period has no such day. */
  within: Within | undefined
  withinBefore: Within | undefined
}
/** Rows of both periods side by side, with their sum. */
function Beside({ head, lines, of, parkCode }: { head: Text; lines: readonly Line[] } & Props) {
  const say = useText()
  const sum = {
    key: 'sum',
    head: say(['合计', 'Total']),
    now: of.now,
    before: of.before,
    within: thisPeriod(of, parkCode),
    withinBefore: otherPeriod(of, parkCode),
  }
  return (
    <table {...TABLE} className="lines stacked">
      <thead {...GROUP}>
        <tr {...ROW}>
          <th {...HEAD}>{say(head)}</th>
          {[NOW, BEFORE, CHANGE, STAYS].map((text) => (
            <th {...HEAD} key={text[1]} className="right">
              {say(text)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...GROUP}>
        {[...lines, sum].map(({ key, head: what, now, before, within, withinBefore }) => (
          <tr {...ROW} key={key} className={key === 'sum' ? 'sum' : ''}>
            <td {...CELL}>{what}</td>
            <td {...CELL} className="right" data-name={say(NOW)}>
              <Opens figure={INCOME.netFen} within={within}>
                {within ? <Money fen={now.netFen} /> : NONE}
              </Opens>
            </td>
            <td {...CELL} className="right" data-name={say(BEFORE)}>
              <Opens figure={INCOME.netFen} within={whole(of, withinBefore)}>
                {withinBefore ? <Money fen={before.netFen} /> : NONE}
              </Opens>
            </td>
            <td {...CELL} className="right" data-name={say(CHANGE)}>
              {within && withinBefore ? <Change now={now.netFen} before={before.netFen} /> : NONE}
            </td>
            <td {...CELL} className="right" data-name={say(STAYS)}>
              {within ? count(now.orders) : NONE} / {withinBefore ? count(before.orders) : NONE}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const on = (day: Day | null, parkCode: string | undefined): Within | undefined => (day ? { from: day, to: day, parkCode } : undefined)
export function ByDay({ of, parkCode }: Props) {
  const lines = of.days.map(({ day, beforeDay, now, before }): Line => ({
    key: `${day} ${beforeDay}`,
    head: (
      <>
        {day ?? NONE} <span className="faint">/ {beforeDay ?? NONE}</span>
      </>
    ),
    ...{ now, before, within: on(day, parkCode), withinBefore: on(beforeDay, parkCode) },
  }))
  const leads = (at: number, series: number) => {
    const within = series === 0 ? lines[at]!.within : whole(of, lines[at]!.withinBefore)
    return within && listOf(INCOME.netFen, within)
  }
  return (
    <Panel title={['按日', 'By day']} figures={[INCOME.netFen]}>
      {of.days.length > 1 && (
        <Chart
          kind="line"
          label={['每日净收', 'Net per day']}
          by={['日期', 'Day']}
          height={200}
          categories={of.days.map(({ day, beforeDay }) => (day ?? beforeDay ?? '').slice(5))}
          series={[
            { name: NOW, values: of.days.map(({ day, now }) => (day ? now.netFen : null)), running: of.beforeUntil !== null },
            { name: BEFORE, values: of.days.map(({ beforeDay, before }) => (beforeDay ? before.netFen : null)), beside: 'dashed' },
          ]}
          written={money}
          leads={leads}
        />
      )}
      <Beside head={['日期 / 对比日期', 'Day / compared day']} {...{ lines, of, parkCode }} />
    </Panel>
  )
}

export function ByPark({ of, parkCode }: Props) {
  const lines = of.parks.map(({ parkCode: code, now, before }): Line => ({
    ...{ key: code, head: <ParkName code={code} />, now, before },
    ...{ within: thisPeriod(of, code), withinBefore: otherPeriod(of, code) },
  }))
  return (
    <Panel title={['按车场，变化大的在前', 'By car park, largest change first']} figures={[INCOME.netFen]}>
      <Beside head={['车场', 'Car park']} {...{ lines, of, parkCode }} />
    </Panel>
  )
}

const EARNED: Text = ['入账收入', 'Earned']
const EARNED_BEFORE: Text = ['对比期入账收入', 'Earned before']
const SHARED: Text = ['共享泊位与过期商户券', 'Shared bays and expired merchant coupons']
type Cells = { name: Text; now: ReactNode; before: ReactNode }
/** All kinds of income as their accounts have it: parking is its 应收, passes are earned day by day. */
export function ByKind({ of, parkCode }: Props) {
  const say = useText()
  if (of.kinds.length === 0) return null
  const ofAccount = (code: string, from: Day, to: Day, fen: number) => {
    const shown = <Money fen={fen} />
    return can(account.statement.needs) ? <Link to={listAt('/operation/ledger', { account: code, from, to })}>{shown}</Link> : shown
  }
  const cells = ({ account: code, temporary, earnedFen, earnedBeforeFen }: Found['kinds'][number]): Cells => {
    const figure = INCOME.receivableFen
    if (temporary) {
      const opens = (within: Within | undefined, fen: number) => (
        <Opens figure={figure} within={within}>
          <Money fen={fen} />
        </Opens>
      )
      return {
        name: figure.title,
        now: opens(thisPeriod(of, parkCode), earnedFen),
        before: opens(whole(of, otherPeriod(of, parkCode)), earnedBeforeFen),
      }
    }
    // The account of parking has all of it: no list of it sums what is not temporary parking alone.
    if (code === 'income.parking') return { name: SHARED, now: <Money fen={earnedFen} />, before: <Money fen={earnedBeforeFen} /> }
    const name = accountNames[code as keyof typeof accountNames]
    return { name, now: ofAccount(code, of.dayFrom, of.dayTo, earnedFen), before: ofAccount(code, of.beforeFrom, of.beforeTo, earnedBeforeFen) }
  }
  return (
    <Panel title={['各类收入（应收口径，未扣优惠）', 'All types of income, as booked before discounts']} figures={[INCOME.receivableFen]}>
      <table {...TABLE} className="lines stacked">
        <thead {...GROUP}>
          <tr {...ROW}>
            <th {...HEAD}>{say(['收入类型', 'Income type'])}</th>
            {[EARNED, EARNED_BEFORE, CHANGE].map((text) => (
              <th {...HEAD} key={text[1]} className="right">
                {say(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...GROUP}>
          {of.kinds.map((kind) => {
            const { name, now, before } = cells(kind)
            return (
              <tr {...ROW} key={`${kind.account} ${kind.temporary}`}>
                <td {...CELL}>{say(name)}</td>
                <td {...CELL} className="right" data-name={say(EARNED)}>
                  {now}
                </td>
                <td {...CELL} className="right" data-name={say(EARNED_BEFORE)}>
                  {before}
                </td>
                <td {...CELL} className="right" data-name={say(CHANGE)}>
                  <Change now={kind.earnedFen} before={kind.earnedBeforeFen} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}
