import type { ReactNode } from 'react'
import { count, NONE } from '../../../../platform/web/format.ts'
import { type MetricCode, METRICS } from '../../contract/performance.ts'
import './servers.css'

/** A measure as people read it: 953 of 1000 is `95.3 %`. */
export function measured(metric: MetricCode, value: number | null | undefined): string {
  if (value === null || value === undefined) return NONE
  const { unit, per } = METRICS[metric]
  const shown = value / per
  return `${shown >= 1000 || per === 1 ? count(Math.round(shown)) : shown.toFixed(1)}${unit && ` ${unit}`}`
}
const STEPS = ['B', 'KB', 'MB', 'GB', 'TB'] as const
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return NONE
  const step = value < 1 ? 0 : Math.min(STEPS.length - 1, Math.floor(Math.log2(value) / 10))
  const shown = value / 2 ** (10 * step)
  return `${step === 0 || shown >= 100 ? count(Math.round(shown)) : shown.toFixed(1)} ${STEPS[step]}`
}

const ATTENTION = 0.75
const ACT = 0.9
/** A share of a whole as a bar with its number; a bar that asks for attention has a word's worth of colour and its number says the same. */
export function Bar({ share, text, ours = 0 }: { share: number | null; text: ReactNode; ours?: number }) {
  if (share === null) return <span className="faint">{NONE}</span>
  const tone = share >= ACT ? 'error' : share >= ATTENTION ? 'warning' : ''
  return (
    <span className={`share ${tone}`}>
      <i>
        <b style={{ inlineSize: `${Math.min(100, share * 100)}%` }} />
        {ours > 0 && <u style={{ inlineSize: `${Math.min(100, ours * 100)}%` }} />}
      </i>
      <span>{text}</span>
    </span>
  )
}
