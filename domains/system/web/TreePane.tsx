import type { ReactNode } from 'react'
import { FilterTree, type FilterTreeProps, type TreeNode } from '../../../platform/web/FilterTree.tsx'
import './system.css'

export type TreeItem = TreeNode

/** A page in two: the tree at the left says what the right part is about. */
export const Beside = ({ tree, children }: { tree: ReactNode; children: ReactNode }) => (
  <div className="beside">
    {tree}
    <div className="beside-main">{children}</div>
  </div>
)

/** The tree of such a page, with a filter over it. */
export const TreePane = ({
  items,
  hint,
  ...rest
}: { items: readonly TreeItem[]; hint: string } & Omit<FilterTreeProps, 'nodes' | 'label' | 'filter'>) => (
  <aside className="tree-pane">
    <FilterTree nodes={items} label={hint} filter={hint} {...rest} />
  </aside>
)
