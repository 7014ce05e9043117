import type { Of } from '../../../platform/contract/field.ts'
import { fenOf } from '../contract/price.ts'
import type { Period } from '../contract/strategy.ts'

type PeriodOf = Of<typeof Period>
/** What a usual charge takes. */
export const TYPICAL_WH = 40_000

export interface Sample extends Pick<PeriodOf, 'kind'> {
  fen: number
  /** When it costs this: the first of its periods. */
  from: string
  to: string
}
/** What a usual charge costs wholly within each period of a table: each kind and price once, the dearest first. */
export function samplesOf(periods: readonly PeriodOf[]): Sample[] {
  const each = periods.map(({ kind, from, to, elecPriceE4, servicePriceE4 }) => ({
    ...{ kind, from, to },
    fen: fenOf(TYPICAL_WH, elecPriceE4) + fenOf(TYPICAL_WH, servicePriceE4),
  }))
  const first = each.filter((one, place) => each.findIndex(({ kind, fen }) => kind === one.kind && fen === one.fen) === place)
  return first.sort((a, b) => b.fen - a.fen)
}
