import type { Text } from '../../../platform/web/text.ts'

/** An entry that is found by its name, by the names above it and by its address. */
export interface Findable {
  name: Text
  under: readonly Text[]
  path: string
}

/** The ways a Chinese name may be typed in Latin letters: 停车记录 is `tingchejilu` and `tcjl`. */
export type Spelling = (name: string) => readonly [full: string, initials: string]

type Pinyin = (text: string, options: { toneType: 'none'; type: 'array'; pattern?: 'first' }) => string[]
export function spelledWith(pinyin: Pinyin): Spelling {
  const known = new Map<string, readonly [string, string]>()
  return (name) => {
    let spelled = known.get(name)
    if (!spelled) {
      const full = pinyin(name, { toneType: 'none', type: 'array' }).join('')
      known.set(name, (spelled = [full.toLowerCase(), pinyin(name, { toneType: 'none', type: 'array', pattern: 'first' }).join('').toLowerCase()]))
    }
    return spelled
  }
}

/** Pages that every typed word fits, those whose name begins with it first. Nothing typed finds them all. */
export function searchIn<One extends Findable>(routes: readonly One[], words: string, spelling?: Spelling): One[] {
  const typed = words.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (typed.length === 0) return [...routes]
  return routes
    .map((route) => ({ route, rank: Math.max(...typed.map((word) => rankOf(route, word, spelling))) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank)
    .map(({ route }) => route)
}
/** 0 begins so, 1 holds it, 2 a folder or the address does; infinite does not fit. */
function rankOf({ name, under, path }: Findable, word: string, spelling: Spelling | undefined): number {
  const names = [name[0], name[1], ...(spelling ? spelling(name[0]) : [])].map((one) => one.toLowerCase())
  if (names.some((one) => one.startsWith(word))) return 0
  if (names.some((one) => one.includes(word))) return 1
  const around = [path, ...under.flatMap((one) => [one[0], one[1]])].map((one) => one.toLowerCase())
  return around.some((one) => one.includes(word)) ? 2 : Number.POSITIVE_INFINITY
}
