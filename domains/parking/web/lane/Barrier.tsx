import type { ReactElement } from 'react'
import { type Text, useText } from '../../../../platform/web/text.ts'

export type BarrierState = 'opened' | 'closed' | 'blocked' | 'unknown'
const states: Record<BarrierState, Text> = {
  opened: ['抬起', 'Up'],
  closed: ['落下', 'Down'],
  blocked: ['受阻', 'Blocked'],
  unknown: ['未知', 'Unknown'],
}
/** Maps a device's report to one of the four barrier pictures. */
export const barrierOf = (said: string | null | undefined): BarrierState => (said && said in states ? (said as BarrierState) : 'unknown')

/** A barrier drawn as one: a post and its arm, up, down, stopped half-way, or dashed when nobody knows. The word stands beside it. */
export function Barrier({ state, wide, word = true }: { state: BarrierState; wide?: boolean; word?: boolean }): ReactElement {
  const say = useText()
  return (
    <span
      className={`barrier ${state}${wide ? ' wide' : ''}`}
      role="img"
      aria-label={say(['道闸', 'Barrier']) + say([states[state][0], ` ${states[state][1].toLowerCase()}`])}
    >
      <svg viewBox="0 0 64 36" aria-hidden="true">
        <line className="road" x1="2" y1="34" x2="62" y2="34" />
        <rect className="post" x="5" y="19" width="7" height="15" rx="1.5" />
        <g className="arm">
          <line x1="10" y1="24" x2="60" y2="24" />
          <line className="stripes" x1="16" y1="24" x2="60" y2="24" />
        </g>
        <circle className="post" cx="9" cy="24" r="3.2" />
      </svg>
      {word && <span>{say(states[state])}</span>}
    </span>
  )
}
