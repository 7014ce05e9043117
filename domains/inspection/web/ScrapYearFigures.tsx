import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { scrap } from '../contract/scrap.ts'
import './repair.css'

/** Devices scrapped this year, month by month. */
export function ScrapYearFigures() {
  const say = useText()
  const { data } = useQuery(asks(scrap.year, {}, { quiet: true }))
  if (!data || data.total === 0) return null
  return (
    <p className="scrap-year">
      {say([
        `${data.year} 年报废 ${data.total} 台，原值 ¥${yuan(data.originalFen)}`,
        `${data.total} scrapped in ${data.year}, original value ¥${yuan(data.originalFen)}`,
      ])}
      <span className="faint">
        {data.months
          .filter(({ count }) => count > 0)
          .map(({ month, count }) => say([`${month} 月 ${count}`, `month ${month}: ${count}`]))
          .join(say(['，', ', ']))}
      </span>
    </p>
  )
}
