import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { asks } from '../../../../platform/web/ask.ts'
import { useFrames } from '../../../../platform/web/live.ts'
import { laneBoard, type LaneRow } from '../../contract/laneBoard.ts'
import { STAY_TOPIC } from '../stay/changes.ts'

/** Frames of one moment are answered together; a car and its command are one look. */
const PAUSE_MS = 150
/** Between two looks at every park: devices come and go by the hundred when a network fails. */
const REST_MS = 3_000
/** The board looks again by itself, in case a word was lost. */
const LOOK_AGAIN_MS = 30_000

interface Waiting {
  parks: Set<string>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Until it is over, nobody looks at all parks. */
  rest: ReturnType<typeof setTimeout> | undefined
  /** Somebody wanted to. */
  again: boolean
}
/** The boards of the parks, each as it is now. A frame asks again only for the park it speaks of. */
export function useBoards(parks: readonly string[]) {
  const cache = useQueryClient()
  const boards = useQueries({
    queries: parks.map((parkCode) => ({ ...asks(laneBoard.state, { parkCode }, { quiet: true }), refetchInterval: LOOK_AGAIN_MS })),
  })
  const waiting = useRef<Waiting>({ parks: new Set(), timer: undefined, rest: undefined, again: false })
  // A hidden tab forgets what it was about to look at; shown again it asks anew.
  useEffect(
    () => () => {
      clearTimeout(waiting.current.timer)
      clearTimeout(waiting.current.rest)
      waiting.current = { parks: new Set(), timer: undefined, rest: undefined, again: false }
    },
    [],
  )

  // Looks at all follow one another for as long as devices come and go: each is at the parks that are shown by then.
  const shown = useRef(parks)
  shown.current = parks
  const look = (park: readonly string[]) => {
    const now = waiting.current
    for (const one of park) now.parks.add(one)
    if (now.parks.size === 0) return
    now.timer ??= setTimeout(() => {
      for (const parkCode of now.parks) void cache.invalidateQueries({ queryKey: [laneBoard.state.id, { parkCode }] })
      now.parks.clear()
      now.timer = undefined
    }, PAUSE_MS)
  }
  const lookAtAll = () => {
    const now = waiting.current
    if (now.rest) return void (now.again = true)
    look(shown.current)
    now.rest = setTimeout(() => {
      const again = now.again
      now.rest = undefined
      now.again = false
      if (again) lookAtAll()
    }, REST_MS)
  }
  const whose = (is: (lane: LaneRow) => boolean) => parks.filter((_, place) => boards[place]?.data?.lanes.some(is))
  const passed = (ids: readonly string[]) =>
    parks.filter((_, place) => boards[place]?.data?.recent.some(({ stayId }) => stayId !== null && ids.includes(stayId)))
  // No ids: something may have been missed, so every park is looked at.
  useFrames(LANE_TOPIC, ({ ids }) => look(ids.length > 0 ? whose((lane) => ids.includes(lane.gateCode)) : parks))
  // A car that passed lately has paid, or its record was put right.
  useFrames(STAY_TOPIC, ({ ids }) => look(passed(ids)))
  useFrames('device.command', ({ ids }) => look(whose((lane) => lane.command !== null && ids.includes(lane.command.id))))
  useFrames('device.status', lookAtAll)
  return boards
}
export const LANE_TOPIC = 'parking.lane'

/** The time, told anew every second while the screen is shown. */
export function useNow(): number {
  const [now, tell] = useState(Date.now)
  useEffect(() => {
    const clock = setInterval(() => tell(Date.now()), 1000)
    return () => clearInterval(clock)
  }, [])
  return now
}
