import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Grid, Popover } from 'antd'
import { useState } from 'react'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { asks } from '../../../platform/web/ask.ts'
import { time } from '../../../platform/web/format.ts'
import { Loaded } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { schedule } from '../contract/roster.ts'
import { type Draft, listOf } from './roster.ts'

/** The days in one line of a wide page; more of them fold. A phone shows their number. */
const DAYS_SHOWN = 7
type Gap = Of<typeof schedule.uncovered.reply>[number]
interface Props {
  workDateFrom: Day
  workDateTo: Day
  groupId: string | undefined
  /** Unsaved changes count as if they were saved. */
  draft: Draft
}
/** A strip of uncovered places, day by day. */
export function Gaps({ workDateFrom, workDateTo, groupId, draft }: Props) {
  const { md = true } = Grid.useBreakpoint()
  const asked = { workDateFrom, workDateTo, ...(groupId && { groupId }), list: listOf(draft), removed: [...draft.removed] } as never
  const uncovered = useQuery({ ...asks(schedule.uncovered, asked, { quiet: true }), placeholderData: keepPreviousData })
  return (
    <Loaded of={uncovered} lines={1}>
      {(gaps) => gaps.length > 0 && <GapDays gaps={gaps} most={md ? DAYS_SHOWN : 0} />}
    </Loaded>
  )
}
export function GapDays({ gaps, most }: { gaps: readonly Gap[]; most: number }) {
  const say = useText()
  const [unfolded, unfold] = useState(false)
  const days = [...new Set(gaps.map(({ workDate }) => workDate))]
  const folds = days.length > most
  return (
    <div className="roster-gaps">
      <span className="state warning">{say(['缺岗', 'Uncovered'])}</span>
      {folds && (
        <>
          <span>
            {say([
              `${days.length} 天 · ${gaps.length} 处`,
              `${days.length} ${plural(days.length, 'day')} · ${gaps.length} ${plural(gaps.length, 'gap')}`,
            ])}
          </span>
          <Button size="small" aria-expanded={unfolded} onClick={() => unfold(!unfolded)}>
            {say(unfolded ? ['收起', 'Collapse'] : ['展开', 'Expand'])}
          </Button>
        </>
      )}
      {(unfolded || !folds) && days.map((day) => <GapDay key={day} day={day} gaps={gaps.filter(({ workDate }) => workDate === day)} />)}
    </div>
  )
}
/** A popover with more than this is a list to scroll. */
const GAPS_SHOWN = 30
function GapDay({ day, gaps }: { day: string; gaps: readonly Gap[] }) {
  const list = (
    <ul className="roster-met">
      {gaps.slice(0, GAPS_SHOWN).map((one) => (
        <li key={`${one.placeCode} ${one.from}`}>
          {one.groupName} {one.placeName} {time(one.from).slice(11, 16)}–{time(one.to).slice(11, 16)}
        </li>
      ))}
    </ul>
  )
  return (
    <Popover content={list} trigger={['click']}>
      <Button size="small">
        {day.slice(5)} · {gaps.length}
      </Button>
    </Popover>
  )
}
