import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
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
