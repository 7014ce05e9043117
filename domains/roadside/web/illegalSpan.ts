import type { Of } from '../../../platform/contract/field.ts'
import { MINUTE_MS } from '../../../platform/contract/time.ts'
import type { IllegalStop } from '../contract/illegalStop.ts'

/** How many minutes lie between the first and the last picture with plate and place, none where there are no two; and whether that holds, as the server will ask. */
export function spanOf({ images, holdMin, plateNo }: Pick<Of<typeof IllegalStop>, 'images' | 'holdMin' | 'plateNo'>): {
  min: number | null
  enough: boolean
} {
  const good = images.filter(({ showsPlate, showsPlace }) => showsPlate && showsPlace).map(({ at }) => Date.parse(at))
  if (good.length < 2) return { min: null, enough: false }
  const spanMs = Math.max(...good) - Math.min(...good)
  return { min: Math.floor(spanMs / MINUTE_MS), enough: plateNo !== null && spanMs >= holdMin * MINUTE_MS }
}
