import { time } from '../../../platform/web/format.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CellState } from '../contract/roster.ts'
import { type Line, weekdayOf } from './roster.ts'

interface Props {
  lines: readonly Line[]
  days: readonly string[]
  /** Whose roster it is: a group, a park, both or everybody. */
  crew: Text
  /** When the server said so, in milliseconds. */
  saidAt: number
  /** Something is put down that is not stored: it is not on the sheet. */
  dirty: boolean
}
type Cell = Line['cells'][number]
/** Up to so many days each have their size of letters; more are as small as can be read. */
const SIZES = [7, 14]
const SMALLEST = 31

/** The stored roster for the wall of the crew's room: people by days, its head on every sheet of paper. It is seen on paper alone. */
export function RosterSheet({ lines, days, crew, saidAt, dirty }: Props) {
  const say = useText()
  const size = SIZES.find((most) => days.length <= most) ?? SMALLEST
  return (
    <table className={`roster-sheet days-${size}`} aria-label={say(['打印的排班表', 'Printed roster'])}>
      <colgroup>
        <col />
        <col span={days.length} />
      </colgroup>
      <thead>
        <tr>
          <th colSpan={days.length + 1} className="roster-title">
            <b>
              {say(['排班表', 'Roster'])} · {say(crew)} · {days[0]} – {days.at(-1)}
            </b>{' '}
            {say(['数据时间', 'As of'])} {time(new Date(saidAt)).slice(0, 16)}
            {dirty && say([' · 未保存的改动不在表上', ' · without changes that are not saved'])}
          </th>
        </tr>
        <tr>
          <th scope="col">{say(['人员', 'Person'])}</th>
          {days.map((day) => (
            <th key={day} scope="col">
              {day.slice(5)} <span>{say(weekdayOf(day))}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ tollNo, name, cells }) => (
          <tr key={tollNo}>
            <th scope="row">
              <b>{name}</b> {tollNo}
            </th>
            {days.map((day) => (
              <td key={day}>
                {cells
                  .filter(({ workDate }) => workDate === day)
                  .map((cell) => (
                    <OnPaper key={cell.id} cell={cell} />
                  ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The shift as it was planned, and when it is worked. A person on leave or off has no hours. */
function OnPaper({ cell: { shiftId, shiftName, segments, state } }: { cell: Cell }) {
  const say = useText()
  const [zh, en] = CellState.entries[state]
  if (!shiftId) return <p>{say(['休息', 'Off'])}</p>
  return (
    <p>
      <b>{shiftName}</b>
      {state !== CellState.planned && <span>{say([zh, en])}</span>}
      {state !== CellState.leave &&
        segments.map(({ from, to }) => (
          <span key={from}>
            {from}–<wbr />
            {to}
          </span>
        ))}
    </p>
  )
}
