import type { Of } from '../../../platform/contract/field.ts'
import { time } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'
import type { StationRow } from '../contract/station.ts'
import { StrategyPhase, type StrategyRow } from '../contract/strategy.ts'

type Table = Pick<Of<typeof StrategyRow>, 'id' | 'name' | 'versionNo' | 'phase' | 'effectiveFrom' | 'effectiveTo'>
/** From when on, as people read it in a list: `11-30 08:00`. */
const since = (at: string) => time(at).slice(5, 16)

/** The tables that a station can be given, those in force first: one that is still to come says from when on it holds. `kept` is the station's own, also where it ends. */
export const tablesToChoose = (tables: readonly Table[], kept?: string): { value: string; label: Text }[] =>
  tables
    .filter(({ effectiveTo, id }) => effectiveTo === null || (id as string) === kept)
    .toSorted((a, b) => Number(a.phase === StrategyPhase.coming) - Number(b.phase === StrategyPhase.coming))
    .map(({ id, name, versionNo, phase, effectiveFrom }) => {
      const [zh, en] =
        phase === StrategyPhase.coming && effectiveFrom
          ? [`（待生效，${since(effectiveFrom)} 起）`, ` (not in force until ${since(effectiveFrom)})`]
          : ['', '']
      return { value: id as string, label: [`${name} 第${versionNo}版${zh}`, `${name} v${versionNo}${en}`] }
    })

/** What keeps a station from charging for want of a price; nothing where one is in force. */
export function priceLack({
  strategyName,
  nextStrategyName,
  nextPriceAt,
}: Pick<Of<typeof StationRow>, 'strategyName' | 'nextStrategyName' | 'nextPriceAt'>): Text | undefined {
  if (strategyName !== null) return undefined
  if (nextStrategyName === null || nextPriceAt === null) return ['没有价格表，不能充电', 'No price table: nothing can be charged']
  const from = since(nextPriceAt)
  return [
    `待生效：${nextStrategyName}，${from} 起；此前不能充电`,
    `Not in force yet: ${nextStrategyName} from ${from}; nothing can be charged before`,
  ]
}
