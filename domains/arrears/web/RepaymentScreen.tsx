import { Repayments } from './Repayments.tsx'

/** Repayments of debts, in parks and at the roadside. */
export default function RepaymentScreen() {
  return (
    <Repayments
      purpose={[
        '收到的每一笔欠费补缴；跨车场的按车场分列，合计等于总账',
        'Every repayment of arrears, one line per car park; totals match the ledger',
      ]}
    />
  )
}
