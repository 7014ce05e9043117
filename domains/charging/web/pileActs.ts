import type { Text } from '../../../platform/web/text.ts'
import { AdminStatus } from '../contract/pile.ts'

/** Asked before a pile that is still faulty is put back in use; nothing is asked of a sound one, or where it is taken out. */
export function enablesFaulty({ equipmentId, faultCount }: { equipmentId: string; faultCount: number }, to: number): Text | undefined {
  if (to !== AdminStatus.enabled || faultCount === 0) return undefined
  const them = faultCount === 1 ? 'open fault' : 'open faults'
  return [`${equipmentId} 还有 ${faultCount} 条未恢复故障，仍要启用？`, `${equipmentId} has ${faultCount} ${them}. Enable it all the same?`]
}
