import { time } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'

/** Hours of the city, the last one included. */
const greetings: readonly (readonly [until: number, text: Text])[] = [
  [10, ['早上好', 'Good morning']],
  [14, ['中午好', 'Good day']],
  [18, ['下午好', 'Good afternoon']],
  [24, ['晚上好', 'Good evening']],
]
export const greetingAt = (hour: number): Text => greetings.find(([until]) => hour <= until)![1]
export const hourNow = () => Number(time(new Date()).slice(11, 13))
