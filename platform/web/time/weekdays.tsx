import { Select } from 'antd'
import { useText } from '../text.ts'
import { EVERY_DAY, WEEKDAYS } from './weekdaysIn.ts'

export { EVERY_DAY, WEEKDAYS, weekdaysIn } from './weekdaysIn.ts'

interface WeekdaysProps {
  id?: string
  value?: number | undefined
  onChange?: (value: number) => void
}
/** Days of the week as one number: bit 0 is Monday. */
export function WeekdaysSelect({ value = EVERY_DAY, onChange, ...props }: WeekdaysProps) {
  const say = useText()
  return (
    <Select
      {...props}
      mode="multiple"
      value={WEEKDAYS.flatMap((_, bit) => (value & (1 << bit) ? [bit] : []))}
      onChange={(bits: number[]) => onChange?.(bits.reduce((mask, bit) => mask | (1 << bit), 0))}
      options={WEEKDAYS.map((day, bit) => ({ value: bit, label: say(day) }))}
    />
  )
}
