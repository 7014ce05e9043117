/** An entry of the rights: a folder opens nothing by itself, a page may be held without its buttons, a button never without its page. */
export interface Leaf {
  key: string
  title: string
  is: 'folder' | 'page' | 'button'
  children: Leaf[]
}

/** Returns the keys of a branch that can be held. */
export const heldIn = (leaves: readonly Leaf[]): string[] =>
  leaves.flatMap(({ key, is, children }) => [...(is === 'folder' ? [] : [key]), ...heldIn(children)])

/** A tick means the branch as it is shown: all that it holds is given, or taken. The page of a button that is given comes with it. */
export function ticked(all: readonly Leaf[], held: readonly string[], branch: Leaf, gives: boolean): string[] {
  const below = heldIn([branch])
  if (!gives) return held.filter((key) => !below.includes(key))
  return [...new Set([...held, ...below, ...pagesOf(all, below)])]
}
const pagesOf = (leaves: readonly Leaf[], below: readonly string[]): string[] =>
  leaves.flatMap(({ key, is, children }) => [
    ...(is === 'page' && children.some((child) => below.includes(child.key)) ? [key] : []),
    ...pagesOf(children, below),
  ])

/** How the branches are drawn: whole when all below is held, half when something is. A page is held or not, whichever of its buttons are. */
export function marksOf(leaves: readonly Leaf[], held: ReadonlySet<string>): { checked: string[]; halfChecked: string[] } {
  const checked: string[] = []
  const halfChecked: string[] = []
  const look = (leaf: Leaf) => {
    leaf.children.forEach(look)
    const keys = heldIn([leaf])
    const isWhole = leaf.is === 'folder' ? keys.length > 0 && keys.every((key) => held.has(key)) : held.has(leaf.key)
    if (isWhole) checked.push(leaf.key)
    else if (keys.some((key) => held.has(key))) halfChecked.push(leaf.key)
  }
  leaves.forEach(look)
  return { checked, halfChecked }
}

/** Branches that match, or in which something does. */
export const matching = (leaves: readonly Leaf[], text: string): Leaf[] =>
  leaves.flatMap((leaf) => {
    if (leaf.title.toLowerCase().includes(text)) return [leaf]
    const children = matching(leaf.children, text)
    return children.length ? [{ ...leaf, children }] : []
  })
