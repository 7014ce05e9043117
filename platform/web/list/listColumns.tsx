import type { ColumnType } from 'antd/es/table'
import { type KeyboardEvent, type MouseEvent, type ReactNode, Suspense, lazy } from 'react'
import type CellBlock from './Cell.tsx'
import type { CellsOf } from './Cell.tsx'
import type { Text } from '../text.ts'
import type { ListAddress } from './useListAddress.ts'
import { type Shape, Value, isNumber, labelOf } from '../value.tsx'
import type { Column } from './listProps.ts'

const Cell = lazy(() => import('./Cell.tsx')) as unknown as typeof CellBlock

export function drawn<T extends object>(
  column: Column<T>,
  shapes: Record<string, Shape>,
  say: (text: Text) => string,
  { sorted, sortable, press }: ListAddress<any>,
): ColumnType<T> {
  const own: ColumnType<T> = typeof column === 'string' ? { dataIndex: column as never } : (column as ColumnType<T>)
  const name = String(own.dataIndex ?? own.key)
  const shape = shapes[name]
  if (!shape) return { key: name, ...own }
  const place = sorted.findIndex(({ by }) => by === name)
  const order = place < 0 ? null : sorted[place]!.up ? ('ascend' as const) : ('descend' as const)
  return {
    key: name,
    title: say(labelOf(shape)),
    align: isNumber(shape) ? 'right' : 'left',
    render: (value, row) => <Value shape={shape} value={value} of={row} />,
    ...(sortable.includes(name) && {
      sorter: { multiple: 1 },
      sortOrder: order,
      sortDirections: ['descend', 'ascend'] as const,
      onHeaderCell: () => ({
        ...pressing(name, own.sortDirections?.[0] === 'ascend', press),
        ...(sorted.length > 1 && place >= 0 && placed(place + 1)),
      }),
    }),
    ...own,
  } as ColumnType<T>
}

/** A head that is pressed alone sorts by its field; with Shift it joins the fields that sort already. */
const pressing = (by: string, upFirst: boolean, press: ListAddress<any>['press']) => ({
  onClick: ({ shiftKey }: MouseEvent) => press({ by, upFirst, adding: shiftKey }),
  onKeyDown: ({ key, shiftKey }: KeyboardEvent) => key === 'Enter' && press({ by, upFirst, adding: shiftKey }),
})
/** Which of several it is. */
const placed = (place: number): object => ({ 'data-place': place, style: { '--place': `'${place}'` } })

/** With the way to change it where it stands. */
export function inCells<T extends object>(column: ColumnType<T>, shapes: Record<string, Shape>, cells: CellsOf<T> | undefined): ColumnType<T> {
  const name = String(column.key)
  if (!cells?.fields.includes(name as never)) return column
  return {
    ...column,
    render: (value, row, place) => {
      const shown = column.render?.(value, row, place) as ReactNode
      return (
        <Suspense fallback={shown}>
          <Cell cells={cells} shape={shapes[name]!} name={name} row={row}>
            {shown}
          </Cell>
        </Suspense>
      )
    },
  }
}
