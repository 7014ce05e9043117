import { Form } from 'antd'
import type { Say, Text } from '../../../platform/web/text.ts'
import { findPark, GateName, GateSelect, ParkName } from '../../parking/web/api/names.tsx'

export const PARK: Text = ['车场', 'Car park']
export const GATE: Text = ['通道', 'Lane']

interface PickProps {
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}
/** In a search: of the park that is searched for, or of all. */
function AnyGate(props: PickProps) {
  const parkCode = Form.useWatch('parkCode', Form.useFormInstance()) as string | undefined
  return <GateSelect {...props} parkCode={parkCode || undefined} />
}

/** How the lists search and show where a device stands. */
export { findPark }
export const findGate = { name: 'gateCode', control: <AnyGate />, label: GATE, shown: (code: string) => <GateName code={code} /> } as const
export const parkColumn = (say: Say) =>
  ({ dataIndex: 'parkCode', title: say(PARK), ellipsis: true, width: 180, render: (code: string | null) => <ParkName code={code} /> }) as const
export const gateColumn = (say: Say) =>
  ({ dataIndex: 'gateCode', title: say(GATE), render: (code: string | null) => <GateName code={code} /> }) as const
