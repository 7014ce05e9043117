import { FeesKind } from '../contract/sharing.ts'
import { Fees } from './Fees.tsx'

/** Fees of a shared bay by the month. */
export default function FeesMonthlyScreen() {
  return (
    <Fees
      kind={FeesKind.monthly}
      purpose={['共享月卡的计费：包下一个车位一个月内的全部开放时段', 'Monthly rates of shared bays: all windows of a bay for a month']}
    />
  )
}
