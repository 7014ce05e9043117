import type { TreeNode } from './FilterTree.tsx'

/**
 * Matching nodes with all their ancestors; below a match everything stays, so that it can be opened. Capital and small letters are
 * equal.
 */
export function matching(nodes: readonly TreeNode[], typed: string): readonly TreeNode[] {
  const wanted = typed.trim().toLowerCase()
  if (!wanted) return nodes
  return nodes.flatMap((node) => {
    if (node.words.toLowerCase().includes(wanted)) return [node]
    const below = matching(node.children ?? [], wanted)
    return below.length > 0 ? [{ ...node, children: below }] : []
  })
}
/** The nodes that have to be open for every match to be seen: those above one. */
export function openFor(nodes: readonly TreeNode[], typed: string): string[] {
  const wanted = typed.trim().toLowerCase()
  return nodes.flatMap((node) => {
    const below = openFor(node.children ?? [], typed)
    const isAbove = (node.children ?? []).some((child) => child.words.toLowerCase().includes(wanted)) || below.length > 0
    return isAbove ? [node.key, ...below] : []
  })
}
/** Ticks that stay when only some of the nodes are shown: what is not seen keeps what it had. `ends` counts ends of branches only: a branch is ticked when all below it are. */
export function checkedAfter(before: readonly string[], ticked: readonly string[], seen: readonly TreeNode[], ends: boolean): string[] {
  const shown = new Set(keysIn(seen))
  const branches = new Set(ends ? branchesIn(seen) : [])
  return [...before.filter((key) => !shown.has(key)), ...ticked.filter((key) => !branches.has(key))]
}
const branchesIn = (nodes: readonly TreeNode[]): string[] =>
  nodes.flatMap(({ key, children = [] }) => (children.length > 0 ? [key, ...branchesIn(children)] : []))
export const keysIn = (nodes: readonly TreeNode[]): string[] => nodes.flatMap(({ key, children }) => [key, ...keysIn(children ?? [])])
