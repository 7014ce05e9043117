import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { asks } from '../../../platform/web/ask.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { platform, PlatformRole } from '../contract/platform.ts'

export const BY_PLATFORM: Text = ['互联平台', 'Platform']
/** Partner platforms by name, read once and shared. */
export const usePlatforms = () => (useQuery(asks(platform.getList, {}, { quiet: true })).data ?? []).filter(({ builtIn }) => !builtIn)
interface Picked {
  id?: string
  value?: string
  onChange?: (value: string) => void
}
/** `stations`: of those alone that have stations. */
export function PlatformSelect({ stations = false, ...props }: Picked & { stations?: boolean }) {
  const say = useText()
  const options = usePlatforms()
    .filter(({ role }) => !stations || role !== PlatformRole.demand)
    .map(({ id, name }) => ({ value: id as string, label: name }))
  return <Select allowClear aria-label={say(BY_PLATFORM)} placeholder={say(BY_PLATFORM)} style={{ minWidth: 160 }} options={options} {...props} />
}
export const PlatformName = ({ id }: { id: string }) => <>{usePlatforms().find((one) => one.id === id)?.name ?? '--'}</>
