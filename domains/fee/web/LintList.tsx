import { useText } from '../../../platform/web/text.ts'
import { Money, Time } from '../../../platform/web/value.tsx'
import type { LintOf } from '../contract/rule.ts'
import { clockText } from './RuleClock.tsx'
import './fee.css'

/** What stands against publishing, each with the minute of the day it speaks of and stays that show it. */
export function LintList({ lint }: { lint: readonly LintOf[] }) {
  const say = useText()
  if (lint.length === 0) return null
  return (
    <ul className="fee-lint">
      {lint.map(({ level, code, minute, zh, en, examples }) => (
        <li key={`${code} ${minute} ${en}`} className={level}>
          <span className={`state ${level}`}>{level === 'error' ? say(['须改正', 'To correct']) : say(['请留意', 'Note'])}</span>{' '}
          {minute !== null && <code>{clockText(minute)}</code>} {say([zh, en])}
          {examples.length > 0 && (
            <ul className="fee-lint-examples" aria-label={say(['举例', 'Examples'])}>
              {examples.map(({ from, to, feeFen }) => (
                <li key={`${from} ${to}`}>
                  <Time at={from} /> – <Time at={to} /> <Money fen={feeFen} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
