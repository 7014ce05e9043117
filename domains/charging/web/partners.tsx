import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { platform, PlatformRole } from '../contract/platform.ts'

const CHOOSE: Text = ['请选择', 'Choose']
export const BY_PLATFORM: Text = ['互联平台', 'Platform']
/** Partner platforms by name, read once and shared. */
export const usePlatforms = () => (useQuery(asks(platform.getList, {}, { quiet: true })).data ?? []).filter(({ builtIn }) => !builtIn)
interface Picked {
  id?: string
  value?: string
  onChange?: (value: string) => void
}
/** `stations`: of those alone that have stations; `any`: a list shows those of all while none is chosen. */
export function PlatformSelect({ stations = false, any = false, ...props }: Picked & { stations?: boolean; any?: boolean }) {
  const say = useText()
  const options = usePlatforms()
    .filter(({ role }) => !stations || role !== PlatformRole.demand)
    .map(({ id, name }) => ({ value: id as string, label: name }))
  return (
    <Select
      allowClear
      aria-label={say(BY_PLATFORM)}
      placeholder={say(any ? Label.any : CHOOSE)}
      style={{ minWidth: 160 }}
      options={options}
      {...props}
    />
  )
}
export const PlatformName = ({ id }: { id: string }) => <>{usePlatforms().find((one) => one.id === id)?.name ?? '--'}</>
