import { Button, Popover } from 'antd'
import { type DragEvent, memo, useState } from 'react'
import { cityDay } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CellState, Conflict, schedule } from '../contract/schedule.ts'
import { OWN_PARK, PlacesSelect, usePlaces, useShifts } from './choices.tsx'
import { adding, type Draft, type Line, type Met, moving, type Piece, piecesOf, placing, removing } from './roster.ts'

interface Props {
  lines: readonly Line[]
  days: readonly string[]
  draft: Draft
  met: readonly Met[]
  /** Where whoever is put down next works; nowhere named, in their own park. */
  places: string[]
  change: (next: Draft) => void
}
const WEEKDAYS: readonly Text[] = [
  ['日', 'Sun'],
  ['一', 'Mon'],
  ['二', 'Tue'],
  ['三', 'Wed'],
  ['四', 'Thu'],
  ['五', 'Fri'],
  ['六', 'Sat'],
]
/** More hours a week than these are said. */
const WEEK_MIN = 2640
const hours = (min: number) => Math.round(min / 6) / 10

/** A row for each person, a column for each day. Pieces are dragged, or chosen by keyboard: every place is a button. */
export function RosterGrid({ lines, days, draft, met, places, change }: Props) {
  const say = useText()
  const shifts = useShifts()
  const [dragged, setDragged] = useState<Piece>()
  const pieces = piecesOf(lines, draft)
  const today = cityDay()
  const edits = can(schedule.save.needs)
  const drop = (event: DragEvent, tollNo: string, workDate: string) => {
    event.preventDefault()
    if (!dragged || workDate < today) return
    if (dragged.tollNo !== tollNo || dragged.workDate !== workDate) change(moving(draft, dragged, { tollNo, workDate }, event.altKey))
    setDragged(undefined)
  }
  const named = (id: string | null) => shifts.find((one) => one.id === id)
  return (
    <div className="roster-grid">
      <table aria-label={say(['排班表', 'Roster'])}>
        <thead>
          <tr>
            <th scope="col">{say(['人员', 'Person'])}</th>
            {days.map((day) => (
              <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
                {day.slice(5)} {say(WEEKDAYS[new Date(day).getUTCDay()]!)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ tollNo, name, weeks }) => (
            <tr key={tollNo}>
              <th scope="row">
                <b>{name}</b> <small>{tollNo}</small> <Weeks weeks={weeks} />
              </th>
              {days.map((day) => (
                <td
                  key={day}
                  onDragOver={(event) => edits && dragged && event.preventDefault()}
                  onDrop={(event) => edits && drop(event, tollNo, day)}
                >
                  {(pieces.get(`${tollNo} ${day}`) ?? []).map((piece) => (
                    <Chip
                      key={piece.key}
                      piece={piece}
                      shift={named(piece.shiftId)}
                      met={met.filter((one) => one.tollNo === tollNo && one.workDate === day)}
                      edits={edits}
                      drag={setDragged}
                      remove={() => change(removing(draft, piece))}
                      place={(codes) => change(placing(draft, piece, codes))}
                    />
                  ))}
                  {edits && day >= today && (
                    <Add
                      label={`${name} ${day}`}
                      shifts={shifts}
                      put={(shiftId) => change(adding(draft, { tollNo, workDate: day, shiftId, placeCodes: shiftId ? places : [] }))}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Planned hours of each week that is shown: one week's needs no date. */
function Weeks({ weeks }: Pick<Line, 'weeks'>) {
  const say = useText()
  return weeks.map(({ monday, plannedMin }) => {
    const words: Text =
      weeks.length === 1
        ? [`该周 ${hours(plannedMin)} 小时`, `${hours(plannedMin)} h in that week`]
        : [`${monday.slice(5)} 起一周 ${hours(plannedMin)} 小时`, `${hours(plannedMin)} h in the week of ${monday.slice(5)}`]
    const over = plannedMin > WEEK_MIN
    return (
      <small key={monday} className={over ? 'roster-week over' : 'roster-week'} title={say(words)} aria-label={say(words)} role="note">
        {over && '△ '}
        {say([`${hours(plannedMin)}时`, `${hours(plannedMin)}h`])}
      </small>
    )
  })
}

interface ChipProps {
  piece: Piece
  shift: { name: string; color: string } | undefined
  met: readonly Met[]
  edits: boolean
  drag: (piece: Piece | undefined) => void
  remove: () => void
  place: (codes: string[]) => void
}
function Chip({ piece, shift, met, edits, drag, remove, place }: ChipProps) {
  const say = useText()
  const codes = [...met.map(({ code }) => code), ...piece.warnings] as (keyof typeof Conflict.entries)[]
  const wrong = met.some(({ blocks }) => blocks)
  const words = [...new Set(codes)].map((code) => say([Conflict.entries[code][0], Conflict.entries[code][1]]))
  const state = CellState.entries[piece.state as 1]
  const name = shift?.name ?? (piece.shiftId ? say(['停用班次', 'Disabled shift']) : say(['休息', 'Off']))
  const body = (
    <>
      <p>
        {say([state[0], state[1]])}
        {piece.id === null && say(['，未保存', ', not saved'])}
      </p>
      {met.map(({ with: rival, code }, n) => rival && <p key={n}>{`${say([Conflict.entries[code][0], Conflict.entries[code][1]])}: ${rival}`}</p>)}
      {words.length > 0 && <p>{words.join(say(['、', ', ']))}</p>}
      {piece.shiftId && <Where piece={piece} {...(edits && !piece.fixed && { place })} />}
      {edits && !piece.fixed && (
        <Button size="small" danger onClick={remove}>
          {say(['移除', 'Remove'])}
        </Button>
      )}
    </>
  )
  return (
    <Popover content={body} trigger={['click']}>
      <button
        type="button"
        className={`roster-chip${piece.id === null ? ' drafted' : ''}${wrong ? ' wrong' : ''}`}
        style={{ borderInlineStartColor: shift?.color ?? 'transparent' }}
        draggable={edits && !piece.fixed}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'copyMove'
          event.dataTransfer.setData('text/plain', piece.key)
          drag(piece)
        }}
        onDragEnd={() => drag(undefined)}
      >
        {wrong ? '✕ ' : codes.length > 0 ? '△ ' : ''}
        {name}
        {piece.state !== CellState.planned && piece.shiftId && <small> {say([state[0], state[1]])}</small>}
      </button>
    </Popover>
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
