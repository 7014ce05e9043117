import type { RegionNode } from '../../contract/region.ts'
import type { Say } from '../text.ts'

export interface Branch {
  value: string
  title: string
  /** As it stands in the field: with what it belongs to, since towns of one name are many. */
  whole: string
  /** The words that find it. */
  words: string
  children: Branch[]
}

export function branchesOf(nodes: readonly RegionNode[], say: Say, above: readonly string[] = []): Branch[] {
  return nodes.map(({ code, name, nameEn, children }) => {
    const title = say([name, nameEn || name])
    const path = [...above, title]
    return { value: code, title, whole: path.join(' / '), words: `${code} ${name} ${nameEn}`, children: branchesOf(children, say, path) }
  })
}

/** The nodes that have to be open for the chosen one to be seen; with none chosen, down to the first level that offers a choice. */
export function openAbove(nodes: readonly RegionNode[], code: string | undefined): string[] {
  if (code === undefined || code === '') return nodes.length === 1 ? [nodes[0]!.code, ...openAbove(nodes[0]!.children, undefined)] : []
  for (const node of nodes) {
    if (node.code === code) return []
    const below = openAbove(node.children, code)
    if (below.length > 0 || node.children.some((child) => child.code === code)) return [node.code, ...below]
  }
  return []
}
