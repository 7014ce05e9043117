import { Button } from 'antd'
import { useState } from 'react'
import { cityDay } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { Money, Time } from '../../../platform/web/value.tsx'
import type { LintOf } from '../contract/rule.ts'
import { Holidays } from './Holidays.tsx'
import { clockText } from './RuleClock.tsx'
import './fee.css'

/** Lists the findings, each with its minute of the day and stays that show it. */
export function LintList({ lint }: { lint: readonly LintOf[] }) {
  const say = useText()
  const [year, open] = useState<number>()
  if (lint.length === 0) return null
  return (
    <ul className="fee-lint">
      {lint.map(({ level, code, minute, zh, en, examples }) => (
        <li key={`${code} ${minute} ${en}`} className={level}>
          <span className={`state ${level}`}>{level === 'error' ? say(['须改正', 'To correct']) : say(['请留意', 'Note'])}</span>{' '}
          {minute !== null && <code>{clockText(minute)}</code>} {say([zh, en])}
          {code === 'holidays' && (
            <Button type="link" size="small" onClick={() => open(yearIn(zh))}>
              {say(['打开节假日日历', 'Open the holiday calendar'])}
            </Button>
          )}
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
      {year !== undefined && <Holidays year={year} onClose={() => open(undefined)} />}
    </ul>
  )
}
/** Of which year the note speaks. */
const yearIn = (note: string): number => Number(/\d{4}/.exec(note)?.[0] ?? cityDay().slice(0, 4))
