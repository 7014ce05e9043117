import { lazy, type ReactNode, Suspense } from 'react'
import { Waiting } from '../page/states.tsx'

/** A thing in a tree. `words` is what the filter looks at and what a screen reader says; `count` stands at the right. */
export interface TreeNode {
  key: string
  words: string
  /** Drawn in place of the words. */
  title?: ReactNode
  count?: number
  children?: readonly TreeNode[]
  /** With `load`: there is nothing below. */
  leaf?: boolean
  disabled?: boolean
}

export interface FilterTreeProps {
  nodes: readonly TreeNode[]
  /** The name of the tree, for users who do not see it. */
  label: string
  /** The hint in the filter's box; without it there is no box. */
  filter?: string
  /** Right of the filter: add, move, and so on. */
  tools?: ReactNode
  chosen?: string | undefined
  onChoose?: (key: string | undefined) => void
  /** With boxes to tick. Ticking a branch ticks all below it, and the keys are those of the ends; `strict`: each stands for itself. */
  checked?: readonly string[]
  onCheck?: (keys: string[]) => void
  strict?: boolean
  /** Open at first; the top level when left out. */
  open?: readonly string[]
  /** Asks for what lies below, when it is opened for the first time. */
  load?: (key: string) => Promise<void>
  /** In pixels: beyond it the tree scrolls, and draws only the rows that are seen. */
  height?: number
  disabled?: boolean
}

const Body = lazy(() => import('./FilterTreeBody.tsx'))

/** A tree with a filter over it: a match shows with all above and below it. Arrow keys go through it, Enter chooses, Space ticks. */
export const FilterTree = (props: FilterTreeProps) => (
  <Suspense fallback={<Waiting lines={6} />}>
    <Body {...props} />
  </Suspense>
)
