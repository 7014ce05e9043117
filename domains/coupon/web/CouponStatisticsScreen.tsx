import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import type { Day } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../../../platform/contract/time.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { count, yuan } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { Failed } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { coupon } from '../contract/coupon.ts'
import { COUPONS } from '../contract/figures.ts'
import { use } from '../contract/use.ts'
import { Uses } from './SoldScreen.tsx'
import './coupon.css'

const STRETCHES = [7, 30, 90] as const

/** Coupons by their present state: issued = usable + locked + used + withdrawn + expired. */
export default function CouponStatisticsScreen() {
  const say = useText()
  const [days, setDays] = useState<number>(STRETCHES[1])
  const day = (before: number) => dayOf(instantAt(Date.now() - before * DAY_MS)) as Day
  const [first, last] = [day(days - 1), day(0)]
  const within = { from: first, to: last }
  const { data, error, refetch } = useQuery(asks(coupon.queryStatistics, { issuedAtFrom: first, issuedAtTo: last }, { quiet: true }))
  if (error && !data) return <Failed error={error as unknown as Refusal} retry={() => void refetch()} />
  const told = new Map(data?.byDay.map((one) => [one.day as string, one]))
  const byDay = Array.from({ length: days }, (_, n) => told.get(day(days - 1 - n)) ?? { day: day(days - 1 - n), issued: 0, used: 0 })
  const stretch = (
    <Segmented
      value={days}
      onChange={setDays}
      options={STRETCHES.map((value) => ({ value, label: say([`近 ${value} 天`, `Last ${value} ${plural(value, 'day')}`]) }))}
    />
  )
  const figures = (
    <>
      <Tiles label={['优惠券概况', 'Coupons']}>
        <Tile figure={COUPONS.issued} within={within} value={data?.issued} />
        <Tile figure={COUPONS.usable} within={within} value={data && data.live + data.locked} />
        <Tile figure={COUPONS.used} within={within} value={data?.used} />
        <Tile figure={COUPONS.gone} within={within} value={data && data.withdrawn + data.expired} />
        <Tile figure={COUPONS.faceFen} within={within} value={data && <Money fen={data.faceFen} />} />
        <Tile figure={COUPONS.deductedFen} within={within} value={data && <Money fen={data.deductedFen} />} />
      </Tiles>
      <Chart
        label={['发放与核销', 'Issued and used']}
        title={['发放与核销', 'Issued and used']}
        figures={[COUPONS.issued, COUPONS.used]}
        note={stretch}
        kind="line"
        by={['日期', 'Day']}
        height={180}
        waiting={data === undefined}
        categories={byDay.map((one) => one.day.slice(5))}
        series={[
          { name: COUPONS.issued.name, values: byDay.map(({ issued }) => issued) },
          { name: COUPONS.used.name, values: byDay.map(({ used }) => used) },
        ]}
        empty={['这段时间没有发放', 'None issued in this period']}
      />
      <ByTemplate of={data?.byTemplate ?? []} />
    </>
  )
  return can(use.queryPage.needs) ? <Uses above={figures} /> : <div className="list">{figures}</div>
}

const HEADS = [
  ['券模板', 'Template'],
  ['发放', 'Issued'],
  ['可用', 'Usable'],
  ['已使用', 'Used'],
  ['核销率', 'Use rate'],
  ['面值', 'Face value'],
  ['实际抵扣', 'Deducted'],
] as const
function ByTemplate({ of }: { of: NonNullable<(typeof coupon.queryStatistics.reply)['~unsafe']>['byTemplate'] }) {
  const say = useText()
  if (of.length === 0) return null
  return (
    <div className="coupon-lines">
      <table className="lines">
        <thead>
          <tr>
            {HEADS.map((head, at) => (
              <th key={head[1]} className={at > 0 ? 'right' : undefined}>
                {say(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.templateId}>
              <td>{one.name}</td>
              <td className="right">{count(one.issued)}</td>
              <td className="right">{count(one.live + one.locked)}</td>
              <td className="right">{count(one.used)}</td>
              <td className="right">{one.issued === 0 ? '--' : `${((one.used / one.issued) * 100).toFixed(1)}%`}</td>
              <td className="right">¥{yuan(one.faceFen)}</td>
              <td className="right">¥{yuan(one.deductedFen)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
