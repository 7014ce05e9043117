import { Repayments } from './Repayments.tsx'

/** What came for debts at the roadside. */
export default function RoadRepaymentScreen() {
  return <Repayments purpose={['路内欠费收到的补缴', 'What was repaid of roadside arrears']} only={{ pType: [2] }} />
}
