import { lasting } from '../../../platform/contract/duration.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { count, yuan } from '../../../platform/web/format.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { CouponType, template, type Template } from '../contract/template.ts'

/** Describes the effect of a coupon: the meaning of its value follows from its type. */
export function faceOf({ type, value }: Pick<Of<typeof Template>, 'type' | 'value'>, say: Say): string {
  if (type === CouponType.amount) return say([`减 ¥${yuan(value)}`, `¥${yuan(value)} off`])
  if (type === CouponType.time) return say([`减 ${lasting(value)[0]}`, `${lasting(value)[1]} off`])
  if (type === CouponType.discount) return say([`${value / 100} 折`, `${(1000 - value) / 10}% off`])
  if (type === CouponType.book) return say([`${count(value)} 次`, `${count(value)} ${plural(value, 'time')}`])
  return say(['全免', 'Free'])
}
export function Face({ of }: { of: Pick<Of<typeof Template>, 'type' | 'value'> }) {
  return <>{faceOf(of, useText())}</>
}

const NAMES_STALE_MS = 60_000
const NOTHING: never[] = []
export const useTemplates = (parkCode?: string) =>
  useQuery({ ...asks(template.selectByParkCode, parkCode ? { parkCode } : {}, { quiet: true }), staleTime: NAMES_STALE_MS }).data ?? NOTHING

interface PickProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
}
const byName = { filterOption: (typed: string, option?: { label: string }) => option?.label.toLowerCase().includes(typed.toLowerCase()) ?? false }
/** A template that is enabled, with what it does. */
export function TemplateSelect({ parkCode, empty = Label.any, ...props }: PickProps & { parkCode?: string; empty?: Text }) {
  const say = useText()
  const options = useTemplates(parkCode).map((one) => ({ value: one.id as string, label: `${one.name} · ${faceOf(one, say)}` }))
  return <Select {...props} allowClear className="park-select" placeholder={say(empty)} options={options} showSearch={byName} />
}
export const findTemplate = { name: 'templateId', label: ['券模板', 'Template'], control: <TemplateSelect /> } as const
