import { record } from '../contract/record.ts'
import { Debts } from './Debts.tsx'

/** Debts of cars that left a park through a lane. */
export default function RecordParksScreen() {
  return (
    <Debts
      purpose={['车辆经停车场出口离场时未缴、尚未结清的停车费', 'What is still owed by cars that left a car park without paying']}
      query={record.laneList}
      exports={record.laneExport}
      summary={record.laneSummary}
      lane
    />
  )
}
