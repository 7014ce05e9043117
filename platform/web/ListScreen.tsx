import { DownloadOutlined, ReloadOutlined } from '@ant-design/icons'
import { Alert, Button, ConfigProvider, Pagination, Table, Tooltip } from 'antd'
import type { ColumnType } from 'antd/es/table'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type Call, type Page, PAGE_ROWS, type Paged, type Search, TOTAL_CAP } from '../contract/call.ts'
import type { Field } from '../contract/field.ts'
import { download } from './ask.ts'
import { ColumnChooser, useColumns } from './Columns.tsx'
import { type Detail, DetailDrawer } from './DetailDrawer.tsx'
import { time } from './format.ts'
import { useKeys } from './keys.tsx'
import { PageHead } from './page.tsx'
import { can } from './person.ts'
import { Label } from './remove.tsx'
import { type RowAction, RowActions } from './RowActions.tsx'
import { type Find, SearchBar } from './SearchBar.tsx'
import { Failed, NoPermission, Nothing, PastTheEnd, Waiting } from './states.tsx'
import { Figures, type Sum, Totals } from './Sums.tsx'
import { type Text, useText } from './text.ts'
import { type ListAddress, useListAddress } from './useListAddress.ts'
import { isReading, useRows } from './useRows.ts'
import { isNumber, labelOf, recordsOf, type Shape, Value } from './value.tsx'

export type { Find, RowAction, Sum }
/** A field's name, or antd's own column: what the latter leaves out (title, side, drawing) the field gives. */
export type Column<T> = (keyof T & string) | (ColumnType<T> & { dataIndex?: keyof T & string })
/** `entryTimeFrom` and `entryTimeTo` are both of the field `entryTime`. */
export type SearchKey<C> = keyof C extends infer K extends string ? (K extends `${infer F}${'From' | 'To'}` ? F : K) : never

type Extra = Record<string, Field<any>>

/** What a toolbar gets to know of its list. `ticked` are the rows ticked on this page, with `ticks` on. */
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
  /** The list's call; its reply says what the rows are. Without the permission it `needs` the page says so. */
  query: Call<Paged<NoInfer<C>, NoInfer<S>>, Page<T>>
  search: Search<C, S>
  /** The first three stand open, the rest behind 更多. `{ name, control, label }` brings a control of its own. */
  find: readonly Find<SearchKey<C> | (keyof X & string)>[]
  /** Criteria that the call takes beside its `searchOf`, by their fields: `{ platePrefix: plate() }`. */
  extra?: X
  /** By name, or antd's column. A person may hide and reorder them; `hidden` are hidden at first. */
  columns: readonly Column<T>[]
  hidden?: readonly (keyof T & string)[]
  /** Criteria that the screen fixes. */
  only?: NoInfer<C>
  /** Figures above and totals below, over the whole filter. */
  sum?: Sum<NoInfer<C>, T>
  /** The page's own buttons, at the left over the rows. */
  toolbar?: ReactNode | ((list: Toolbar<C, T>) => ReactNode)
  /** Rows can be ticked, for the toolbar's buttons. */
  ticks?: boolean
  /** Answers with a file of the whole filter: adds the button 导出. */
  exports?: Call<any, unknown>
  actions?: (row: T) => RowAction[]
  /** Makes a row open a drawer at `…/:key`. Its call may answer with more than the row. */
  detail?: Detail<R>
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

function List<C extends object, S extends string, T extends object, R, X extends Extra>(props: ListProps<C, S, T, R, X>) {
  const { title, purpose, query, find, sum, detail, live, rowKey = 'id' as keyof T & string } = props
  const say = useText()
  const search = useMemo(() => ({ ...props.search, schema: { ...props.search.schema, ...props.extra } }), [props.search])
  const address = useListAddress(search, props.only)
  const room = useRef<HTMLDivElement>(null)
  const [ticks, setTicks] = useState<string[]>([])
  const keyOf = (row: T) => String(row[rowKey])
  const busy = address.openId !== undefined || ticks.length > 0
  const list = useRows({ query, input: address.input, keyOf, live, isRead: () => isReading(room, busy) })
  const shapes = recordsOf(query.reply)
  const extra = props.extra as Record<string, Shape> | undefined
  const rows = list.data?.records ?? []
  const step = stepIn(rows.map(keyOf), address)
  useListKeys(detail ? step : undefined, list.refresh)
  const columns = useColumns(
    query.id,
    props.columns.map((column) => drawn(column, shapes, say, address)),
    props.hidden ?? [],
  )
  const untick = () => setTicks([])
  const reset = () => [untick(), address.reset()]
  const toolbar = {
    criteria: address.criteria,
    ticked: rows.filter((row) => ticks.includes(keyOf(row))),
    untick: () => setTicks([]),
    refresh: list.refresh,
  }
  return (
    <div className="list">
      <PageHead title={title} purpose={purpose}>
        {sum && <Figures query={query} sum={sum} address={address} />}
      </PageHead>
      <SearchBar {...{ search, find }} shapes={{ ...shapes, ...extra }} criteria={address.criteria} onSearch={address.search} onReset={reset} />
      <Bar list={list} columns={columns} exports={props.exports} criteria={{ ...address.criteria, ...props.only }}>
        {typeof props.toolbar === 'function' ? props.toolbar(toolbar) : props.toolbar}
      </Bar>
      {list.isError && list.data && <OldData retry={list.refresh} />}
      <Rows
        props={props}
        list={list}
        columns={columns.shown}
        address={address}
        keyOf={keyOf}
        ticks={ticks}
        onTicks={setTicks}
        room={room}
        onReset={reset}
      />
      <footer className="list-foot">
        {sum && <Totals query={query} sum={sum} address={address} shapes={shapes} />}
        <span className="push" />
        <Pages data={list.data} address={address} />
      </footer>
      {detail && (
        <DetailDrawer
          {...detail}
          id={address.openId}
          live={live}
          isOpen={() => address.openNow() !== undefined}
          onStep={step}
          onClose={address.close}
        />
      )}
    </div>
  )
}

type ListOf<T> = ReturnType<typeof useRows<any, T>>

/** Over the rows: the page's own buttons at the left; what waits, the time of the data, columns and refresh at the right. */
function Bar<T>({
  list,
  columns,
  exports,
  criteria,
  children,
}: {
  list: ListOf<T>
  columns: ReturnType<typeof useColumns<T>>
  exports: Call<any, unknown> | undefined
  criteria: object
  children: ReactNode
}) {
  const say = useText()
  return (
    <div className="list-bar">
      <ConfigProvider componentSize="small">
        {children}
        {exports && can(exports.needs) && <ExportButton call={exports} criteria={criteria} />}
      </ConfigProvider>
      <span className="push" />
      {list.news + list.gone.size > 0 && <News news={list.news} gone={list.gone.size} show={list.showNews} />}
      {list.data && (
        <span className="faint">
          {say(['数据时间', 'As of'])} {time(new Date(list.dataUpdatedAt)).slice(11)}
        </span>
      )}
      <ColumnChooser {...columns} />
      <Tooltip title={say(['刷新 (r)', 'Refresh (r)'])}>
        <Button
          size="small"
          type="text"
          aria-label={say(['刷新', 'Refresh'])}
          icon={<ReloadOutlined spin={list.isFetching} />}
          onClick={list.refresh}
        />
      </Tooltip>
    </div>
  )
}

interface RowsProps<T> {
  props: Pick<ListProps<any, any, T, any, any>, 'actions' | 'detail' | 'ticks' | 'rowKey'>
  list: ListOf<T>
  columns: readonly ColumnType<T>[]
  address: ListAddress<any>
  keyOf: (row: T) => string
  ticks: string[]
  onTicks: (keys: string[]) => void
  room: RefObject<HTMLDivElement | null>
  onReset: () => void
}
function Rows<T extends object>({ props, list, columns, address, keyOf, ticks, onTicks, room, onReset }: RowsProps<T>) {
  const say = useText()
  const height = useHeight(room)
  const { actions } = props
  const buttons: ColumnType<T> | undefined = actions && {
    key: ' ',
    title: say(['操作', 'Actions']),
    fixed: 'right',
    width: 1,
    render: (_, row) => <RowActions actions={actions(row)} />,
  }
  return (
    <div className={`list-rows${list.isFetching ? ' fetching' : ''}`} ref={room} aria-busy={list.isFetching}>
      <Table<T>
        rowKey={keyOf}
        size="small"
        pagination={false}
        columns={buttons ? [...columns, buttons] : [...columns]}
        dataSource={list.data?.records ?? []}
        scroll={{ x: 'max-content', y: height }}
        rowClassName={(row) => (keyOf(row) === address.openId ? 'open' : list.gone.has(keyOf(row)) ? 'gone' : '')}
        onRow={(row) => ({ onClick: () => props.detail && address.open(keyOf(row)) })}
        {...(props.ticks && { rowSelection: { selectedRowKeys: ticks, onChange: (keys) => onTicks(keys.map(String)), columnWidth: 40 } })}
        onChange={(_, __, sorter) => {
          const { columnKey, order } = [sorter].flat()[0]!
          address.sort(order ? String(columnKey) : undefined, order === 'ascend')
        }}
        locale={{ emptyText: <Instead list={list} address={address} onReset={onReset} /> }}
      />
    </div>
  )
}

/** What stands in the place of rows when there are none. */
function Instead<T>({ list, address, onReset }: { list: ListOf<T>; address: ListAddress<any>; onReset: () => void }) {
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failed error={list.error} retry={list.refresh} />
  const { current = 1, limit = PAGE_ROWS } = address.input
  if (current > 1 && list.data.total > 0) return <PastTheEnd first={() => address.turn(1, limit)} />
  return <Nothing clear={Object.keys(address.criteria).length > 0 ? onReset : undefined} />
}

function useListKeys(step: ((by: 1 | -1) => void) | undefined, refresh: () => void) {
  useKeys({
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

/** In this order: total, previous, pages, next, sizes, jumper. */
function Pages<T>({ data, address }: { data: Page<T> | undefined; address: ListAddress<any> }) {
  const say = useText()
  const total = data ? (data.totalExact ? String(data.total) : `${TOTAL_CAP}+`) : '–'
  return (
    <>
      <Pagination
        size="small"
        showSizeChanger
        showTotal={() => (
          <span className="soft">
            {say(['共', 'Total'])} <b>{total}</b> {say(['条', ' '])}
          </span>
        )}
        current={address.input.current ?? 1}
        pageSize={address.input.limit ?? PAGE_ROWS}
        total={data?.total ?? 0}
        pageSizeOptions={[20, 50, 100, 200]}
        onChange={address.turn}
      />
      <Jumper pages={Math.max(1, Math.ceil((data?.total ?? 0) / (address.input.limit ?? PAGE_ROWS)))} address={address} />
    </>
  )
}

/** antd's own is gone where there is one page only; this one stays in its place. */
function Jumper({ pages, address }: { pages: number; address: ListAddress<any> }) {
  const say = useText()
  const [typed, setTyped] = useState('')
  const jump = () => {
    const page = Math.min(pages, Math.max(1, Number(typed) || 0))
    if (typed) address.turn(page, address.input.limit ?? PAGE_ROWS)
    setTyped('')
  }
  return (
    <label className="jumper soft">
      {say(['跳至', 'Go to'])}
      <input
        inputMode="numeric"
        maxLength={6}
        value={typed}
        onChange={({ target }) => setTyped(target.value.replace(/\D/g, ''))}
        onKeyDown={({ key }) => key === 'Enter' && jump()}
        onBlur={jump}
      />
      {say(['页', ''])}
    </label>
  )
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

function OldData({ retry }: { retry: () => void }) {
  const say = useText()
  const button = (
    <Button size="small" onClick={retry}>
      {say(['重试', 'Try again'])}
    </Button>
  )
  return (
    <Alert banner type="warning" title={say(['刷新失败，下面是较早的数据。', 'Refreshing failed; below is the earlier data.'])} action={button} />
  )
}

function ExportButton({ call, criteria }: { call: Call<any, unknown>; criteria: object }) {
  const say = useText()
  const [now, setNow] = useState(false)
  const run = async () => {
    setNow(true)
    await download(call, criteria).catch(() => {}) // shown and noted by `download`
    setNow(false)
  }
  return (
    <Button icon={<DownloadOutlined />} loading={now} onClick={run}>
      {say(Label.export)}
    </Button>
  )
}

function drawn<T extends object>(
  column: Column<T>,
  shapes: Record<string, Shape>,
  say: (text: Text) => string,
  { sorted, sortable }: ListAddress<any>,
): ColumnType<T> {
  const own: ColumnType<T> = typeof column === 'string' ? { dataIndex: column as never } : (column as ColumnType<T>)
  const name = String(own.dataIndex ?? own.key)
  const shape = shapes[name]
  if (!shape) return { key: name, ...own }
  const order = sorted?.by === name ? (sorted.up ? ('ascend' as const) : ('descend' as const)) : null
  return {
    key: name,
    title: say(labelOf(shape)),
    align: isNumber(shape) ? 'right' : 'left',
    render: (value, row) => <Value shape={shape} value={value} of={row} />,
    ...(sortable.includes(name) && { sorter: true, sortOrder: order, sortDirections: ['descend', 'ascend'] as const }),
    ...own,
  } as ColumnType<T>
}

/** The room left for rows: the table scrolls inside it, under its own head. */
function useHeight(room: RefObject<HTMLDivElement | null>) {
  const [height, set] = useState(560)
  useEffect(() => {
    const box = room.current!
    const watch = new ResizeObserver(() => set(box.clientHeight - (box.querySelector<HTMLElement>('.ant-table-thead')?.offsetHeight ?? 38)))
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  return height
}
