import { LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { useText } from '../../../platform/web/text.ts'
import { useLook } from '../../../platform/web/theme.ts'
import type { FlowHour } from '../contract/home.ts'

register([LineChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer])

type Hour = Of<typeof FlowHour>
const LINES = [
  { of: 'entered', name: ['进场', 'In'], token: '--accent', dashed: false },
  { of: 'left', name: ['出场', 'Out'], token: '--warn', dashed: false },
  { of: 'enteredBefore', name: ['昨日进场', 'In, yesterday'], token: '--faint', dashed: true },
  { of: 'leftBefore', name: ['昨日出场', 'Out, yesterday'], token: '--faint', dashed: true },
] as const

/** Today’s hours over yesterday’s; the same figures as a table for whoever reads rather than looks. */
export default function FlowChart({ hours }: { hours: readonly Hour[] }) {
  const say = useText()
  const look = useLook()
  const place = useRef<HTMLDivElement>(null)
  const [asTable, setAsTable] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const chart = init(element)
    const css = getComputedStyle(document.documentElement)
    const of = (token: string) => css.getPropertyValue(token).trim()
    const axis = {
      axisLine: { lineStyle: { color: of('--line') } },
      axisTick: { show: false },
      axisLabel: { color: of('--faint') },
      splitLine: { lineStyle: { color: of('--line') } },
    }
    chart.setOption({
      animation: false,
      grid: { left: 36, right: 100, top: 12, bottom: 24 },
      tooltip: { trigger: 'axis', backgroundColor: of('--surface'), borderColor: of('--line'), textStyle: { color: of('--ink') } },
      xAxis: {
        type: 'category',
        data: hours.map(({ hour }) => `${hour}:00`),
        boundaryGap: false,
        ...axis,
        axisLabel: { ...axis.axisLabel, interval: 2 },
      },
      yAxis: { type: 'value', min: 0, minInterval: 1, ...axis },
      series: LINES.map(({ of: field, name, token, dashed }) => ({
        type: 'line',
        name: say(name),
        data: hours.map((hour) => hour[field]),
        symbol: 'none',
        lineStyle: { color: of(token), width: dashed ? 1 : 2, type: dashed ? (field === 'leftBefore' ? 'dotted' : 'dashed') : 'solid' },
        itemStyle: { color: of(token) },
        endLabel: { show: true, formatter: '{a}', color: of(token), fontSize: 12 },
        labelLayout: { moveOverlap: 'shiftY' },
      })),
    })
    const watch = new ResizeObserver(() => chart.resize())
    watch.observe(element)
    return () => {
      watch.disconnect()
      chart.dispose()
    }
  }, [hours, look.dark, look.name, look.colour, say, asTable])
  return (
    <>
      <button type="button" className="today-switch" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
        {say(asTable ? ['图', 'Chart'] : ['表格', 'Table'])}
      </button>
      {asTable ? (
        <FlowTable hours={hours} />
      ) : (
        <div ref={place} className="today-chart" role="img" aria-label={say(['每小时进出车辆数', 'Cars in and out by the hour'])} />
      )}
    </>
  )
}

function FlowTable({ hours }: { hours: readonly Hour[] }) {
  const say = useText()
  return (
    <div className="today-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{say(['小时', 'Hour'])}</th>
            {LINES.map(({ of, name }) => (
              <th scope="col" key={of}>
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour.hour}>
              <th scope="row">{hour.hour}:00</th>
              {LINES.map(({ of }) => (
                <td key={of}>{hour[of] ?? '--'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
