import { useText } from '../../../platform/web/text.ts'
import type { LintOf } from '../contract/rule.ts'
import { clockText } from './RuleClock.tsx'
import './fee.css'

/** What stands against publishing, each with the minute of the day it speaks of. */
export function LintList({ lint }: { lint: readonly LintOf[] }) {
  const say = useText()
  if (lint.length === 0) return null
  return (
    <ul className="fee-lint">
      {lint.map(({ level, code, minute, zh, en }) => (
        <li key={`${code} ${minute} ${en}`} className={level}>
          <span className={`state ${level}`}>{level === 'error' ? say(['须改正', 'To correct']) : say(['请留意', 'Mind'])}</span>{' '}
          {minute !== null && <code>{clockText(minute)}</code>} {say([zh, en])}
        </li>
      ))}
    </ul>
  )
}
