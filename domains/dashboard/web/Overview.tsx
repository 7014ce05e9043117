import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Call } from '../../../platform/contract/call.ts'
import type { Day } from '../../../platform/contract/field.ts'
import type { Figure } from '../../../platform/contract/figure.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Panel } from '../../../platform/web/draw/Panel.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { Tiles } from '../../../platform/web/draw/Tiles.tsx'
import './dashboard.css'

const LOOK_AGAIN_MS = 60_000

/** Reads a call if the person may, again and again. */
export function useFigures<I, R>(call: Call<I, R>, input: I) {
  const may = can(call.needs)
  return { may, ...useQuery({ ...asks(call, input, { quiet: true }), refetchInterval: LOOK_AGAIN_MS, enabled: may }) }
}

interface OverviewProps {
  purpose: Text
  label: Text
  tiles: ReactNode
  children: ReactNode
}
/** An overview of a part of the house: its figures in a row, and below them how they are made up. */
export function Overview({ purpose, label, tiles, children }: OverviewProps) {
  return (
    <div className="page">
      <PageHead purpose={purpose} />
      <Tiles label={label}>{tiles}</Tiles>
      <div className="dash-parts">{children}</div>
    </div>
  )
}

interface PartProps<I, R> {
  title: Text
  /** The list that it sums. */
  to?: string | undefined
  /** The declared figures that it draws. */
  figures?: readonly Figure[]
  call: Call<I, R>
  input: I
  children: (answer: R) => ReactNode
}
/** Draws the answer of one call; hidden from a person who may not read it. */
export function Part<I, R>({ title, to, figures, call, input, children }: PartProps<I, R>) {
  const { may, data, isError, error, refetch } = useFigures(call, input)
  if (!may) return null
  return (
    <Panel title={title} to={to} figures={figures}>
      {data !== undefined ? children(data) : isError ? <Failed error={error as Refusal} retry={() => void refetch()} /> : <Waiting lines={4} />}
    </Panel>
  )
}

const DAY_MS = 86_400_000
/** The last days of the city until today, both ends included. */
export function useLastDays(days: number): { from: Day; to: Day } {
  const [span] = useState(() => ({ from: cityDay(new Date(Date.now() - (days - 1) * DAY_MS).toISOString()), to: cityDay() }))
  return span
}
/** 11-24 of a day: a month of them has no room for the year. */
export const shortDay = (day: string) => day.slice(5)
