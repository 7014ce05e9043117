import type { Text } from '../text.ts'

/** The week begins on Monday. */
export const WEEKDAYS: readonly Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
]
export const EVERY_DAY = 127

/** The same in words, days after one another as a stretch. */
export function weekdaysIn(mask: number): Text {
  if (mask === EVERY_DAY) return ['每天', 'Every day']
  const bits = WEEKDAYS.flatMap((_, bit) => (mask & (1 << bit) ? [bit] : []))
  const days = bits.map((bit) => WEEKDAYS[bit]!)
  const stretch = (bits.at(-1) ?? 0) - (bits[0] ?? 0) + 1
  const [first, last] = [days[0], days.at(-1)]
  if (first && last && days.length > 2 && stretch === days.length) return [`${first[0]}至${last[0]}`, `${first[1]}–${last[1]}`]
  return [days.map(([zh]) => zh).join('、'), days.map(([, en]) => en).join(', ')]
}
