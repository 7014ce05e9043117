import { QuestionCircleOutlined } from '@ant-design/icons'
import { Popover } from 'antd'
import { useContext } from 'react'
import { explained, type Figure, type Within } from '../../contract/figure.ts'
import { cityDay } from '../format.ts'
import { listAt } from '../list/listAt.ts'
import { can } from '../person.ts'
import { Still } from './still.ts'
import { useText } from '../text.ts'
import './explain.css'

/** The list that a figure sums, of today unless days are said; nothing for whoever may not see it. */
export const listOf = ({ opens }: Figure, within: Partial<Within> = {}): string | undefined =>
  opens && can(opens.call.needs) ? listAt(opens.path, opens.filter({ from: cityDay(), to: cityDay(), ...within })) : undefined

const ON: ('hover' | 'click')[] = ['hover', 'click']
/** A small mark beside a figure, or a chart of several, that says what they count. A wall where nobody is has none. */
export function Explain({ figures }: { figures: readonly Figure[] }) {
  const say = useText()
  const still = useContext(Still)
  if (still) return null
  const what = (
    <dl className="explained">
      {figures.map((one) => (
        <div key={one.title[1]}>
          <dt>{say(one.name)}</dt>
          <dd>{say(explained(one))}</dd>
        </div>
      ))}
    </dl>
  )
  const names = figures.map(({ name }) => say(name)).join(say(['、', ', ']))
  return (
    <Popover content={what} trigger={ON} mouseEnterDelay={0.3}>
      <button type="button" className="explain" aria-label={say([`${names}是怎么算的`, `What ${names} count`])}>
        <QuestionCircleOutlined />
      </button>
    </Popover>
  )
}
