import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Call, Page, Paged } from '../../contract/call.ts'
import { ask, asks, type Refusal } from '../ask.ts'
import { useFrames } from '../live.ts'

/** The server is asked at most this often for a list that keeps changing. */
const LIVE_PAUSE_MS = 1_500
/** What is counted and summed over the whole filter reads many rows, and people look at it less often. */
const WHOLE_PAUSE_MS = 10_000
const NOBODY: ReadonlySet<string> = new Set()

interface Asked<C, T> {
  query: Call<Paged<C, any>, Page<T>>
  input: Paged<C, string>
  keyOf: (row: T) => string
  /** The topic whose frames change this list. */
  live: string | undefined
  /** Whether somebody is reading: then no row moves. */
  isRead: () => boolean
  /** Nothing is asked for before it is known what for. */
  enabled?: boolean
}

/**
 * A page of a list. What changes on the server is refreshed in its place; new rows wait (`news`) until they are asked for or nobody reads,
 * rows that left the filter stay, marked (`gone`), until then.
 */
export function useRows<C, T>({ query, input, keyOf, live, isRead, enabled = true }: Asked<C, T>) {
  const cache = useQueryClient()
  const question = asks(query, input)
  const list = useQuery<Page<T>, Refusal>({ ...question, enabled, placeholderData: keepPreviousData, refetchInterval: whileAway })
  const here = JSON.stringify(input)
  const old = useOld(list, here)
  // What waits, waits over the page that is shown: once that was read anew (after one's own change) nothing waits any more.
  const [fresh, setFresh] = useState<{ here: string; over: Page<T> | undefined; page: Page<T>; news: number; gone: ReadonlySet<string> }>()
  const waiting = fresh?.here === here && fresh.over === list.data ? fresh : undefined

  const show = (page: Page<T>) => {
    cache.setQueryData(question.queryKey, page)
    setFresh(undefined)
  }
  const countAnew = usePaced(() => cache.invalidateQueries({ queryKey: [query.id, 'whole'] }), WHOLE_PAUSE_MS)
  const look = async (changed: ReadonlySet<string>) => {
    const page = await ask(query, input, { quiet: true }).catch(() => undefined)
    // Looked at only now: the page may have been read anew meanwhile.
    const before = cache.getQueryData<Page<T>>(question.queryKey)
    if (!page || !before) return
    countAnew(changed)
    const merged = mergedPage(before, page, keyOf, changed)
    const announce = (input.current ?? 1) === 1
    if ((merged.news === 0 && merged.gone.size === 0) || !isRead() || !announce) show(announce ? page : merged.page)
    else {
      const over = cache.setQueryData<Page<T>>(question.queryKey, merged.page)
      setFresh({ here, over, page, news: merged.news, gone: merged.gone })
    }
  }
  const hear = usePaced(look, LIVE_PAUSE_MS)
  useFrames(live, ({ ids }) => hear(ids))
  return {
    ...list,
    data: list.data ?? old?.page,
    dataUpdatedAt: list.data || !old ? list.dataUpdatedAt : old.at,
    old,
    news: waiting?.news ?? 0,
    gone: waiting?.gone ?? NOBODY,
    showNews: () => waiting && show(waiting.page),
    refresh: () => {
      setFresh(undefined)
      void cache.invalidateQueries({ queryKey: [query.id] })
    },
  }
}

/** The network or the server is away, and the same question has an answer later. */
const isAway = (error: Refusal | null) => error !== null && (error.status === 0 || error.status === TIMED_OUT || error.status >= 500)
const TIMED_OUT = 408
/** A list that failed comes back by itself: at once when the browser says that the network is there, else soon. */
const AWAY_RETRY_MS = 5_000
const whileAway = ({ state }: { state: { error: Refusal | null } }) => isAway(state.error) && AWAY_RETRY_MS

interface Old<T> {
  page: Page<T>
  at: number
  /** It answers an earlier question. */
  ofOther: boolean
}
/** What stood here before it could not be asked anew: it stays, as what it is. */
function useOld<T>(
  { data, error, isError, isPlaceholderData, dataUpdatedAt, refetch }: UseQueryResult<Page<T>, Refusal>,
  here: string,
): Old<T> | undefined {
  const known = useRef<{ page: Page<T>; at: number; here: string }>(undefined)
  if (data && !isPlaceholderData) known.current = { page: data, at: dataUpdatedAt, here }
  const away = isError && isAway(error)
  useEffect(() => {
    if (!away) return
    const again = () => void refetch()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [away, refetch])
  return away && known.current ? { ...known.current, ofOther: known.current.here !== here } : undefined
}

/** The rows in the place they have, each as it is now. */
function mergedPage<T>(before: Page<T>, page: Page<T>, keyOf: (row: T) => string, changed: ReadonlySet<string>) {
  const now = new Map(page.records.map((row) => [keyOf(row), row]))
  const shown = new Set(before.records.map(keyOf))
  const gone = new Set([...shown].filter((key) => changed.has(key) && !now.has(key)))
  const news = page.records.filter((row) => !shown.has(keyOf(row))).length
  return { page: { ...page, records: before.records.map((row) => now.get(keyOf(row)) ?? row) }, news, gone }
}

/** Gathers what has changed and looks once per pause; the last change is never forgotten. */
function usePaced(look: (changed: ReadonlySet<string>) => Promise<void>, pauseMs: number) {
  const latest = useRef(look)
  latest.current = look
  const state = useRef({ ids: new Set<string>(), timer: undefined as ReturnType<typeof setTimeout> | undefined, last: 0 })
  useEffect(
    () => () => {
      clearTimeout(state.current.timer)
      state.current.timer = undefined
    },
    [],
  )
  return (ids: Iterable<string>) => {
    const now = state.current
    for (const id of ids) now.ids.add(id)
    now.timer ??= setTimeout(
      () => {
        const changed = now.ids
        Object.assign(now, { ids: new Set<string>(), timer: undefined, last: Date.now() })
        void latest.current(changed)
      },
      Math.max(0, now.last + pauseMs - Date.now()),
    )
  }
}

/** Somebody is reading when the list is scrolled, the hand is on it, rows are ticked or a detail is open. */
export const isReading = (room: RefObject<HTMLElement | null>, busy: boolean) => {
  const body = room.current?.querySelector('.ant-table-body, .ant-table-tbody-virtual-holder')
  return busy || (body?.scrollTop ?? 0) > 0 || (room.current?.matches(':hover') ?? false)
}
