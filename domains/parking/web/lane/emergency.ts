import type { Instant } from '../../../../platform/contract/field.ts'
import { time } from '../../../../platform/web/format.ts'
import type { Text } from '../../../../platform/web/text.ts'

/** The banner over a park whose barriers all stand open. */
export const emergencyOf = (from: Instant, by: string | null): Text => [
  `应急常开中：${by ?? ''}于 ${time(from)} 开启，全部道闸保持抬起，离场车辆免费`,
  `Emergency open since ${time(from)}, started by ${by ?? ''}: every barrier stays up and cars leave free`,
]
