import { Button } from 'antd'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { Call } from '../../contract/call.ts'
import type { BulkAct } from './bulkRun.ts'
import { can } from '../person.ts'
import { TICKS_MOST, tickedSome, tickedToDelete } from './selection.ts'
import { type Text, useText } from '../text.ts'

/** What can be done to many rows at once. */
export interface BulkOf<T> {
  /** What a person calls the row in the list of results. */
  nameOf: (row: T) => string
  acts: readonly BulkAct<T>[]
  /** Calls whose answers it makes old. */
  changes: readonly Call<any, any>[]
}
export interface BulkProps<T> extends BulkOf<T> {
  act: BulkAct<T>
  rows: readonly T[]
  onClose: () => void
}
const Dialog = lazy(() => import('./BulkDialog.tsx')) as unknown as ComponentType<BulkProps<any>>

/** The buttons over the rows. Without a tick they say that one is needed. */
export function BulkButtons<T>({ bulk, ticked }: { bulk: BulkOf<T>; ticked: readonly T[] }) {
  const say = useText()
  const [doing, setDoing] = useState<{ act: BulkAct<T>; rows: readonly T[] }>()
  return (
    <>
      {bulk.acts
        .filter(({ call }) => can(call.needs))
        .map((act) => (
          <Button
            key={act.text[1]}
            danger={act.danger ?? false}
            onClick={() => (act.danger ? tickedToDelete : tickedSome)(ticked) && setDoing({ act, rows: ticked })}
          >
            {say(act.text)}
          </Button>
        ))}
      {doing && (
        <Suspense>
          <Dialog {...bulk} {...doing} onClose={() => setDoing(undefined)} />
        </Suspense>
      )}
    </>
  )
}

interface TickedProps {
  count: number
  /** How many rows the whole search has, as far as it was counted. */
  total: number
  exact: boolean
  onAll: () => Promise<void>
  onNone: () => void
}
/** How many rows are ticked, over all pages; all of the search can be, up to a limit. */
export function Ticked({ count, total, exact, onAll, onNone }: TickedProps) {
  const say = useText()
  const [fetching, setFetching] = useState(false)
  const all = async () => {
    setFetching(true)
    await onAll().catch(() => {}) // shown and noted by `ask`
    setFetching(false)
  }
  const most: Text = exact
    ? [`选择全部 ${total} 条`, `Select all ${total}`]
    : [`选择全部（最多 ${TICKS_MOST} 条）`, `Select all (up to ${TICKS_MOST})`]
  return (
    <span className="ticked" role="status">
      {say([`已选 ${count} 条`, `${count} selected`])}
      {count < total && (
        <Button type="link" loading={fetching} onClick={() => void all()}>
          {say(most)}
        </Button>
      )}
      <Button type="link" onClick={onNone}>
        {say(['清除', 'Clear'])}
      </Button>
    </span>
  )
}
