import { Select } from 'antd'
import { type Text, useText } from '../../../platform/web/text.ts'

const DAYS: readonly Text[] = [['周一', 'Mon'], ['周二', 'Tue'], ['周三', 'Wed'], ['周四', 'Thu'], ['周五', 'Fri'], ['周六', 'Sat'], ['周日', 'Sun']] // prettier-ignore
const ALL = 127

/** Days of the week as one number: bit 0 is Monday. */
export function Days({ value = ALL, onChange, ...props }: { id?: string; value?: number; onChange?: (value: number) => void }) {
  const say = useText()
  return (
    <Select
      {...props}
      mode="multiple"
      value={DAYS.flatMap((_, bit) => (value & (1 << bit) ? [bit] : []))}
      onChange={(bits: number[]) => onChange?.(bits.reduce((mask, bit) => mask | (1 << bit), 0))}
      options={DAYS.map((day, bit) => ({ value: bit, label: say(day) }))}
    />
  )
}
/** The same in words, days after one another as a stretch; nothing where it is every day. */
export function daysIn(mask: number, say: (text: Text) => string): string {
  if (mask === ALL) return ''
  const days = DAYS.flatMap((day, bit) => (mask & (1 << bit) ? [{ day, bit }] : []))
  const [first, last] = [days[0], days.at(-1)]
  if (first && last && days.length > 2 && last.bit - first.bit === days.length - 1)
    return say([`${first.day[0]}至${last.day[0]}`, `${first.day[1]}–${last.day[1]}`])
  return days.map(({ day }) => say(day)).join(say(['、', ', ']))
}
