import { record } from '../contract/record.ts'
import { Debts } from './Debts.tsx'

/** Every stay that ended unpaid, in parks and at the roadside, whatever became of it. */
export default function RecordScreen() {
  return (
    <Debts
      purpose={[
        '每一笔离场未缴的停车费：欠多少、证据、催缴、申诉与补缴',
        'Every stay that ended unpaid: what is owed, evidence, reminders, appeals and repayments',
      ]}
      query={record.list}
      exports={record.listExport}
      summary={record.summary}
      opens
    />
  )
}
