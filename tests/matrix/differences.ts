/** The values of an answer that may differ each time it is asked. */
type Leaves = ReadonlyMap<string, string>

function leavesOf(text: string): Leaves {
  const leaves = new Map<string, string>()
  const walk = (value: unknown, at: string): void => {
    if (Array.isArray(value)) {
      leaves.set(`${at}#`, String(value.length))
      return value.forEach((one, i) => walk(one, `${at}[${i}]`))
    }
    if (typeof value === 'object' && value !== null) return Object.entries(value).forEach(([name, one]) => walk(one, `${at}.${name}`))
    leaves.set(at, String(value))
  }
  walk(text.startsWith('{') ? (JSON.parse(text) as unknown) : text, '')
  return leaves
}
const differing = (one: Leaves, other: Leaves) => [...new Set([...one.keys(), ...other.keys()])].filter((at) => one.get(at) !== other.get(at))

/** A row's place in its list says nothing of what its fields are. */
const field = (at: string) => at.replaceAll(/\[\d+\]/g, '[]')

/** Places at which the third answer differs, though the first two, of the same world, agree there. */
export function newlyDifferent(first: string, again: string, later: string): string[] {
  const [one, two, three] = [leavesOf(first), leavesOf(again), leavesOf(later)]
  const restless = differing(one, two).map(field)
  // Where a list grows by itself, its rows have other places each time.
  const lists = restless.filter((at) => at.endsWith('#')).map((at) => `${at.slice(0, -1)}[`)
  return differing(two, three)
    .filter((at) => !restless.includes(field(at)) && !lists.some((list) => field(at).startsWith(list)))
    .map((at) => `${at}: ${two.get(at)} | ${three.get(at)}`)
}
