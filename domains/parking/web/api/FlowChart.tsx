import { useContext, useMemo } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { Chart } from '../../../../platform/web/draw/Chart.tsx'
import { cityDay } from '../../../../platform/web/format.ts'
import { Still } from '../../../../platform/web/draw/still.ts'
import type { Text } from '../../../../platform/web/text.ts'
import { TRAFFIC } from '../../contract/figures.ts'
import type { FlowHour } from '../../contract/screen.ts'
import { cameInHour, wentOutHour } from './hours.ts'

const DAY_MS = 86_400_000

interface Props {
  hours: readonly Of<typeof FlowHour>[]
  /** Where nothing around it says what it is. */
  title?: Text
  height?: number
}
/** Today’s hours over yesterday’s; each opens the stays of that hour. */
export default function FlowChart({ hours, title, height }: Props) {
  const still = useContext(Still)
  const categories = useMemo(() => hours.map(({ hour }) => `${hour}:00`), [hours])
  const series = useMemo(
    () => [
      { name: TRAFFIC.entered.name, values: hours.map(({ entered }) => entered), running: true },
      { name: TRAFFIC.left.name, values: hours.map(({ left }) => left), running: true },
      { name: ['昨日进场', 'Entries yesterday'] as const, values: hours.map(({ enteredBefore }) => enteredBefore), beside: 'dashed' as const },
      { name: ['昨日出场', 'Exits yesterday'] as const, values: hours.map(({ leftBefore }) => leftBefore), beside: 'dotted' as const },
    ],
    [hours],
  )
  const leads = (at: number, of: number) => {
    const day = cityDay(new Date(Date.now() - (of >= 2 ? DAY_MS : 0)).toISOString())
    return (of % 2 === 0 ? cameInHour : wentOutHour)(day, hours[at]!.hour)
  }
  return (
    <Chart
      kind="line"
      label={['每小时进出车辆数', 'Cars in and out per hour']}
      by={['小时', 'Hour']}
      {...(title && { title, figures: [TRAFFIC.entered, TRAFFIC.left] })}
      {...(height && { height })}
      {...(!still && { leads })}
      {...{ categories, series }}
    />
  )
}
