import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { NONE } from '../../../../platform/web/format.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { merchant, MerchantStatus } from '../../contract/merchant.ts'

/** Merchants by their names, for the pages of every domain. */
const NAMES_STALE_MS = 60_000
const NOBODY: never[] = []
export const useMerchants = () => useQuery({ ...asks(merchant.findList, {}, { quiet: true }), staleTime: NAMES_STALE_MS }).data ?? NOBODY

export function MerchantNames({ ids }: { ids: readonly string[] }) {
  const say = useText()
  const names = new Map(useMerchants().map(({ id, name }) => [id as string, name]))
  return <>{ids.length === 0 ? say(['全部商户', 'All merchants']) : ids.map((id) => names.get(id) ?? NONE).join(say(['、', ', ']))}</>
}

interface PickProps<V> {
  id?: string
  value?: V
  onChange?: (value: V) => void
}
const byName = { filterOption: (typed: string, option?: { label: string }) => option?.label.toLowerCase().includes(typed.toLowerCase()) ?? false }
const useOptions = (all: boolean) => {
  const say = useText()
  return useMerchants()
    .filter(({ status }) => all || status === MerchantStatus.enabled)
    .map(({ id, mchNo, name, status }) => ({
      value: id as string,
      label: `${name} ${mchNo}${status === MerchantStatus.enabled ? '' : say(['（停用）', ' (disabled)'])}`,
    }))
}
/** One merchant by name or number. `all`: disabled ones too, as a search wants them. */
export function MerchantSelect({ all = false, empty = Label.any, ...props }: PickProps<string> & { all?: boolean; empty?: Text }) {
  const say = useText()
  return (
    <Select
      aria-label={say(['商户', 'Merchant'])}
      {...props}
      allowClear
      className="park-select"
      placeholder={say(empty)}
      options={useOptions(all)}
      showSearch={byName}
    />
  )
}
/** Any number of them. */
export function MerchantsSelect(props: PickProps<string[]>) {
  const say = useText()
  return (
    <Select
      {...props}
      mode="multiple"
      allowClear
      placeholder={say(['不选为全部商户', 'Leave empty for all merchants'])}
      options={useOptions(false)}
      showSearch={byName}
    />
  )
}
/** The search for one merchant, in every list. */
export const findMerchant = {
  name: 'mchId',
  label: ['商户', 'Merchant'],
  control: <MerchantSelect all />,
  shown: (id: string) => <MerchantNames ids={[id]} />,
} as const
