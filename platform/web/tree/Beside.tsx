import type { ReactNode } from 'react'
import type { Refusal } from '../ask.ts'
import { FilterTree, type FilterTreeProps, type TreeNode } from './FilterTree.tsx'
import { Failed, Waiting } from '../page/states.tsx'
import './beside.css'

/** A page in two: the tree at the left says what the right part is about. */
export const Beside = ({ tree, children }: { tree: ReactNode; children: ReactNode }) => (
  <div className="beside">
    {tree}
    <div className="beside-main">{children}</div>
  </div>
)

interface TreePaneProps extends Omit<FilterTreeProps, 'nodes' | 'label' | 'filter'> {
  /** Undefined while they load. */
  items: readonly TreeNode[] | undefined
  /** The hint in the tree's filter: 查找部门. */
  hint: string
  error?: Refusal | null
  retry?: () => void
}
/** The tree of such a page, with a filter over it. */
export const TreePane = ({ items, hint, error, retry, ...rest }: TreePaneProps) => (
  <aside className="tree-pane">
    {items ? (
      <FilterTree nodes={items} label={hint} filter={hint} {...rest} />
    ) : error ? (
      <Failed error={error} {...(retry && { retry })} />
    ) : (
      <Waiting lines={6} />
    )}
  </aside>
)

/** All keys of a tree: it is open to its ends. */
export const keysIn = (nodes: readonly TreeNode[]): string[] => nodes.flatMap(({ key, children = [] }) => [key, ...keysIn(children)])
