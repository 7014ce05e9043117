import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { namesKept, type PickProps } from '../../../system/web/api/places.tsx'
import { gate } from '../../contract/gate.ts'

const NONE: never[] = []
export const useAreas = (parkCode: string | undefined) =>
  useQuery({ ...asks(gate.findParkRegionList, { parkCode: parkCode ?? '' }, { quiet: true }), ...namesKept, enabled: parkCode !== undefined }).data ??
  NONE

export function AreaSelect({ parkCode, ...props }: PickProps<string> & { parkCode: string | undefined }) {
  const say = useText()
  const options = useAreas(parkCode).map(({ areaCode, name }) => ({ value: areaCode, label: name }))
  return <Select {...props} allowClear placeholder={say(['街道（场外）', 'The street'])} options={options} />
}
