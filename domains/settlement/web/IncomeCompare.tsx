import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { cityDay, time } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParkSelect } from '../../parking/web/api/names.tsx'
import { Against, type AgainstCode, compare, type Comparison } from '../contract/compare.ts'
import { ByDay, ByKind, ByPark, Difference, Figures } from './CompareParts.tsx'
import { nameOf, type PeriodName, PERIODS } from './comparePeriods.ts'
import './compare.css'

const PURPOSE: Text = [
  '任选一段时间与另一段相比：差多少、差在哪里；点击数字查看所含记录',
  'Any period beside another one: how much they differ and why. Each figure opens what it is made of',
]
const AGAINST = Object.keys(Against.entries).map(Number) as AgainstCode[]
const isAgainst = (code: number): code is AgainstCode => AGAINST.includes(code as AgainstCode)

/** The compared periods, kept in the address. */
function useAsked() {
  const [params, setParams] = useSearchParams()
  const today = cityDay()
  const dayTo = (params.get('dayTo') ?? params.get('dayFrom') ?? today) as Day
  const dayFrom = (params.get('dayFrom') ?? dayTo) as Day
  const code = Number(params.get('against') ?? Against.previous)
  const against: AgainstCode = isAgainst(code) ? code : Against.previous
  const parkCode = params.get('parkCode') ?? undefined
  const set = (more: Record<string, string | undefined>) => {
    const all = { ...Object.fromEntries(params), ...more }
    setParams(Object.fromEntries(Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined)))
  }
  return { asked: { dayFrom, dayTo, against, ...(parkCode && { parkCode }) }, today, set }
}

/** A period of temporary parking beside another one: a person who runs several parks sees which day, which park and which part made the difference. */
export function IncomeCompare({ toolbar }: { toolbar: ReactNode }) {
  const { asked, today, set } = useAsked()
  const query = useQuery(asks(compare.whole, asked))
  return (
    <div className="page">
      <PageHead purpose={PURPOSE} />
      <div className="compare-bar">
        {toolbar}
        <Period from={asked.dayFrom} to={asked.dayTo} today={today} set={set} />
        <Beside against={asked.against} set={set} />
        <ParkSelect
          empty={['全部车场', 'All car parks']}
          {...(asked.parkCode && { value: asked.parkCode })}
          onChange={(parkCode) => set({ parkCode: parkCode || undefined })}
        />
        {can(compare.export.needs) && <ExportButton call={compare.export} criteria={asked} />}
      </div>
      {query.isError ? (
        <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
      ) : query.data ? (
        <Found of={query.data} parkCode={asked.parkCode} />
      ) : (
        <Waiting lines={8} />
      )}
    </div>
  )
}
type Set = ReturnType<typeof useAsked>['set']

function Period({ from, to, today, set }: { from: Day; to: Day; today: Day; set: Set }) {
  const say = useText()
  const names = Object.keys(PERIODS) as PeriodName[]
  const choose = (name: PeriodName) => {
    const period = PERIODS[name][1](today)
    set({ dayFrom: period.from, dayTo: period.to })
  }
  return (
    <>
      <Segmented<PeriodName | ''>
        value={nameOf({ from, to }, today) ?? ''}
        onChange={(name) => name && choose(name)}
        options={names.map((value) => ({ value, label: say(PERIODS[value][0]) }))}
      />
      <DateRange
        plain
        value={[from, to < today ? to : today]}
        onChange={(range) => range && set({ dayFrom: range[0].slice(0, 10), dayTo: range[1].slice(0, 10) })}
      />
    </>
  )
}
function Beside({ against, set }: { against: AgainstCode; set: Set }) {
  const say = useText()
  return (
    <Segmented<AgainstCode>
      aria-label={say(['对比', 'Compared with'])}
      value={against}
      onChange={(code) => set({ against: String(code) })}
      options={AGAINST.map((value) => ({ value, label: say([Against.entries[value][0], Against.entries[value][1]]) }))}
    />
  )
}

const days = (from: Day, to: Day) => (from === to ? from : `${from} – ${to}`)
function Found({ of, parkCode }: { of: Of<typeof Comparison>; parkCode: string | undefined }) {
  const say = useText()
  const until = of.beforeUntil && time(of.beforeUntil).slice(0, 16)
  return (
    <>
      <p className="faint compare-days" data-testid="compared">
        {say([
          `${days(of.dayFrom, of.dayTo)} 对比 ${days(of.beforeFrom, of.beforeTo)}`,
          `${days(of.dayFrom, of.dayTo)} vs ${days(of.beforeFrom, of.beforeTo)}`,
        ])}
        {until && say([`；期间未结束，对比期算到 ${until}`, `; the period is running, so the other one counts up to ${until}`])}
      </p>
      <Figures of={of} parkCode={parkCode} />
      <div className="compare-parts">
        <Difference of={of} parkCode={parkCode} />
        <ByDay of={of} parkCode={parkCode} />
        <ByPark of={of} parkCode={parkCode} />
        <ByKind of={of} parkCode={parkCode} />
      </div>
    </>
  )
}
