import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { BlackReason, WhiteReason } from '../contract/whiteBlack.ts'

/** White and black have reasons of their own. */
export function ReasonSelect({ black, ...props }: { black: boolean; id?: string; value?: number; onChange?: (value: number) => void }) {
  const say = useText()
  const entries = Object.entries((black ? BlackReason : WhiteReason).entries as Record<string, Text>)
  return <Select {...props} options={entries.map(([code, name]) => ({ value: Number(code), label: say(name) }))} />
}
