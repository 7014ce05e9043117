import { useQuery } from '@tanstack/react-query'
import { Tag } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { useText } from '../../../platform/web/text.ts'
import { NONE } from '../../../platform/web/format.ts'
import { State } from '../../../platform/web/value.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { Attestation, bidder } from '../contract/bidder.ts'
import { Award, type Enrollment } from '../contract/enrollment.ts'
import { project, ProjectType, RentState } from '../contract/project.ts'

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
/** As many as a person would look through. */
const SHOWN = 200
export const NOT_NOW: Text = ['当前状态不允许', 'Not possible in its current state']
export const OWN: Text = ['经办人不能审核自己经办的事项', 'You cannot review what you submitted yourself']

export const CASH: Text = ['现金当场入账；其他方式打开渠道付款页', 'Cash is booked at once; other methods open the channel’s payment page']

/** A project by its name, of those in the given states. */
export function ProjectSelect({ states, ...props }: PickProps<string> & { states?: readonly number[] }) {
  const say = useText()
  const { data } = useQuery(asks(project.query, { limit: SHOWN, ...(states && { state: states as never }) }, { quiet: true }))
  const options = (data?.records ?? []).map((one) => ({ value: one.id as string, label: `${one.name} · ${one.projectNo}` }))
  return <Select {...props} allowClear placeholder={say(['请选择', 'Choose'])} options={options} showSearch={{ optionFilterProp: 'label' }} />
}
/** Somebody who is attested. */
export function BidderSelect(props: PickProps<string>) {
  const say = useText()
  const { data } = useQuery(asks(bidder.query, { limit: SHOWN, state: [Attestation.attested] }, { quiet: true }))
  const options = (data?.records ?? []).map((one) => ({ value: one.id as string, label: `${one.name} · ${one.phone}` }))
  return <Select {...props} allowClear placeholder={say(['请选择', 'Choose'])} options={options} showSearch={{ optionFilterProp: 'label' }} />
}
export const useParkColumn = () => {
  const say = useText()
  return {
    dataIndex: 'parkCode' as const,
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: { parkCode: string }) => <ParkName code={row.parkCode} />,
  }
}
/** Sealed bids whose time is over wait for two who open them. */
export const waitsToOpen = ({ type, state, endsAt }: { type: number; state: number; endsAt: string }): boolean =>
  type === ProjectType.sealed && state === RentState.bidding && Date.parse(endsAt) <= Date.now()
export function ProjectStateTag(of: { type: number; state: keyof typeof RentState.entries; endsAt: string }) {
  const say = useText()
  return waitsToOpen(of) ? <Tag color="warning">{say(['待开标', 'Bids to be opened'])}</Tag> : <State dictionary={RentState} value={of.state} />
}
/** Nobody has lost before the award is decided. */
export const useAwardColumn = () => {
  const say = useText()
  return {
    dataIndex: 'award' as const,
    title: say(['中标情况', 'Award']),
    render: (_: unknown, { award, projectState }: { award: Of<typeof Enrollment>['award']; projectState: number }) =>
      award === Award.none && projectState < RentState.shown ? NONE : <State dictionary={Award} value={award} />,
  }
}
