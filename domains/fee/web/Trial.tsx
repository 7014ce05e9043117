import { useMutation } from '@tanstack/react-query'
import { Alert, Button, DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { type ReactNode, useState } from 'react'
import type { Instant } from '../../../platform/contract/field.ts'
import type { Refusal } from '../../../platform/web/ask.ts'
import { time } from '../../../platform/web/format.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import type { QuoteOf } from '../contract/quote.ts'
import { FeeExplanation } from './api/FeeExplanation.tsx'
import './fee.css'

/** A stay to be tried, in the city's time. */
export interface TrialStay {
  entry: Instant
  at: Instant
}
const WRITTEN = 'YYYY-MM-DD HH:mm:ss'
const HOURS_AT_FIRST = 5
const SPANS: readonly (readonly [hours: number, text: Text])[] = [
  [1, ['1 小时', '1 hour']],
  [5, ['5 小时', '5 hours']],
  [12, ['12 小时', '12 hours']],
  [24, ['24 小时', '24 hours']],
  [72, ['3 天', '3 days']],
]

const thisHour = (): Dayjs => dayjs(time(new Date())).startOf('hour')

/** Entry, exit and whatever else `children` ask; then what it costs and why. */
export function Trial({ quote, children }: { quote: (stay: TrialStay) => Promise<QuoteOf>; children?: ReactNode }) {
  const say = useText()
  const [entry, setEntry] = useState(() => thisHour().subtract(HOURS_AT_FIRST, 'hour'))
  const [exit, setExit] = useState(thisHour)
  const trial = useMutation<QuoteOf, Refusal, void>({
    mutationFn: () => quote({ entry: entry.format(WRITTEN) as Instant, at: exit.format(WRITTEN) as Instant }),
  })
  const picker = { format: WRITTEN, showTime: true, needConfirm: false, allowClear: false } as const
  return (
    <div className="trial">
      <form
        className="fee-trial"
        onSubmit={(event) => {
          event.preventDefault()
          trial.mutate()
        }}
      >
        {children}
        <label>
          {say(['入场时间', 'Entry'])}
          <DatePicker {...picker} value={entry} onChange={(moment) => setEntry(moment as Dayjs)} />
        </label>
        <label>
          {say(['离场时间', 'Exit'])}
          <DatePicker {...picker} value={exit} onChange={(moment) => setExit(moment as Dayjs)} />
        </label>
        <span>
          {SPANS.map(([hours, text]) => (
            <Button key={hours} type="text" size="small" onClick={() => setExit(entry.add(hours, 'hour'))}>
              {say(text)}
            </Button>
          ))}
        </span>
        <Button type="primary" htmlType="submit" loading={trial.isPending}>
          {say(['试算', 'Calculate'])}
        </Button>
      </form>
      {trial.error && <Alert showIcon type="error" title={trial.error.message} />}
      {trial.data && <FeeExplanation quote={trial.data} until />}
    </div>
  )
}
