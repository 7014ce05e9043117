import type { StayRow } from '../../contract/stay.ts'
import { useGates } from '../api/names.tsx'
import Clearings from './Clearings.tsx'
import { OpenGate } from '../lane/OpenGate.tsx'
import { ClearField, CorrectPlate, CorrectTimes, Supplement, VoidUnseen } from './StayDialogs.tsx'

export type Doing =
  { what: 'plate' | 'times' | 'open' | 'void'; of: StayRow } | { what: 'supplement' | 'cleared' } | { what: 'clear'; ticked: readonly StayRow[] }

/** Dialogs that act on cars inside. */
export default function PresentDialog({ onClose, ...doing }: Doing & { onClose: () => void }) {
  if (doing.what === 'plate') return <CorrectPlate of={doing.of} onClose={onClose} />
  if (doing.what === 'times') return <CorrectTimes of={doing.of} onClose={onClose} />
  if (doing.what === 'open') return <OpenExit of={doing.of} onClose={onClose} />
  if (doing.what === 'void') return <VoidUnseen of={doing.of} onClose={onClose} />
  if (doing.what === 'supplement') return <Supplement onClose={onClose} />
  if (doing.what === 'clear') return <ClearField ticked={doing.ticked} onClose={onClose} />
  return <Clearings onClose={onClose} />
}

const EXIT = 2
/** The barrier at which this car waits. */
function OpenExit({ of, onClose }: { of: StayRow; onClose: () => void }) {
  const name = useGates().find((one) => one.gateCode === of.exitGate)?.name ?? of.exitGate!
  const car = { plateNo: of.plateNo, dueFen: of.payableFen - of.paidFen }
  return <OpenGate at={{ gateCode: of.exitGate!, name, direction: EXIT, ...car }} onClose={onClose} />
}
