import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type ECharts, init, use as register } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { ChartProps } from './Chart.tsx'
import { optionOf } from './chartOption.ts'
import { useText } from './text.ts'
import { useLook } from './theme.ts'

register([LineChart, BarChart, PieChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer])

/** Drawn anew when its figures, the language or the look change, and when a hidden tab is shown again. */
export default function ChartBody(props: ChartProps) {
  const say = useText()
  const { dark, name, colour } = useLook()
  const go = useNavigate()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(undefined)
  const leads = useRef(props.leads)
  leads.current = props.leads
  useEffect(() => {
    const element = place.current!
    const made = init(element)
    chart.current = made
    const watch = new ResizeObserver(() => made.resize())
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])
  useEffect(() => {
    const made = chart.current!
    made.setOption(optionOf(props, { say, dark, token: tokenOf }), { notMerge: true })
    const open = ({ dataIndex, seriesIndex = 0 }: { dataIndex: number; seriesIndex?: number }) => {
      const to = leads.current?.(dataIndex, seriesIndex)
      if (to) void go(to)
    }
    made.on('click', open as never)
    return () => void made.off('click')
  }, [props.kind, props.categories, props.series, props.written, say, dark, name, colour, go])
  return <div ref={place} className="chart-canvas" />
}
const tokenOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
