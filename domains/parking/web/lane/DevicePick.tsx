import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { DeviceType } from '../../../device/contract/device.ts'
import { gate } from '../../contract/gate.ts'
import { type Choice, choicesOf, type Part } from './laneDevices.ts'
import { useGates } from '../api/names.tsx'

interface Props {
  id?: string
  value?: string | null
  onChange?: (value: string | undefined) => void
  disabled?: boolean
  part: Part
  parkCode: string | undefined
  /** Of the gate that is changed: its own devices are free for it. */
  gateCode?: string
}
const DEVICE_PAGE: Text = [
  '没有可用的设备；请先在「停车场设备」中登记并安装到该车场',
  'No device available: register one under “Park devices” and install it at this car park first',
]
const PARK_FIRST: Text = ['请先选择车场', 'Choose a car park first']

/** A device of the park for one part of a lane; a device of another gate is shown with that gate, and cannot be chosen. */
export function DevicePick({ part, parkCode, gateCode, value, ...props }: Props) {
  const say = useText()
  const gates = useGates(parkCode)
  const asked = useQuery({ ...asks(gate.devices, { parkCode: parkCode ?? '' }, { quiet: true }), enabled: parkCode !== undefined })
  const choices = choicesOf(asked.data ?? [], part, gateCode)
  const nameOf = (code: string) => gates.find((one) => one.gateCode === code)?.name ?? code
  const draw = ({ type, online, usedBy }: Choice) =>
    usedBy ? (
      say([`已用于 ${nameOf(usedBy)}`, `Used by ${nameOf(usedBy)}`])
    ) : (
      <>
        {say(DeviceType.entries[type])} ·{' '}
        <span className={`state ${online ? 'success' : 'error'}`}>{say(online ? ['在线', 'Online'] : ['离线', 'Offline'])}</span>
      </>
    )
  return (
    <Select
      {...props}
      value={value ?? null}
      allowClear
      disabled={props.disabled === true || parkCode === undefined}
      loading={asked.isLoading}
      placeholder={say(parkCode === undefined ? PARK_FIRST : ['不设', 'None'])}
      notFoundContent={say(DEVICE_PAGE)}
      showSearch={{ filterOption: (typed, option) => `${option?.label}`.toLowerCase().includes(typed.toLowerCase()) }}
      options={choices.map((one) => ({ ...{ value: one.deviceNo, label: `${one.name} ${one.deviceNo}`, disabled: one.usedBy !== null }, one }))}
      optionRender={({ data }) => (
        <>
          {data.label} <span className="faint">{draw(data.one)}</span>
        </>
      )}
    />
  )
}
