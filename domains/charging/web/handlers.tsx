import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { danger } from '../contract/danger.ts'
import { fault } from '../contract/fault.ts'

interface Picked {
  id?: string
  value?: string
  onChange?: (id: string | undefined) => void
}
/** One of those who may see to it, and see the park that it is in. */
export function HandlerSelect({ of, parkCode, ...props }: Picked & { of: 'fault' | 'danger'; parkCode: string }) {
  const say = useText()
  const call = of === 'fault' ? fault.handlers : danger.handlers
  const { data = [] } = useQuery(asks(call, { parkCode }, { quiet: true }))
  return (
    <Select
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['请选择人员', 'Choose a person'])}
      options={data.map(({ id, name }) => ({ value: id as string, label: name }))}
      {...(props as object)}
    />
  )
}
