import { yuan } from '../../../../platform/web/format.ts'
import type { Text } from '../../../../platform/web/text.ts'
import { HeldVerdict } from '../../contract/heldBill.ts'

/** Returns the fault of the amount beside the verdict: it is entered only where the verdict is another amount. */
export function amountFault({ verdict, setFen }: Readonly<Record<string, unknown>>, workedOutFen: number): Text | undefined {
  const isSaid = typeof setFen === 'number'
  if (verdict === HeldVerdict.release && isSaid) return ['照此收取时不填更正金额', 'Leave the corrected amount empty if the amount is right']
  if (verdict !== HeldVerdict.correct) return undefined
  if (!isSaid) return ['请填写更正后的金额', 'Enter the corrected amount']
  if (setFen <= workedOutFen) return undefined
  return [`不能高于算得的 ${yuan(workedOutFen)} 元`, `Cannot exceed the calculated ¥${yuan(workedOutFen)}`]
}

export const CONFIRM: Text = ['确认核对', 'Confirm the check']
/** Returns the button's text, with the amount that the stay will cost. */
export function verdictAct({ verdict, setFen }: { verdict?: number | undefined; setFen?: number | null | undefined }, workedOutFen: number): Text {
  if (verdict === HeldVerdict.release) return [`按 ¥${yuan(workedOutFen)} 收取`, `Bill ¥${yuan(workedOutFen)}`]
  if (verdict === HeldVerdict.correct && typeof setFen === 'number') return [`更正为 ¥${yuan(setFen)}`, `Correct to ¥${yuan(setFen)}`]
  return CONFIRM
}
