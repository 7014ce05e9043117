import { type ComponentType, Suspense, lazy, useMemo, useRef, useState } from 'react'
import { useColumns } from './Columns.tsx'
import { useGivingWay } from './giveWay.ts'
import { DetailDrawer } from '../record/DetailDrawer.tsx'
import { Filters } from './Filters.tsx'
import type { HistoryProps } from '../record/History.tsx'
import { ListPages } from './ListPages.tsx'
import { PageHead } from '../page/page.tsx'
import { can } from '../person.ts'
import { SearchBar } from './SearchBar.tsx'
import { NoPermission } from '../page/states.tsx'
import { Figures, Totals } from './Sums.tsx'
import { useText } from '../text.ts'
import { useTour } from '../tour/tour.ts'
import { useListAddress } from './useListAddress.ts'
import { isReading, useRows } from './useRows.ts'
import { tickedOne } from './selection.ts'
import { LIST_TOUR } from './listTour.ts'
import { OverTicks, useTicks } from './Ticks.tsx'
import { type ViewsProps, useDefaultView } from './Views.tsx'
import { recordsOf, type Shape, shapesOf } from '../value.tsx'
import type { Extra, ListProps } from './listProps.ts'
import { namedIn, permitted, wholeOf, withExtra } from './listCriteria.ts'
import { Add, Bar } from './ListBar.tsx'
import { Rows } from './ListRows.tsx'
import { OldData } from './listStates.tsx'
import { stepIn, useListKeys } from './listKeys.ts'
import { drawn, inCells } from './listColumns.tsx'

export type { Column, ListProps, SearchKey, Toolbar } from './listProps.ts'
export type { RowAction } from './RowActions.tsx'
export type { Find } from './SearchBar.tsx'
export type { Sum } from './Sums.tsx'
const HistoryDrawer = lazy(() => import('../record/History.tsx')) as unknown as ComponentType<HistoryProps<any>>

/**
 * A searchable list at its own address: search, order, page and the open record are in the address; rows stay live without moving under the eye.
 * Everything a list can be in (loading, empty, failed, stale, not allowed) is shown here, so that no screen forgets it.
 */
export function ListScreen<C extends object, S extends string, T extends object, R, X extends Extra = {}>(props: ListProps<C, S, T, R, X>) {
  return can(props.query.needs) ? <List {...props} /> : <NoPermission />
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
