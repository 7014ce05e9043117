import type { Of } from '../../../platform/contract/field.ts'
import type { Text } from '../../../platform/web/text.ts'
import { type ShiftRow, ShiftState } from '../../settlement/contract/shift.ts'

export type Closed = Of<typeof ShiftRow>
/** Whose turn it is once a till was counted. */
export function nextAfter({ state, takerName }: Pick<Closed, 'state' | 'takerName'>): Text {
  if (state === ShiftState.difference)
    return ['差异超过 10 元：等督导处理差异后再核验', 'The difference is above ¥10: a supervisor settles it, then the cash is verified']
  if (state === ShiftState.toTakeOver)
    return [`等 ${takerName ?? '接班人'} 清点并确认接班`, `${takerName ?? 'The incoming cashier'} counts the cash and takes the shift over`]
  return ['现金交回公司，等核验人员核验', 'The cash goes back to the office, where it is verified']
}
