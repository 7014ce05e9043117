import { TreeSelect as TreeBox, type TreeSelectProps } from 'antd'
import { use } from 'react'
import { type Named, Names, Naming } from './Select.tsx'

/** One or several out of a tree. A search opens the folders of what it finds only as it is typed, so nothing can be typed before the tree is there. */
export function TreeSelect<V = any>({ waits = false, ...props }: TreeSelectProps<V> & { waits?: boolean }) {
  const otherwise = use(Naming)
  if (otherwise) return <Names of={props.value} all={(props.treeData ?? []) as readonly Named[]} otherwise={otherwise} />
  // What is open is said once, when the tree is there.
  return <TreeBox key={waits ? 'waiting' : 'there'} {...props} {...(waits && { loading: true, disabled: true })} />
}
