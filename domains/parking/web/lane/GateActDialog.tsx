import type { Of } from '../../../../platform/contract/field.ts'
import type { GateDetail } from '../../contract/gate.ts'
import { CloseGate, KeepOpen, OpenGate } from './OpenGate.tsx'

/** The dialog behind a lane's own buttons, wherever the lane was found. */
export default function GateActDialog({ act, gate, onClose }: { act: 'open' | 'close' | 'keep'; gate: Of<typeof GateDetail>; onClose: () => void }) {
  if (act === 'open') return <OpenGate at={gate} onClose={onClose} />
  return act === 'close' ? <CloseGate at={gate} onClose={onClose} /> : <KeepOpen at={gate} onClose={onClose} />
}
