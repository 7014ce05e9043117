import { record } from '../contract/record.ts'
import { Debts } from './Debts.tsx'

const ROADSIDE = 2

/** Debts of cars that left a berth at the roadside. */
export default function RecordRoadsideScreen() {
  return (
    <Debts
      purpose={[
        '路内泊位离场未缴的停车费；证据不全的不可追缴',
        'Unpaid fees of cars that left roadside berths; without complete evidence they cannot be collected',
      ]}
      query={record.escapeList}
      exports={record.export}
      summary={record.summary}
      only={{ pType: [ROADSIDE] }}
      section
    />
  )
}
