import { DndContext, PointerSensor, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core'
import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import type { Dictionary } from '../../contract/field.ts'
import { type Text, useText } from '../text.ts'
import { State } from '../value.tsx'
import '../time/timeAxis.css'

interface Props<Row, S extends number> {
  label: Text
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The columns: the states, in the dictionary's order, or those named here. */
  states: Dictionary<S>
  columns?: readonly S[]
  stateOf: (row: Row) => S
  /** Where a card may go from where it is: the contract's moves. */
  mayGo: (row: Row) => readonly S[]
  onMove: (row: Row, to: S) => void
  card: (row: Row) => ReactNode
  /** What the card is called where it cannot be seen. */
  nameOf: (row: Row) => string
}
const DRAG_FROM_PX = 6
const OUTSIDE = { container: document.body }

/** Records as cards under their states. A card is dragged, or sent by its menu, to the states that it may take; the others do not take it. */
export function Kanban<Row, S extends number>(props: Props<Row, S>) {
  const say = useText()
  const { label, rows, states, stateOf, keyOf, mayGo, onMove } = props
  const columns = props.columns ?? (Object.keys(states.entries).map(Number) as S[])
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: DRAG_FROM_PX } }))
  const drop = (key: string, to: S) => {
    const row = rows.find((one) => keyOf(one) === key)
    if (row && stateOf(row) !== to && mayGo(row).includes(to)) onMove(row, to)
  }
  return (
    <DndContext sensors={sensors} accessibility={OUTSIDE} onDragEnd={({ active, over }) => over && drop(String(active.id), Number(over.id) as S)}>
      <div className="kanban" role="group" aria-label={say(label)}>
        {columns.map((state) => (
          <Column key={state} {...props} state={state} rows={rows.filter((row) => stateOf(row) === state)} />
        ))}
      </div>
    </DndContext>
  )
}

function Column<Row, S extends number>({ state, rows, states, ...rest }: Props<Row, S> & { state: S }) {
  const say = useText()
  const { setNodeRef, isOver, active } = useDroppable({ id: state })
  const fits = (active?.data.current?.['mayGo'] as readonly S[] | undefined)?.includes(state)
  return (
    <section
      ref={setNodeRef}
      className={`kanban-column${fits ? ' fits' : ''}${fits && isOver ? ' over' : ''}`}
      aria-label={say(states.entries[state])}
    >
      <h3>
        <State dictionary={states} value={state} /> <span className="faint">{rows.length}</span>
      </h3>
      {rows.map((row) => (
        <Card key={rest.keyOf(row)} row={row} states={states} {...rest} />
      ))}
    </section>
  )
}

function Card<Row, S extends number>({ row, keyOf, mayGo, onMove, card, nameOf, states }: Omit<Props<Row, S>, 'rows'> & { row: Row }) {
  const say = useText()
  const goes = mayGo(row)
  const { setNodeRef, listeners, transform, isDragging } = useDraggable({ id: keyOf(row), disabled: goes.length === 0, data: { mayGo: goes } })
  const items = goes.map((to) => ({ key: String(to), label: say(states.entries[to]), onClick: () => onMove(row, to) }))
  return (
    <article
      ref={setNodeRef}
      {...listeners}
      className={`kanban-card${isDragging ? ' dragged' : ''}`}
      aria-label={nameOf(row)}
      style={transform ? { transform: `translate(${transform.x}px, ${transform.y}px)` } : {}}
    >
      <div>{card(row)}</div>
      {items.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']}>
          <Button type="text" size="small" icon={<MoreOutlined />} aria-label={say([`移动 ${nameOf(row)}`, `Move ${nameOf(row)}`])} />
        </Dropdown>
      )}
    </article>
  )
}
