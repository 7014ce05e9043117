import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { NoChoice } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { device, DeviceType, DeviceUse } from '../../device/contract/device.ts'
import { box } from '../contract/box.ts'
import { wiring } from '../contract/wiring.ts'

/** The boxes that somebody may choose from, by code or name. */
export function BoxSelect({ value, onChange, id, many }: { value?: unknown; onChange?: (value: never) => void; id?: string; many?: boolean }) {
  const say = useText()
  const { data = [] } = useQuery(asks(box.queryList, {}, { quiet: true }))
  return (
    <Select
      {...(id && { id })}
      {...(many && { mode: 'multiple' as const })}
      aria-label={say(['配电箱', 'Box'])}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={value as never}
      onChange={(one: unknown) => onChange?.((one ?? undefined) as never)}
      placeholder={say(['请选择配电箱', 'Choose a box'])}
      options={data.map(({ boxCode, name }) => ({ value: boxCode, label: `${boxCode} ${name}` }))}
      style={{ width: '100%' }}
    />
  )
}

const CONTROLLERS_SHOWN = 500
/** The controllers that are registered and not scrapped, by name or number. A person who may not see devices types the number. */
export const seesControllers = () => can(device.find.needs)
export function ControllerSelect({ value, onChange, id }: { value?: string | null; onChange?: (value: string | null) => void; id?: string }) {
  const say = useText()
  const useStatus = [DeviceUse.waiting, DeviceUse.inUse, DeviceUse.faulty, DeviceUse.inStock, DeviceUse.inRepair]
  const found = useQuery(asks(device.find, { type: [DeviceType.lampController], useStatus, limit: CONTROLLERS_SHOWN }, { quiet: true }))
  const named = (found.data?.records ?? []).map(({ deviceNo, name }) => ({ value: deviceNo, label: `${deviceNo} ${name}` }))
  const known = !value || named.some((one) => one.value === value)
  return (
    <Select
      {...(id && { id })}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      onChange={(one: string | undefined) => onChange?.(one ?? null)}
      loading={found.isLoading}
      placeholder={say(['不设', 'None'])}
      notFoundContent={
        <NoChoice of={found} none={['没有集控器；请先在「停车场设备」中登记', 'No controllers: register one under “Park devices” first']} />
      }
      options={known ? named : [{ value, label: value }, ...named]}
    />
  )
}

type Chosen = string | string[] | null
/** The circuits that somebody may choose from, by code or name; of several, one that is not among the first few hundred is typed. */
export function WiringSelect({
  value,
  onChange,
  id,
  many,
}: {
  value?: Chosen
  onChange?(value: Chosen | undefined): void
  id?: string
  many?: boolean
}) {
  const say = useText()
  const { data } = useQuery(asks(wiring.query, { limit: 500 }, { quiet: true }))
  return (
    <Select<Chosen>
      {...(id && { id })}
      {...(many && { mode: 'tags' as const, tokenSeparators: [',', '，', ' '] })}
      aria-label={say(['回路', 'Circuit'])}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      onChange={(one) => onChange?.(one ?? undefined)}
      placeholder={say(['请选择回路', 'Choose a circuit'])}
      options={(data?.records ?? []).map(({ wiringCode, boxName, name }) => ({ value: wiringCode, label: `${wiringCode} ${boxName} ${name}` }))}
      style={{ width: '100%' }}
    />
  )
}
