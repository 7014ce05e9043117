import type { Of } from '../../../platform/contract/field.ts'
import { NONE, yuan } from '../../../platform/web/format.ts'
import type { Say, Text } from '../../../platform/web/text.ts'
import { ShiftState } from '../../settlement/contract/shift.ts'
import type { Till } from '../contract/till.ts'

type Row = Of<typeof Till>
/** A shift that was settled before tills were counted here has no count: it is said, for `--` would be a count that somebody cannot see. */
export const countOf = ({ state, countedFen, expectedFen }: Pick<Row, 'state' | 'countedFen' | 'expectedFen'>, say: Say): string | undefined =>
  state === ShiftState.settled && countedFen === null && expectedFen !== null ? say(['未清点', 'Not counted']) : undefined

const amount = (fen: number | null) => (fen === null ? NONE : `¥${yuan(fen)}`)
/** The question to a person who verifies names the holder of the cash, and the amount. */
export function verifying({
  name,
  shiftNo,
  countedFen,
  expectedFen,
  differenceFen,
}: Pick<Row, 'name' | 'shiftNo' | 'countedFen' | 'expectedFen' | 'differenceFen'>): {
  question: Text
  detail: Text
} {
  const [counted, expected, differs] = [amount(countedFen), amount(expectedFen), amount(differenceFen)]
  return {
    question: [
      `确认已收到 ${name} 的现金 ${counted}，且与账面一致？`,
      `Confirm that the cash of ${name}, ${counted}, is received and matches the books?`,
    ],
    detail: [
      `收银班次 ${shiftNo}：应有 ${expected}，实点 ${counted}，差异 ${differs}`,
      `Cash shift ${shiftNo}: ${expected} expected, ${counted} counted, difference ${differs}`,
    ],
  }
}
