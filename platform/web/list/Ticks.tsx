import { type ComponentType, lazy, Suspense, useState } from 'react'
import { type Call, type Page, PAGE_ROWS_MAX } from '../../contract/call.ts'
import { ask } from '../ask.ts'
import type { BulkOf } from './Bulk.tsx'
import { TICKS_MOST } from './selection.ts'
import { useText } from '../text.ts'
import type { ListAddress } from './useListAddress.ts'

export interface Ticks<T> {
  rows: T[]
  keys: string[]
  set: (keys: readonly string[], from: readonly T[]) => void
  /** Every row of the search, up to TICKS_MOST. */
  all: () => Promise<void>
  none: () => void
}
/** Ticked rows, over all pages: a row that is ticked stays so when its page is left. */
export function useTicks<T>(query: Call<any, Page<T>>, address: ListAddress<any>, keyOf: (row: T) => string): Ticks<T> {
  const [ticked, setTicked] = useState<ReadonlyMap<string, T>>(new Map())
  const all = async () => {
    const found = new Map<string, T>()
    for (let current = 1; found.size < TICKS_MOST; current++) {
      const { records } = await ask(query, { ...address.input, current, limit: PAGE_ROWS_MAX, queryMode: 'rows' })
      for (const row of records) if (found.size < TICKS_MOST) found.set(keyOf(row), row)
      if (records.length < PAGE_ROWS_MAX) break
    }
    setTicked(found)
  }
  return {
    rows: [...ticked.values()],
    keys: [...ticked.keys()],
    all,
    set: (keys, from) => {
      const here = new Map(from.map((row) => [keyOf(row), row]))
      setTicked(new Map(keys.flatMap((key): [string, T][] => (here.has(key) || ticked.has(key) ? [[key, (here.get(key) ?? ticked.get(key))!]] : []))))
    },
    none: () => setTicked(new Map()),
  }
}

/** What the tick over all rows is called, which the table library says in English alone. */
export function useTickOfAll() {
  const say = useText()
  return { getTitleCheckboxProps: () => ({ 'aria-label': say(['全选', 'Select all']) }) }
}

// Only lists whose rows are ticked load these.
const Buttons = lazy(async () => ({
  default: (await import('./Bulk.tsx')).BulkButtons as ComponentType<{ bulk: BulkOf<any>; ticked: readonly any[] }>,
}))
const OfTicked = lazy(async () => ({ default: (await import('./Bulk.tsx')).Ticked }))
/** Over the rows: what can be done to all that are ticked, and how many are. */
export function OverTicks<T>({ bulk, ticks, data }: { bulk: BulkOf<T> | undefined; ticks: Ticks<T>; data: Page<T> | undefined }) {
  const count = ticks.rows.length
  return (
    <Suspense>
      {bulk && <Buttons bulk={bulk} ticked={ticks.rows} />}
      {count > 0 && <OfTicked count={count} total={data?.total ?? 0} exact={data?.totalExact ?? false} onAll={ticks.all} onNone={ticks.none} />}
    </Suspense>
  )
}
