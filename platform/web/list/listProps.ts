import type { ColumnType } from 'antd/es/table'
import type { ReactNode } from 'react'
import type { Call, Page, Paged, Permission, Search } from '../../contract/call.ts'
import type { Field } from '../../contract/field.ts'
import type { ExportCall } from '../../contract/sheet.ts'
import type { BulkOf } from './Bulk.tsx'
import type { CellsOf } from './Cell.tsx'
import type { Detail } from '../record/DetailDrawer.tsx'
import type { RecordHistory } from '../record/History.tsx'
import type { RowAction } from './RowActions.tsx'
import type { Find } from './SearchBar.tsx'
import type { Sum } from './Sums.tsx'
import type { Text } from '../text.ts'
import type { useRows } from './useRows.ts'

/** A field's name, or antd's own column: what the latter leaves out (title, side, drawing) the field gives. */
export type Column<T> = (keyof T & string) | (ColumnType<T> & { dataIndex?: keyof T & string })
/** `entryTimeFrom` and `entryTimeTo` are both of the field `entryTime`. */
export type SearchKey<C> = keyof C extends infer K extends string ? (K extends `${infer F}${'From' | 'To'}` ? F : K) : never

export type Extra = Record<string, Field<any>>

/** What a toolbar gets to know of its list. `ticked` are the rows ticked, on whichever page they stand, with `ticks` on. */
export interface Toolbar<C, T> {
  criteria: C
  ticked: T[]
  untick: () => void
  refresh: () => void
}

export interface ListProps<C, S extends string, T, R, X extends Extra = {}> {
  /** Only for a list inside another page: a screen's heading is its name in the menu. */
  title?: Text
  /** One sentence of what the page is for. */
  purpose: Text
  /** Between the heading and the search: figures of more than this list, a chart. */
  above?: ReactNode
  /** The list's call; its reply says what the rows are. Without the permission it `needs` the page says so. */
  query: Call<Paged<NoInfer<C>, NoInfer<S>>, Page<T>>
  search: Search<C, S>
  /** The first three stand open, the rest behind 更多. `{ name, control, label }` brings a control of its own. */
  find: readonly Find<SearchKey<C> | (keyof X & string)>[]
  /** Criteria that the call takes beside its `searchOf`, by their fields: `{ phone: text(…) }`. */
  extra?: X
  /** By name, or antd's column. A person may hide and reorder them; `hidden` are hidden at first. */
  columns: readonly Column<T>[]
  hidden?: readonly (keyof T & string)[]
  /** Those that a small window has no room for: hidden at first there too. */
  roomy?: readonly (keyof T & string)[]
  /** Criteria that the screen fixes. */
  only?: NoInfer<C>
  /** Figures above and totals below, over the whole filter. */
  sum?: Sum<NoInfer<C>, T>
  /** 新增 at the left over the rows, for whoever may: `open` shows the form. */
  add?: { call: Call<any, unknown>; open: () => void; text?: Text }
  /** The page's own buttons, behind it. */
  toolbar?: ReactNode | ((list: Toolbar<C, T>) => ReactNode)
  /** Rows can be ticked, for the toolbar's buttons. */
  ticks?: boolean
  /** What can be done to all ticked rows at once, each by a call of its own, with its outcome. */
  bulk?: BulkOf<T>
  /** Fields that only some may see: without the permission neither the column nor the search is there. The server leaves them out too. */
  fieldNeeds?: Partial<Record<keyof T & string, Permission>>
  /** Answers with a file of the whole filter: adds the button 导出. */
  exports?: ExportCall<any>
  /** Fields that are changed in their cell, by whoever may change the row by its form. */
  cells?: CellsOf<T>
  actions?: (row: T) => RowAction[]
  /** A row's history, from the row and from its drawer. */
  history?: RecordHistory<T>
  /** Makes a row open a drawer at `…/:key`. Its call may answer with more than the row. */
  detail?: Detail<R>
  /** Said when there is nothing at all: what that means, or how the first one comes. */
  empty?: Text
  /** The row's key, `id` when left out. */
  rowKey?: keyof T & string
  /** The realtime topic that says which rows changed: `parking.stay`. */
  live?: string
}

export type ListOf<T> = ReturnType<typeof useRows<any, T>>
