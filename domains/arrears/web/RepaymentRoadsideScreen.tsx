import { Repayments } from './Repayments.tsx'
import { StayPlace } from '../../parking/contract/stay.ts'

/** Repayments of debts at the roadside. */
export default function RepaymentRoadsideScreen() {
  return <Repayments purpose={['路内欠费收到的补缴', 'Repayments of roadside arrears']} only={{ pType: [StayPlace.street] }} />
}
