import { EditOutlined } from '@ant-design/icons'
import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { Call } from '../../contract/call.ts'
import { can } from '../person.ts'
import { useText } from '../text.ts'
import { labelOf, type Shape } from '../value.tsx'

const CellForm = lazy(() => import('./CellForm.tsx'))

/** Fields of a list, texts, numbers and closed lists, that are changed where they stand, by the call of the row's own form. */
export interface CellsOf<T> {
  save: Call<any, unknown>
  fields: readonly (keyof T & string)[]
  /** Asked again after a change. */
  changes: readonly Call<any, any>[]
  /** Rows whose form would be refused. */
  not?: (row: T) => boolean
}

/** A value with the way to change it in its place: the pencil stands beside it under the hand and at focus. */
export default function Cell<T extends object>({
  cells,
  shape,
  name,
  row,
  children,
}: {
  cells: CellsOf<T>
  shape: Shape
  name: string
  row: T
  children: ReactNode
}) {
  const say = useText()
  const [editing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const was = useRef(false)
  useLayoutEffect(() => {
    if (was.current && !editing) pencil.current?.focus()
    was.current = editing
  }, [editing])
  if (!can(cells.save.needs) || cells.not?.(row)) return children
  if (editing)
    return (
      <Suspense fallback={children}>
        <CellForm cells={cells as CellsOf<object>} shape={shape} name={name} row={row} onClose={() => setEditing(false)} />
      </Suspense>
    )
  const label = say([`编辑${shape['x-zh']}`, `Edit ${say(labelOf(shape)).toLowerCase()}`])
  return (
    <span className="cell">
      {children}
      <button
        type="button"
        ref={pencil}
        className="cell-edit"
        aria-label={label}
        title={label}
        onClick={(event) => {
          event.stopPropagation()
          setEditing(true)
        }}
      >
        <EditOutlined />
      </button>
    </span>
  )
}
