import { PlusOutlined, PrinterOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, ConfigProvider, Table, Tooltip } from 'antd'
import type { ColumnType, TableRef } from 'antd/es/table'
import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Call, type Page, PAGE_ROWS, type Paged, type Permission, type Search } from '../../contract/call.ts'
import type { Field } from '../../contract/field.ts'
import type { ExportCall } from '../../contract/sheet.ts'
import { ZONE_MARK, ZONE_NAME } from '../../contract/time.ts'
import { Banner } from '../page/Banner.tsx'
import { Act } from '../form/catalogued.tsx'
import type { BulkOf } from './Bulk.tsx'
import type CellBlock from './Cell.tsx'
import type { CellsOf } from './Cell.tsx'
import { type Arrangement, ColumnChooser, HeadCell, useColumns } from './Columns.tsx'
import { useGivingWay } from './giveWay.ts'
import { type Detail, DetailDrawer } from '../record/DetailDrawer.tsx'
import { Filters } from './Filters.tsx'
import { time } from '../format.ts'
import type { HistoryProps, RecordHistory } from '../record/History.tsx'
import { ListPages } from './ListPages.tsx'
import { useKeys } from '../page/keys.tsx'
import { PageHead } from '../page/page.tsx'
import { can } from '../person.ts'
import { usePrinting } from '../printing.ts'
import { Label } from '../form/remove.tsx'
import { ActionsHead, type RowAction, RowActions } from './RowActions.tsx'
import { type Find, SearchBar } from './SearchBar.tsx'
import { Failed, NoPermission, Nothing, PastTheEnd, Waiting } from '../page/states.tsx'
import { Figures, type Sum, Totals } from './Sums.tsx'
import { type Text, useText } from '../text.ts'
import { PARTS } from './tableRoles.ts'
import { useTour } from '../tour/tour.ts'
import { type ListAddress, useListAddress } from './useListAddress.ts'
import { isReading, useRows } from './useRows.ts'
import { tickedOne } from './selection.ts'
import { LIST_TOUR } from './listTour.ts'
import { OverTicks, type Ticks, useTickOfAll, useTicks } from './Ticks.tsx'
import { useDefaultView, Views, type ViewsProps } from './Views.tsx'
import { isNumber, labelOf, recordsOf, type Shape, shapesOf, Value } from '../value.tsx'

export type { Find, RowAction, Sum }
const Cell = lazy(() => import('./Cell.tsx')) as unknown as typeof CellBlock
const ExportButton = lazy(async () => ({ default: (await import('../sheet/ExportButton.tsx')).ExportButton }))
const HistoryDrawer = lazy(() => import('../record/History.tsx')) as unknown as ComponentType<HistoryProps<any>>
/** A field's name, or antd's own column: what the latter leaves out (title, side, drawing) the field gives. */
export type Column<T> = (keyof T & string) | (ColumnType<T> & { dataIndex?: keyof T & string })
/** `entryTimeFrom` and `entryTimeTo` are both of the field `entryTime`. */
export type SearchKey<C> = keyof C extends infer K extends string ? (K extends `${infer F}${'From' | 'To'}` ? F : K) : never

type Extra = Record<string, Field<any>>

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

/**
 * A searchable list at its own address: search, order, page and the open record are in the address; rows stay live without moving under the eye.
 * Everything a list can be in (loading, empty, failed, stale, not allowed) is shown here, so that no screen forgets it.
 */
export function ListScreen<C extends object, S extends string, T extends object, R, X extends Extra = {}>(props: ListProps<C, S, T, R, X>) {
  return can(props.query.needs) ? <List {...props} /> : <NoPermission />
}

/** Criteria beside those of the search; a plate among them is looked for by any run of its characters, as in every list. */
function withExtra<C, S extends string>(search: Search<C, S>, extra: Extra = {}): Search<C, S> {
  const plates = Object.keys(extra).filter((name) => extra[name]!['x-plate'])
  const operators = { ...search.operators, ...Object.fromEntries(plates.map((name) => [name, 'plate' as const])) }
  return { ...search, operators, schema: { ...search.schema, ...extra } }
}

function List<C extends object, S extends string, T extends object, R, X extends Extra>(given: ListProps<C, S, T, R, X>) {
  const say = useText()
  useTour(LIST_TOUR)
  const props = permitted(given)
  const { title, purpose, query, find, sum, detail, live, rowKey = 'id' as keyof T & string } = props
  const search = useMemo(() => withExtra(props.search, props.extra), [given.search])
  const address = useListAddress(search, props.only)
  const room = useRef<HTMLDivElement>(null)
  const [told, setTold] = useState<string>()
  const keyOf = (row: T) => String(row[rowKey])
  const shapes = recordsOf(query.reply)
  // What is only looked for, and stands in no record, is said by the call itself.
  const all = { ...shapesOf(query.input), ...shapes, ...(props.extra as Record<string, Shape> | undefined) }
  const views: ViewsProps = { list: query.id, address, named: (name) => namedIn(all, name) }
  const waits = useDefaultView(views)
  const ticks = useTicks<T>(query, address, keyOf)
  const busy = address.openId !== undefined || ticks.rows.length > 0
  const list = useRows({ query, input: address.input, keyOf, live, isRead: () => isReading(room, busy), enabled: !waits })
  const rows = list.data?.records ?? []
  const step = stepIn(rows.map(keyOf), address)
  const openTicked = () => tickedOne(ticks.rows) && address.open(ticks.keys[0]!)
  useListKeys(detail && step, detail && (props.ticks || props.bulk) ? openTicked : undefined, list.refresh)
  const drawings = props.columns.map((column) => inCells(drawn(column, shapes, say, address), shapes, props.cells))
  const columns = useColumns(query.id, drawings, { ...props, giving: useGivingWay(query.id, room, list.data, props.roomy) })
  const reset = () => [ticks.none(), address.reset()]
  const toolbar = { criteria: address.criteria, ticked: ticks.rows, untick: ticks.none, refresh: list.refresh }
  return (
    <div className="list">
      <PageHead part={title} purpose={purpose}>
        {sum && <Figures query={query} sum={sum} address={address} />}
      </PageHead>
      {props.above}
      <SearchBar {...{ search, find }} shapes={all} criteria={address.criteria} onSearch={address.search} onReset={reset} />
      <Filters {...{ search, find }} shapes={all} criteria={address.criteria} onNarrow={address.narrow} onReset={reset} />
      <Bar list={list} columns={columns} views={views} exports={props.exports} criteria={wholeOf(address.input)}>
        {props.add && <Add {...props.add} />}
        {typeof props.toolbar === 'function' ? props.toolbar(toolbar) : props.toolbar}
        <OverTicks bulk={props.bulk} ticks={ticks} data={list.data} />
      </Bar>
      {list.isError && list.data && <OldData old={list.old} at={list.dataUpdatedAt} retry={list.refresh} />}
      <Rows {...{ props, list, address, keyOf, ticks, room }} columns={columns.shown} onReset={reset} onHistory={props.history && setTold} />
      <footer className="list-foot">
        {sum && <Totals query={query} sum={sum} address={address} shapes={shapes} page={list.isPlaceholderData ? undefined : list.data} />}
        <ListPages query={query} data={list.data} address={address} />
      </footer>
      {detail && (
        <DetailDrawer
          {...detail}
          id={address.openId}
          live={live}
          isOpen={() => address.openNow() !== undefined}
          onStep={step}
          onClose={address.close}
          onHistory={props.history && (() => setTold(address.openId))}
        />
      )}
      {props.history && told !== undefined && (
        <Suspense>
          <HistoryDrawer
            of={props.history}
            id={told}
            row={rows.find((row) => keyOf(row) === told)}
            shapes={shapes}
            onClose={() => setTold(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** What the list is asked for, without the page: its criteria and its order. */
function wholeOf({ current: _, limit: __, ...whole }: Paged<object>): object {
  return whole
}

/** Without the columns and the searches that the reader may not see. */
function permitted<P extends ListProps<any, any, any, any, any>>(props: P): P {
  const barred = Object.entries(props.fieldNeeds ?? {}).flatMap(([name, needs]) => (can(needs) ? [] : [name]))
  if (barred.length === 0) return props
  const isFree = (name: string) => !barred.includes(name.replace(/(From|To)$/, '')) && !barred.includes(name)
  const nameOf = (one: unknown) =>
    typeof one === 'string' ? one : String((one as { name?: string; dataIndex?: string }).name ?? (one as { dataIndex?: string }).dataIndex)
  const { search, find, columns } = props
  return {
    ...props,
    find: find.filter((one) => isFree(nameOf(one))),
    columns: columns.filter((one) => isFree(nameOf(one))),
    search: {
      ...search,
      sort: search.sort.filter(isFree),
      schema: Object.fromEntries(Object.entries(search.schema).filter(([name]) => isFree(name))),
    },
  }
}

/** What a part of the address is called: its field's label. */
function namedIn(shapes: Record<string, Shape>, name: string): Text | undefined {
  const shape = shapes[name] ?? shapes[name.replace(/(From|To)$/, '')]
  return shape && labelOf(shape)
}

type ListOf<T> = ReturnType<typeof useRows<any, T>>

/** Over the rows: the page's own buttons at the left; what waits, the time of the data, columns and refresh at the right. */
function Bar<T>({
  list,
  columns,
  views,
  exports,
  criteria,
  children,
}: {
  list: ListOf<T>
  columns: Arrangement<T>
  views: ViewsProps
  exports: ExportCall<any> | undefined
  criteria: object
  children: ReactNode
}) {
  const say = useText()
  return (
    <div className="list-bar">
      <ConfigProvider componentSize="small">
        {children}
        <Suspense>{exports && can(exports.needs) && <ExportButton call={exports} criteria={criteria} />}</Suspense>
      </ConfigProvider>
      <div className="list-tools">
        {list.news + list.gone.size > 0 && <News news={list.news} gone={list.gone.size} show={list.showNews} />}
        {list.data && (
          <span className="faint">
            {say(['数据时间', 'As of'])} {time(new Date(list.dataUpdatedAt)).slice(11)} <abbr title={say(ZONE_NAME)}>{ZONE_MARK}</abbr>
          </span>
        )}
        <Tooltip title={say(['打印本页', 'Print this page'])}>
          <Button size="small" type="text" aria-label={say(['打印', 'Print'])} icon={<PrinterOutlined />} onClick={() => print()} />
        </Tooltip>
        <Views {...views} />
        <ColumnChooser columns={columns} />
        <Tooltip title={say(['刷新（r）', 'Refresh (r)'])}>
          <Button
            size="small"
            type="text"
            aria-label={say(['刷新', 'Refresh'])}
            icon={<ReloadOutlined spin={list.isFetching} />}
            onClick={list.refresh}
          />
        </Tooltip>
      </div>
    </div>
  )
}

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
function Rows<T extends object>({ props, list, columns, address, keyOf, ticks, room, onReset, onHistory }: RowsProps<T>) {
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

/** What stands in the place of rows when there are none. */
function Instead<T>({ list, address, empty, onReset }: { list: ListOf<T>; address: ListAddress<any>; empty: Text | undefined; onReset: () => void }) {
  const say = useText()
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failed error={list.error} retry={list.refresh} />
  const { current = 1, limit = PAGE_ROWS } = address.input
  if (current > 1 && (list.data?.total ?? 0) > 0) return <PastTheEnd first={() => address.turn(1, limit)} />
  return <Nothing clear={Object.keys(address.criteria).length > 0 ? onReset : undefined}>{empty && say(empty)}</Nothing>
}

function useListKeys(step: ((by: 1 | -1) => void) | undefined, openTicked: (() => void) | undefined, refresh: () => void) {
  useKeys({
    ...(openTicked && { o: { text: ['打开勾选的记录', 'Open the selected record'], run: openTicked } }),
    ...(step && {
      j: { text: ['下一条记录', 'Next record'], run: () => step(1) },
      k: { text: ['上一条记录', 'Previous record'], run: () => step(-1) },
    }),
    r: { text: ['刷新列表', 'Refresh the list'], run: refresh },
  })
}

/** From the open record to the next or the one before. */
const stepIn =
  (keys: readonly string[], { openNow, open }: ListAddress<any>) =>
  (by: 1 | -1) => {
    const at = keys.indexOf(openNow() ?? '')
    const next = keys[at < 0 ? 0 : at + by]
    if (next !== undefined) open(next)
  }

function News({ news, gone, show }: { news: number; gone: number; show: () => void }) {
  const say = useText()
  const words = [news > 0 && say([`${news} 条新记录`, `${news} new`]), gone > 0 && say([`${gone} 条已不在此列`, `${gone} gone`])].filter(Boolean)
  return (
    <button type="button" className="news" onClick={show}>
      {words.join(say(['，', ', ']))} · {say(['显示', 'Show'])}
    </button>
  )
}

function OldData({ old, at, retry }: { old: { ofOther: boolean } | undefined; at: number; retry: () => void }) {
  const say = useText()
  const button = (
    <Button size="small" onClick={retry}>
      {say(['重试', 'Try again'])}
    </Button>
  )
  const when = time(new Date(at)).slice(11)
  const what: Text = old?.ofOther
    ? [
        `连不上服务器。下面仍是 ${when} 按之前的条件查到的数据`,
        `The server cannot be reached. Below is still the data of ${when} for the previous search`,
      ]
    : [`刷新失败，下面是 ${when} 的数据`, `Refresh failed; below is the data of ${when}`]
  return (
    <Banner tone="warning" action={button}>
      {say(old ? [`${what[0]}；恢复后自动更新。`, `${what[1]}. It updates once the server is back.`] : [`${what[0]}。`, `${what[1]}.`])}
    </Banner>
  )
}

function drawn<T extends object>(
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
function inCells<T extends object>(column: ColumnType<T>, shapes: Record<string, Shape>, cells: CellsOf<T> | undefined): ColumnType<T> {
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

/** So much room the rows have at least, whatever the window. */
const ROWS_LEAST_PX = 600
interface Size {
  height: number
  width: number
  /** Under the rows, at the window's lower edge: sums, where one is and how many there are. */
  foot: number
  /** What scrolls around a list whose window is too low for its rows: they are then as long as they are, so that nothing scrolls in what scrolls. */
  page: HTMLElement | undefined
}
/** The room left for rows: the table scrolls inside it, under its own head; in a low window the page does. */
function useSize(room: RefObject<HTMLDivElement | null>): Size {
  const [size, set] = useState<Size>({ height: 560, width: 0, foot: 44, page: undefined })
  useEffect(() => {
    const box = room.current!
    const headOf = () => box.querySelector<HTMLElement>('.ant-table-thead')?.offsetHeight ?? 38
    const foot = box.parentElement?.querySelector<HTMLElement>('.list-foot')
    const page = box.closest<HTMLElement>('.beside-main, .ant-drawer-body, .ant-modal-body, main')
    const isLow = (all: HTMLElement) => all.clientHeight - (all.scrollHeight - box.offsetHeight) < ROWS_LEAST_PX
    const measure = () => {
      // A hidden tab has no size: it keeps the one it had.
      if (box.clientWidth === 0) return
      set({
        height: box.clientHeight - headOf(),
        width: box.clientWidth,
        // On a telephone it stands under the last row, not at the edge.
        foot: foot && getComputedStyle(foot).position === 'sticky' ? foot.offsetHeight : 0,
        page: page && isLow(page) ? page : undefined,
      })
    }
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    for (const around of [page, foot]) if (around) watch.observe(around)
    // Rows without a button are scrolled by the arrow keys too.
    box.querySelector('.ant-table-body')?.setAttribute('tabindex', '0')
    return () => watch.disconnect()
  }, [])
  return size
}

const Add = ({ call, open, text = Label.add }: NonNullable<ListProps<any, string, any, any>['add']>) => (
  <Act text={text} needs={call.needs} type="primary" icon={<PlusOutlined />} onClick={open} />
)
