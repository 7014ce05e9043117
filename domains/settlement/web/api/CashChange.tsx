import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asks } from '../../../../platform/web/ask.ts'
import { Yuan } from '../../../../platform/web/inputs.tsx'
import { can } from '../../../../platform/web/person.ts'
import { useText } from '../../../../platform/web/text.ts'
import { Money } from '../../../../platform/web/value.tsx'
import { shift } from '../../contract/shift.ts'
import './cash.css'

/** What the driver hands over, and what goes back: the cashier types it, and nothing of it is sent. */
export function CashChange({ dueFen }: { dueFen: number }) {
  const say = useText()
  const [given, setGiven] = useState<number | null>(null)
  const change = given === null ? undefined : given - dueFen
  return (
    <div className="cash-points">
      <NoShiftYet />
      <label>
        {say(['收到', 'Received'])}
        <Yuan value={given} onChange={setGiven} aria-label={say(['收到', 'Received'])} />
        {change !== undefined && (
          <b role="status">
            {change < 0 ? say(['还差', 'Still missing']) : say(['找零', 'Change'])} <Money fen={Math.abs(change)} />
          </b>
        )}
      </label>
    </div>
  )
}

/** Cash opens a shift by itself: whoever takes it has to know, for they close it. */
function NoShiftYet() {
  const say = useText()
  const { data } = useQuery({ ...asks(shift.mine, {}, { quiet: true }), enabled: can(shift.mine.needs) })
  if (data !== null) return null
  return (
    <p className="state warning">
      {say([
        '您还没有开班：收款后自动开班，备用金为 0，下班须交班',
        'You have no running shift: taking cash opens one with no float, which you close when you leave',
      ])}
    </p>
  )
}
