import { CappedBy, LineKind, type QuoteLineOf } from './quote.ts'

type Text = readonly [zh: string, en: string]
type Told = Pick<QuoteLineOf, 'kind' | 'segment' | 'units' | 'unitMin' | 'unitE4' | 'cappedBy'>

/** The factor and the rounding: of the sum, not of a stretch of time. */
export const isAdjusting = ({ kind }: Pick<Told, 'kind'>) => kind === LineKind.factor || kind === LineKind.rounding
/** Lines that cost nothing by themselves; time within a unit that was charged belongs to its band. */
const COSTLESS: readonly number[] = [LineKind.freeHours, LineKind.freeMinutes, LineKind.outsideHours, LineKind.covered]
export const isCostless = ({ kind }: Pick<Told, 'kind'>) => COSTLESS.includes(kind)

/** Describes a line of a fee as a tariff board would: band, units and their price, cap. It names no hour of the clock. */
export function lineInWords(line: Told): Text {
  const { kind, segment, cappedBy } = line
  const [zh, en] = LineKind.entries[kind]
  if (isAdjusting(line)) return [zh, en]
  const name: Text = isCostless(line) || segment === null ? [zh, en] : [segment, segment]
  const parts = [name, priceOf(line), ...(cappedBy ? [CappedBy.entries[cappedBy]] : [])]
  return [
    parts
      .map((part) => part[0])
      .filter(Boolean)
      .join('，'),
    parts
      .map((part) => part[1])
      .filter(Boolean)
      .join(', '),
  ]
}
function priceOf({ kind, units, unitMin, unitE4 }: Told): Text {
  if (kind === LineKind.byVisit) return ['按次', 'one visit']
  if (units === 0 || kind === LineKind.byLength) return ['', '']
  const price = `¥${(unitE4 / 10_000).toFixed(unitE4 % 100 ? 4 : 2)}`
  const [zh, en] = kind === LineKind.wholeDay ? [`${unitMin / 60}小时`, `${unitMin / 60} h`] : [`${unitMin}分钟`, `${unitMin} min`]
  return [`${units}个${zh}，每个${price}`, `${units} × ${en} at ${price}`]
}
