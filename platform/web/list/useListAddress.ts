import { useMemo } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { type Order, PAGE_ROWS, type Paged, type Search } from '../../contract/call.ts'
import { orderAsked, orderIn, orderOut, type Press, pressed } from './order.ts'
import type { Asked } from './views.ts'

/**
 * A list's place: what is searched, how it is sorted, which page, which record is open.
 * All of it is in the address, so a reload, a link and a tab keep it.
 */
export interface ListAddress<C = Record<string, unknown>> {
  criteria: C
  input: Paged<C, string>
  /** The whole filter, without page: what sums and counts are asked over. */
  whole: Paged<C, string>
  /** Neither the person nor the screen narrows it. */
  unfiltered: boolean
  sortable: readonly string[]
  /** The weightiest field first; nothing where the list has its own order. */
  sorted: readonly Order[]
  openId: string | undefined
  /** The open record by the browser's address: what is drawn follows it a moment later, and a key pressed twice must move by two. */
  openNow: () => string | undefined
  search: (criteria: C) => void
  /** The criteria that stand, with these changed; undefined takes one away. Of two in quick succession both count. */
  narrow: (criteria: { [K in keyof C]?: C[K] | undefined }) => void
  /** No filter, no order, page 1. */
  reset: () => void
  /** The next order follows from the browser's address: of two quick presses neither is lost. */
  press: (head: Press) => void
  turn: (page: number, rows: number) => void
  /** No search, no order, no record: as a menu opens it. */
  bare: boolean
  /** Criteria, order and rows per page as they stand in the address: what a view keeps. */
  asked: Asked[]
  /** Asks for that and nothing else, under the view's id; answers with the names that this list does not know. */
  apply: (asked: readonly Asked[], view: string) => string[]
  /** The view that was called last, whatever was changed since. */
  view: string | undefined
  open: (id: string) => void
  close: () => void
}

/** `only` are criteria that the screen fixes; they are asked for but are neither in the address nor in the search bar. */
export function useListAddress<C extends object, S extends string>({ schema, sort }: Search<C, S>, only: C | undefined): ListAddress<C> {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { id } = useParams()
  const list = id ? pathname.slice(0, pathname.lastIndexOf('/')) : pathname
  const fixed = useSteady(only)
  const criteria = useMemo(() => criteriaIn<C>(params, schema), [params])

  return useMemo(() => {
    const sorted = orderIn(params, sort)
    const current = Math.max(1, Number(params.get('page')) || 1)
    const limit = Math.max(1, Number(params.get('rows')) || PAGE_ROWS)
    const asked = { ...criteria, ...fixed }
    const none = Object.fromEntries(Object.keys(schema).map((key) => [key, undefined]))
    const isKnown = ({ name, value }: Asked) =>
      name in schema ||
      (name === 'sort' ? value.split(',').every((one) => (sort as readonly string[]).includes(one)) : name === 'up' || name === 'rows')
    const stands = [...params].map(([name, value]) => ({ name, value })).filter(isKnown)
    const now = () => new URLSearchParams(searchNow(list, search))
    const change = (next: Record<string, unknown>) => setParams(changed(now(), next))
    return {
      criteria,
      sortable: sort,
      sorted,
      openId: id,
      openNow: () => openIn(list),
      input: { ...asked, current, limit, ...orderAsked(sorted) } as Paged<C, string>,
      whole: { ...asked, current: 1, limit: 1 } as Paged<C, string>,
      unfiltered: Object.keys(asked).length === 0,
      search: (next: C) => change({ ...none, page: undefined, ...next }),
      narrow: (next: object) => change({ page: undefined, ...next }),
      reset: () => change({ ...none, page: undefined, sort: undefined, up: undefined, view: undefined }),
      press: (head: Press) => change({ ...orderOut(pressed(orderIn(now(), sort), head)), page: undefined }),
      turn: (page: number, rows: number) => change({ page: page > 1 ? page : undefined, rows: rows === PAGE_ROWS ? undefined : rows }),
      bare: stands.length === 0 && id === undefined && !params.has('page'),
      asked: stands,
      view: params.get('view') ?? undefined,
      apply: (wanted: readonly Asked[], view: string) => {
        const known = Object.fromEntries(wanted.filter(isKnown).map(({ name, value }) => [name, value]))
        change({ ...none, page: undefined, sort: undefined, up: undefined, rows: undefined, ...known, view })
        return wanted.filter((one) => !isKnown(one)).map(({ name, value }) => (name === 'sort' ? value : name))
      },
      open: (one: string) => void navigate(`${list}/${encodeURIComponent(one)}${searchNow(list, search)}`, { replace: id !== undefined }),
      close: () => void navigate(`${list}${searchNow(list, search)}`, { replace: true }),
    }
  }, [criteria, fixed, list, search, id])
}

/**
 * The browser's address is ahead of what is drawn: of two acts in quick succession neither is lost, and what was reset a moment ago does not come back with the next record. A
 * hidden tab has its own.
 */
const searchNow = (list: string, drawn: string) => (`${window.location.pathname}/`.includes(`${list}/`) ? window.location.search : drawn)

function openIn(list: string): string | undefined {
  const [, key] = window.location.pathname.split(`${list}/`)
  return key === undefined ? undefined : decodeURIComponent(key)
}

/** The same object as long as it says the same: screens write `only` out in place. */
function useSteady<V>(value: V): V {
  const text = JSON.stringify(value)
  return useMemo(() => value, [text])
}

function changed(params: URLSearchParams, next: Record<string, unknown>) {
  for (const [key, value] of Object.entries(next)) {
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) params.delete(key)
    else params.set(key, String(value))
  }
  return params
}

/** What an address asks of a list. */
export function criteriaIn<C>(params: URLSearchParams, schema: Record<string, unknown>): C {
  const given = Object.entries(schema).filter(([key]) => params.has(key))
  return Object.fromEntries(given.map(([key, one]) => [key, fromText(params.get(key)!, one as Plain)])) as C
}
interface Plain {
  type: string
  items?: Plain
}
function fromText(text: string, { type, items }: Plain): unknown {
  if (type === 'array') return text.split(',').map((part) => fromText(part, items!))
  if (type === 'boolean') return text === 'true'
  return type === 'integer' || type === 'number' ? Number(text) : text
}
