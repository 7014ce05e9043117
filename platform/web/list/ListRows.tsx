import { Table } from 'antd'
import type { ColumnType, TableRef } from 'antd/es/table'
import { type RefObject, useEffect, useRef } from 'react'
import { HeadCell } from './Columns.tsx'
import { PARTS } from './tableRoles.ts'
import { can } from '../person.ts'
import { usePrinting } from '../printing.ts'
import { ActionsHead, type RowAction, RowActions } from './RowActions.tsx'
import { useText } from '../text.ts'
import type { ListAddress } from './useListAddress.ts'
import { type Ticks, useTickOfAll } from './Ticks.tsx'
import type { ListOf, ListProps } from './listProps.ts'
import { Instead } from './listStates.tsx'
import { useSize } from './rowsRoom.ts'

interface RowsProps<T> {
  props: Pick<ListProps<any, any, T, any, any>, 'actions' | 'detail' | 'ticks' | 'bulk' | 'empty'>
  list: ListOf<T>
  columns: readonly ColumnType<T>[]
  address: ListAddress<any>
  keyOf: (row: T) => string
  ticks: Ticks<T>
  room: RefObject<HTMLDivElement | null>
  onReset: () => void
  onHistory: ((id: string) => void) | undefined
}
export function Rows<T extends object>({ props, list, columns, address, keyOf, ticks, room, onReset, onHistory }: RowsProps<T>) {
  const say = useText()
  const { page, ...size } = useSize(room)
  const tickOfAll = useTickOfAll()
  const records = list.data?.records ?? []
  const printing = usePrinting()
  const many = records.length > MANY && !printing
  const table = useFollowed(many, address.openId)
  const historyOf = (row: T): RowAction[] => (onHistory ? [{ text: ['历史', 'History'], run: () => onHistory(keyOf(row)) }] : [])
  // Rows that are drawn as they come into sight need a box of their own to come into sight in.
  const flows = page !== undefined && !many && !printing
  const isNarrow = size.width > 0 && size.width < NARROW_PX
  const folded = size.width > 0 && size.width < FOLDED_PX
  const actions = (props.actions || onHistory) && ((row: T) => [...(props.actions?.(row) ?? []), ...historyOf(row)])
  // Where nothing may be done with any row there is no column for it.
  const hasSome = actions && records.some((row) => actions(row).some(({ needs }) => can(needs)))
  const buttons: ColumnType<T> | false | undefined = hasSome && {
    key: ' ',
    title: <ActionsHead folded={folded} />,
    fixed: 'right',
    width: !many ? 1 : folded ? FOLDED_ACTIONS_PX : ACTIONS_PX,
    render: (_, row) => <RowActions actions={actions(row)} open={isNarrow ? 1 : 2} folded={folded} />,
  }
  const all = buttons && !printing ? [...columns, buttons] : [...columns]
  const across = widthOf(wide(all))
  const strip = many && across > size.width ? STRIP_PX : 0
  return (
    <div
      className={['list-rows', list.isFetching && 'fetching', list.old && 'old-rows', many && 'many', flows && 'flows'].filter(Boolean).join(' ')}
      ref={room}
      aria-busy={list.isFetching}
    >
      <Table<T>
        ref={table}
        virtual={many}
        rowKey={keyOf}
        size="small"
        pagination={false}
        // The hand over a row is the style sheet's: as state of the table it would draw two rows at every step of the mouse.
        rowHoverable={false}
        columns={many ? wide(all) : all}
        dataSource={records}
        // On paper heads and rows are one table, as wide as the sheet: nothing scrolls there, and no head stands beside its column.
        {...(printing
          ? { tableLayout: 'auto' }
          : { scroll: { x: many ? Math.max(size.width, across) : 'max-content', ...(!flows && { y: size.height - strip }) } })}
        sticky={flows && { getContainer: () => page, offsetScroll: size.foot }}
        showSorterTooltip={{
          title: say(['点击排序；按住 Shift 点击，加入已有的排序', 'Click to sort; Shift-click to add to the current sort']),
        }}
        rowClassName={(row) => (keyOf(row) === address.openId ? 'open' : list.gone.has(keyOf(row)) ? 'gone' : '')}
        onRow={(row) => ({ onClick: () => props.detail && address.open(keyOf(row)) })}
        components={many ? HEADS : WHOLE}
        {...((props.ticks || props.bulk) && {
          rowSelection: {
            selectedRowKeys: ticks.keys,
            preserveSelectedRowKeys: true,
            onChange: (keys: readonly unknown[]) => ticks.set(keys.map(String), records),
            columnWidth: 40,
            ...tickOfAll,
          },
        })}
        locale={{ emptyText: <Instead list={list} address={address} empty={props.empty} onReset={onReset} /> }}
      />
    </div>
  )
}

/** Beside a tree on a small screen the values need the room more than a second button does. */
const NARROW_PX = 800
const HEADS = { header: { cell: HeadCell } }
const WHOLE = { ...PARTS, header: { ...PARTS.header, cell: HeadCell } }

/** More rows than this are drawn as they come into sight, so that a page of 500 scrolls as one of 20 does. */
const MANY = 100
/** Rows out of sight have no say in how wide a column is: those that nobody has drawn to a width get this one. */
const COLUMN_PX = 170
/** What scrolls them sideways stands below the last of them, in a strip of its own. */
const STRIP_PX = 12
const ACTIONS_PX = 210
/** On a telephone they would lie over all but the first column: there they stand behind one button, as wide as a thumb. */
const FOLDED_PX = 480
const FOLDED_ACTIONS_PX = 52
const wide = <T,>(columns: readonly ColumnType<T>[]): ColumnType<T>[] => columns.map((column) => ({ ...column, width: column.width ?? COLUMN_PX }))
const widthOf = (columns: readonly ColumnType<any>[]) => columns.reduce((sum, { width }) => sum + Number(width), 0)

/** The open record comes into sight, also when the keys go past the last row that is drawn. */
function useFollowed(many: boolean, openId: string | undefined) {
  const table = useRef<TableRef>(null)
  useEffect(() => {
    if (many && openId !== undefined) table.current?.scrollTo({ key: openId })
  }, [many, openId])
  return table
}
