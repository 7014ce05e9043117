import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { can } from '../../../../platform/web/person.ts'
import { useText } from '../../../../platform/web/text.ts'
import { shift } from '../../contract/shift.ts'
import { opensShift } from './opensShift.ts'

/** Beside the button that takes cash: the first of it opens a shift. */
export function OpensShift() {
  const say = useText()
  const { data } = useQuery({ ...asks(shift.mine, {}, { quiet: true }), enabled: can(shift.mine.needs) })
  const text = opensShift(data)
  return text ? <p className="state warning">{say(text)}</p> : null
}
