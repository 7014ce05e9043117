import type { Of } from '../../../platform/contract/field.ts'
import type { Balance } from '../contract/account.ts'

export type BalanceOf = Of<typeof Balance>

/** From so many sub-accounts on they are one line until somebody opens it: each shift that took cash is one. */
export const MANY = 8

/** All sub-accounts of an account as one; amounts in fen. */
export function allOf(subs: readonly BalanceOf[]): BalanceOf {
  const total = (of: 'debitFen' | 'creditFen' | 'balanceFen') => subs.reduce((sum, one) => sum + one[of], 0) as BalanceOf['balanceFen']
  return {
    ...subs[0]!,
    ...{ sub: '', subName: `${subs.length} 个明细`, subNameEn: `${subs.length} sub-accounts` },
    ...{ debitFen: total('debitFen'), creditFen: total('creditFen'), balanceFen: total('balanceFen') },
  }
}

/** Returns the sub-account that the address names; the sum of all where it names none. */
export const chosenOf = (subs: readonly BalanceOf[], sub: string): BalanceOf | undefined =>
  subs.find((one) => one.sub === sub) ?? (sub === '' && subs.length > 0 ? allOf(subs) : undefined)
