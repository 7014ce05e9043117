import { useState } from 'react'
import { Yuan } from '../../../../platform/web/form/inputs.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Money } from '../../../../platform/web/value.tsx'
import { OpensShift } from './OpensShift.tsx'
import './cash.css'

/** Works out the change for the cash that the driver hands over: the cashier types it, and none of it is sent. */
export function CashChange({ dueFen }: { dueFen: number }) {
  const say = useText()
  const [given, setGiven] = useState<number | null>(null)
  const change = given === null ? undefined : given - dueFen
  return (
    <div className="cash-points">
      <OpensShift />
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
