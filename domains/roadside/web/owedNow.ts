import { PayState } from '../../parking/contract/stay.ts'
import type { Of } from '../../../platform/contract/field.ts'
import type { RoadStay } from '../contract/roadStay.ts'

type Billed = Pick<Of<typeof RoadStay>, 'payState' | 'receivableFen'>
/** Returns what a stay costs by now: a settled one that goes on costs more than its orders asked, and the rest is still to be paid. */
export function owedNow({ payState, receivableFen }: Billed, dueFen: number): { payState: Billed['payState']; receivableFen: number } {
  const goesOn = dueFen > 0 && (payState === PayState.paid || payState === PayState.free)
  return goesOn ? { payState: PayState.toPay, receivableFen: receivableFen + dueFen } : { payState, receivableFen }
}
