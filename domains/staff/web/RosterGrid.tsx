import { Button, Popover } from 'antd'
import { ClockCircleOutlined } from '@ant-design/icons'
import { type DragEvent, memo, type RefObject, useRef, useState } from 'react'
import { Link } from 'react-router'
import { cityDay } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { request } from '../contract/request.ts'
import { CellState, Conflict, schedule, WEEK_MIN_MAX } from '../contract/roster.ts'
import { OWN_PARK, PlacesSelect, usePlaces, useShifts } from './choices.tsx'
import { requestsAt } from './lists.ts'
import {
  adding,
  type Change,
  type Draft,
  daysFrom,
  draftsOf,
  EMPTY,
  hours,
  type Line,
  type Met,
  moving,
  type Piece,
  piecesOf,
  placing,
  removing,
  sameList,
  weekdayOf,
  weekOf,
  weeksWith,
} from './roster.ts'

interface Props {
  lines: readonly Line[]
  days: readonly string[]
  draft: Draft
  met: readonly Met[]
  /** Where the next person put down works; without a place, in their own park. */
  places: string[]
  change: (by: Change) => unknown
}
/** A row for each person, a column for each day. Pieces are dragged, or chosen by keyboard: every place is a button. */
export function RosterGrid({ lines, days, draft, met, places, change }: Props) {
  const say = useText()
  const shifts = useShifts()
  const dragged = useRef<Piece | undefined>(undefined)
  const today = cityDay()
  const drafts = draftsOf(lines, draft)
  return (
    <div className="roster-grid">
      <table aria-label={say(['排班表', 'Roster'])}>
        <thead>
          <tr>
            <th scope="col">{say(['人员', 'Person'])}</th>
            {days.map((day) => (
              <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
                {day.slice(5)} {say(weekdayOf(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row
              key={line.tollNo}
              line={line}
              first={days[0]!}
              count={days.length}
              today={today}
              draft={drafts.get(line.tollNo) ?? EMPTY}
              met={met.filter(({ tollNo }) => tollNo === line.tollNo)}
              places={places}
              shifts={shifts}
              dragged={dragged}
              change={change}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Shifts = ReturnType<typeof useShifts>
interface RowProps extends Pick<Props, 'draft' | 'met' | 'places' | 'change'> {
  line: Line
  first: string
  count: number
  today: string
  shifts: Shifts
  dragged: RefObject<Piece | undefined>
}
/** A person's days are drawn anew only when theirs have changed: a month of many people has thousands of places. */
const isAsBefore = ({ draft: a, met: m, ...before }: RowProps, { draft: b, met: n, ...now }: RowProps) =>
  sameList(Object.values(before), Object.values(now)) && sameList(a.added, b.added) && sameList(a.removed, b.removed) && sameList(m, n)
const Row = memo(function Row({ line, first, count, today, draft, met, places, shifts, dragged, change }: RowProps) {
  const { tollNo, name } = line
  const edits = can(schedule.save.needs)
  const pieces = piecesOf([line], draft)
  const weeks = weeksWith(line, draft, (id) => shifts.find((one) => one.id === id)?.workMin ?? 0)
  const drop = (event: DragEvent, workDate: string) => {
    event.preventDefault()
    const [piece, copies] = [dragged.current, event.altKey]
    dragged.current = undefined
    if (!piece || workDate < today) return
    if (piece.tollNo !== tollNo || piece.workDate !== workDate) change((before) => moving(before, piece, { tollNo, workDate }, copies))
  }
  return (
    <tr>
      <th scope="row">
        <b>{name}</b> <small>{tollNo}</small>
        <Weeks weeks={weeks} />
      </th>
      {daysFrom(first, count).map((day) => (
        <td key={day} onDragOver={(event) => edits && dragged.current && event.preventDefault()} onDrop={(event) => edits && drop(event, day)}>
          {(pieces.get(`${tollNo} ${day}`) ?? []).map((piece) => (
            <Chip
              key={piece.key}
              piece={piece}
              shift={shifts.find((one) => one.id === piece.shiftId)}
              met={met.filter(({ workDate }) => workDate === day)}
              edits={edits}
              drag={(next) => (dragged.current = next)}
              change={change}
            />
          ))}
          {edits && day >= today && (
            <Add
              label={`${name} ${day}`}
              shifts={shifts}
              put={(shiftId) => change((before) => adding(before, { tollNo, workDate: day, shiftId, placeCodes: shiftId ? places : [] }))}
            />
          )}
        </td>
      ))}
    </tr>
  )
}, isAsBefore)

/** Planned hours of each week that the days touch, whole: therefore each says its own first and last day. */
export function Weeks({ weeks }: Pick<Line, 'weeks'>) {
  const say = useText()
  return (
    <span className="roster-weeks">
      {weeks.map(({ monday, plannedMin }) => (
        <small key={monday} className={plannedMin > WEEK_MIN_MAX ? 'roster-week over' : 'roster-week'}>
          {plannedMin > WEEK_MIN_MAX && '△ '}
          {weekOf(monday)} {say([`${hours(plannedMin)} 小时`, `${hours(plannedMin)} h`])}
        </small>
      ))}
    </span>
  )
}

interface ChipProps {
  piece: Piece
  shift: { name: string; color: string } | undefined
  met: readonly Met[]
  edits: boolean
  drag: (piece: Piece | undefined) => void
  change: Props['change']
}
export function Chip({ piece, shift, met, edits, drag, change }: ChipProps) {
  const say = useText()
  const [open, setOpen] = useState(false)
  const warned = met.length > 0 || piece.warnings.length > 0
  const wrong = met.some(({ blocks }) => blocks)
  const state = CellState.entries[piece.state as 1]
  const name = shift?.name ?? (piece.shiftId ? say(['停用班次', 'Disabled shift']) : say(['休息', 'Off']))
  const button = (
    <button
      type="button"
      className={`roster-chip${piece.id === null ? ' drafted' : ''}${wrong ? ' wrong' : ''}`}
      style={{ borderInlineStartColor: shift?.color ?? 'transparent' }}
      draggable={edits && !piece.fixed}
      autoFocus={open}
      onClick={() => setOpen(true)}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'copyMove'
        event.dataTransfer.setData('text/plain', piece.key)
        drag(piece)
      }}
      onDragEnd={() => drag(undefined)}
    >
      {wrong ? '✕ ' : warned ? '△ ' : ''}
      {name}
      {piece.state !== CellState.planned && piece.shiftId && <small> {say([state[0], state[1]])}</small>}
      {piece.requestNo && (
        <small className="roster-asked">
          {' '}
          <ClockCircleOutlined aria-hidden /> {say(['申请中', 'Requested'])}
        </small>
      )}
    </button>
  )
  // As with free places, only the one that was pressed gets its box: a month of many people has thousands.
  return open ? (
    <Popover open content={<About piece={piece} met={met} edits={edits} change={change} />} trigger={['click']} onOpenChange={setOpen}>
      {button}
    </Popover>
  ) : (
    button
  )
}

/** Shows the details of a shift, and the possible actions. */
export function About({ piece, met, edits, change }: Pick<ChipProps, 'piece' | 'met' | 'edits' | 'change'>) {
  const say = useText()
  const state = CellState.entries[piece.state as 1]
  const codes = [...met.map(({ code }) => code), ...piece.warnings] as (keyof typeof Conflict.entries)[]
  const words = [...new Set(codes)].map((code) => say([Conflict.entries[code][0], Conflict.entries[code][1]]))
  return (
    <>
      <p>
        {say([state[0], state[1]])}
        {piece.id === null && say(['，未保存', ', not saved'])}
        {piece.requestNo && say(['，申请中', ', requested'])}
      </p>
      {met.map(({ with: rival, code }, n) => rival && <p key={n}>{`${say([Conflict.entries[code][0], Conflict.entries[code][1]])}: ${rival}`}</p>)}
      {piece.requestNo && (
        <p>
          {say(['有待办申请，处理后才能改动', 'Open request: settle it before changing this shift'])}{' '}
          {can(request.query.needs) && <Link to={requestsAt(piece.requestNo)}>{say(['查看申请', 'View request'])}</Link>}
        </p>
      )}
      {words.length > 0 && <p>{words.join(say(['、', ', ']))}</p>}
      {piece.shiftId && (
        <Where piece={piece} {...(edits && !piece.fixed && { place: (codes) => change((before) => placing(before, piece, codes)) })} />
      )}
      {edits && !piece.fixed && (
        <Button size="small" danger onClick={() => change((before) => removing(before, piece))}>
          {say(['移除', 'Remove'])}
        </Button>
      )}
    </>
  )
}

/** Where the shift is worked. */
function Where({ piece: { placeCodes }, place }: { piece: Piece; place?: (codes: string[]) => void }) {
  const say = useText()
  const places = usePlaces()
  const names = placeCodes.map((code) => places.find(({ placeCode }) => placeCode === code)?.name ?? code)
  const own = say(OWN_PARK)
  if (!place) return <p>{`${say(['地点', 'Place'])}: ${names.join(say(['、', ', '])) || own}`}</p>
  return (
    <label className="roster-where">
      {say(['地点', 'Place'])}
      <PlacesSelect value={placeCodes} onChange={(codes) => place(codes ?? [])} empty={OWN_PARK} />
    </label>
  )
}

const Add = memo(function Add({
  label,
  shifts,
  put,
}: {
  label: string
  shifts: readonly { id: string; name: string }[]
  put: (shiftId: string | null) => void
}) {
  const say = useText()
  const [open, setOpen] = useState(false)
  const choose = (id: string | null) => {
    setOpen(false)
    put(id)
  }
  const choices = (
    <div className="roster-choices">
      {shifts.map(({ id, name }) => (
        <Button key={id} size="small" onClick={() => choose(id)}>
          {name}
        </Button>
      ))}
      <Button size="small" onClick={() => choose(null)}>
        {say(['休息', 'Off'])}
      </Button>
    </div>
  )
  const button = (
    <button type="button" className="roster-add" aria-label={say([`给 ${label} 排班`, `Roster ${label}`])} onClick={() => setOpen(true)}>
      +
    </button>
  )
  // Four hundred people have twelve thousand free places: only the one that was pressed gets its list.
  return open ? (
    <Popover open content={choices} trigger={['click']} onOpenChange={setOpen}>
      {button}
    </Popover>
  ) : (
    button
  )
})
