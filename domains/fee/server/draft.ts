import type { LintOf } from '../contract/rule.ts'
import type { Tariff } from '../contract/tariff.ts'
import type { Gap } from './catalogue.ts'
import { imported } from './import.ts'
import { FINDINGS_MAX, lint } from './lint.ts'
import type { Around } from './lintExamples.ts'
import { BadTariff } from './published.ts'
import { FreeMode, DayUnit, SecondRule, UnitAnchor } from '../contract/rule.ts'

/** A draft as its row holds it: what the list shows of the document, and the document as text. */
export interface Draft {
  name: string
  head: Record<string, string | number | null>
  document: string
  origin: string
}
/** Where the document says them, the head shows its free minutes, day and cap. */
export function draftFrom({ name, tariff, origin }: { name: string; tariff: Tariff; origin: unknown }): Draft {
  const { free, cycle, seconds } = tariff
  const head = {
    freeMin: Math.min(free?.minutes ?? 0, 1439),
    freeMode: free?.mode === 'deduct' ? FreeMode.takenOff : FreeMode.beyondCharged,
    dayUnit: cycle?.kind === 'rolling' ? DayUnit.rolling : cycle?.kind === 'cut' ? DayUnit.ownStart : DayUnit.calendar,
    dayCutMin: cycle?.cutMin ?? 0,
    secondRule: seconds === 'up' ? SecondRule.count : SecondRule.drop,
    dayCapFen: capFenOf(tariff),
    unitAnchor: UnitAnchor.endWithBand,
  }
  return { name, head, document: JSON.stringify(tariff), origin: JSON.stringify(origin) }
}
/** The one cap of every day, where the document has just one and in whole fen; else the document says more than a list can. */
function capFenOf({ cycle, currency }: Tariff): number | null {
  const [cap, ...more] = cycle?.capsE4 ?? []
  return currency === 'CNY' && typeof cap === 'number' && cap % 100 === 0 && more.length === 0 && !cycle?.once ? cap / 100 : null
}

export interface Wanted {
  name?: string | undefined
  rule?: string | undefined
}
/** The rules in a document, or why there are none. */
export type DocumentRead = { rules: { draft: Draft; gaps: Gap[]; lint: LintOf[] }[] } | { mistake: readonly [zh: string, en: string] }

/** Over all rules of one document a person reads so many findings, and some of each. */
const FINDINGS_OF_ALL = 1_000
const FINDINGS_LEAST = 5

export function readDocument(document: unknown, wanted: Wanted, around: Around): DocumentRead {
  try {
    const all = imported(document, wanted)
    const most = Math.min(FINDINGS_MAX, Math.max(FINDINGS_LEAST, Math.floor(FINDINGS_OF_ALL / all.length)))
    return { rules: all.map(({ gaps, ...one }) => ({ draft: draftFrom(one), gaps, lint: lint(one.tariff, around, most) })) }
  } catch (error) {
    if (error instanceof BadTariff) return { mistake: error.texts }
    if (error instanceof RangeError) return { mistake: ['价格过细，无法精确计算', 'the prices are too fine to be calculated exactly'] }
    throw error
  }
}
