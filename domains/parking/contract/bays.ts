/** How the bays of a park are divided: temporary and pass bays share the whole; charging and accessible bays are some of them, for either kind of car. */
export interface BayCounts {
  totalBays?: number | null | undefined
  tempBays?: number | null | undefined
  passBays?: number | null | undefined
  chargeBays?: number | null | undefined
  disabledBays?: number | null | undefined
}
export const BAY_FIELDS = ['totalBays', 'tempBays', 'passBays', 'chargeBays', 'disabledBays'] as const
export type BayPart = Exclude<(typeof BAY_FIELDS)[number], 'totalBays'>
/** Which number is to be put right, and what is wrong with it. */
export interface BayFault {
  at: BayPart
  says: readonly [zh: string, en: string]
}

const NAMES: Record<BayPart, readonly [zh: string, en: string]> = {
  tempBays: ['临停车位', 'Temporary bays'],
  passBays: ['月租车位', 'Pass bays'],
  chargeBays: ['充电车位', 'Charging bays'],
  disabledBays: ['无障碍车位', 'Accessible bays'],
}

/** Each number that cannot be so. A park whose bays nobody has divided yet (both parts none) has only its total. */
export function bayFaults(counts: BayCounts): BayFault[] {
  const total = counts.totalBays
  if (total === undefined || total === null) return []
  const larger = (Object.keys(NAMES) as BayPart[]).filter((part) => (counts[part] ?? 0) > total)
  const faults = larger.map((at): BayFault => ({
    at,
    says: [`${NAMES[at][0]} ${counts[at]} 超过总车位 ${total}`, `${NAMES[at][1]}: ${counts[at]} is more than the total of ${total}`],
  }))
  if (larger.includes('tempBays') || larger.includes('passBays')) return faults
  const [temp, pass] = [counts.tempBays ?? 0, counts.passBays ?? 0]
  const missing = total - temp - pass
  if (missing !== 0 && (temp !== 0 || pass !== 0)) faults.push({ at: 'passBays', says: sumSays(temp, pass, total, missing) })
  return faults
}
const sumSays = (temp: number, pass: number, total: number, missing: number): BayFault['says'] => [
  `临停 ${temp} + 月租 ${pass} = ${temp + pass}，比总车位 ${total} ${missing > 0 ? '少' : '多'} ${Math.abs(missing)}`,
  `Temporary ${temp} + pass ${pass} = ${temp + pass}: ${Math.abs(missing)} ${missing > 0 ? 'short of' : 'more than'} the total of ${total}`,
]
