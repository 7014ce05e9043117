import type { Tx } from '../../../platform/server/database.ts'
import { Refusal } from '../../../platform/server/refusal.ts'
import { send } from './sending.ts'
import { Said } from '../contract/said.ts'

/** The company's own words to a customer, by the channel of its template. False where there is no such template, or no way to send it: nothing fails for that. */
export async function sendToCustomer(
  tx: Tx,
  {
    template,
    phone,
    name,
    vars,
    dedupe,
    concerns,
  }: { template: string; phone: string | null; name: string | null; vars: Record<string, string>; dedupe: string; concerns?: string },
): Promise<boolean> {
  if (!phone) return false
  try {
    return (await send(tx, { template, to: { address: phone, name: name ?? Said.customer }, vars, dedupe, ...(concerns && { concerns }) })) > 0
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
