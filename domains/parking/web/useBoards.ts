import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { useFrames } from '../../../platform/web/live.ts'
import { laneBoard } from '../contract/laneBoard.ts'

/** Frames of one moment are answered together; a car and its command are one look. */
const PAUSE_MS = 150
/** The board looks again by itself, in case a word was lost. */
const LOOK_AGAIN_MS = 30_000

/** The boards of the parks, each as it is now. A frame asks again only for the park it speaks of. */
export function useBoards(parks: readonly string[]) {
  const cache = useQueryClient()
  const boards = useQueries({
    queries: parks.map((parkCode) => ({ ...asks(laneBoard.state, { parkCode }, { quiet: true }), refetchInterval: LOOK_AGAIN_MS })),
  })
  const waiting = useRef({ parks: new Set<string>(), timer: undefined as ReturnType<typeof setTimeout> | undefined })
  useEffect(() => () => clearTimeout(waiting.current.timer), [])

  const hear = ({ ids }: { ids: readonly string[] }) => {
    const named = parks.filter((_, place) => boards[place]?.data?.lanes.some((lane) => ids.includes(lane.gateCode)))
    const now = waiting.current
    for (const one of named.length > 0 ? named : parks) now.parks.add(one)
    now.timer ??= setTimeout(() => {
      for (const parkCode of now.parks) void cache.invalidateQueries({ queryKey: [laneBoard.state.id, { parkCode }] })
      now.parks.clear()
      now.timer = undefined
    }, PAUSE_MS)
  }
  useFrames(LANE_TOPIC, hear)
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
