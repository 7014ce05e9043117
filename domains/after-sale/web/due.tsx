import { useState } from 'react'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'

/** This moment, for as long as the page is open: what is late by then. */
export const useNow = (): Instant => useState(() => instantAt(Date.now()))[0]

/** A time by which something has to be done: what is still to be done and late says so. */
export function useDueColumn<N extends string, R extends { [name in N]: Instant }>(dataIndex: N, title: Text, waits: (row: R) => boolean) {
  const say = useText()
  const now = useNow()
  return {
    dataIndex,
    title: say(title),
    render: (_: unknown, row: R) => (
      <>
        <Time at={row[dataIndex]} />
        {waits(row) && msOf(row[dataIndex]) < msOf(now) && <span className="state error"> {say(LATE)}</span>}
      </>
    ),
  }
}
const LATE: Text = ['超时', 'Overdue']
