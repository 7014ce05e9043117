import { yuan } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'
import { HeldVerdict } from '../contract/heldBill.ts'

/** What is wrong with the amount beside the verdict: it is said where there is another one, and only there. */
export function amountFault({ verdict, setFen }: Readonly<Record<string, unknown>>, workedOutFen: number): Text | undefined {
  const isSaid = typeof setFen === 'number'
  if (verdict === HeldVerdict.release && isSaid) return ['照此收取时不填更正金额', 'Leave the corrected amount empty if the amount is right']
  if (verdict !== HeldVerdict.correct) return undefined
  if (!isSaid) return ['请填写更正后的金额', 'Enter the corrected amount']
  if (setFen <= workedOutFen) return undefined
  return [`不能高于算得的 ${yuan(workedOutFen)} 元`, `Cannot exceed the calculated ¥${yuan(workedOutFen)}`]
}
