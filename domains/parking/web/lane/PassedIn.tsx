import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { lasting } from '../../../../platform/contract/duration.ts'
import type { Of } from '../../../../platform/contract/field.ts'
import { DAY_MS } from '../../../../platform/contract/time.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { cityDay, count, dayEnd, dayStart } from '../../../../platform/web/format.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import { useText } from '../../../../platform/web/text.ts'
import { type PassDay, passTime } from '../../contract/passTime.ts'

/** The median of one park and day; it opens the cars that it is of. */
export function PassedIn({ of }: { of: Of<typeof PassDay> }) {
  const say = useText()
  const [zhMedian, enMedian] = lasting(of.medianSec, 'second')
  const range = `passedAtFrom=${dayStart(of.day)}&passedAtTo=${dayEnd(of.day)}`
  return (
    <Link to={`/operation/passTime?parkCode=${of.parkCode}&${range}`}>
      {say([
        `缴费到放行 中位 ${zhMedian}（${count(of.cars)} 辆）`,
        `Payment to exit: median ${enMedian} of ${count(of.cars)} ${plural(of.cars, 'car')}`,
      ])}
    </Link>
  )
}

const DAYS_SHOWN = 7
/** The last days of a park; nothing where no car has paid at an exit. */
export function PassDays({ parkCode }: { parkCode: string }) {
  const dayFrom = cityDay(new Date(Date.now() - (DAYS_SHOWN - 1) * DAY_MS))
  const { data = [] } = useQuery(asks(passTime.days, { parkCode, dayFrom, dayTo: cityDay() }, { quiet: true }))
  if (data.length === 0) return null
  return (
    <Section title={['缴费到放行时长', 'Payment-to-exit time']}>
      <table className="lines">
        <tbody>
          {data.map((one) => (
            <tr key={one.day}>
              <td>{one.day}</td>
              <td>
                <PassedIn of={one} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
