import { useMemo } from 'react'
import { useRegions } from './regions.tsx'
import { branchesOf, openAbove } from './regionTree.ts'
import { TreeSelect } from '../form/TreeSelect.tsx'
import { useText } from '../text.ts'

interface Several {
  many: true
  value?: string[] | undefined
  onChange?: (value: string[]) => void
}
interface One {
  many?: false
  value?: string | undefined
  onChange?: (value: string | undefined) => void
}
export type RegionSelectProps = (One | Several) & { id?: string; disabled?: boolean; placeholder?: string }

/** A region out of the tree of all, or several, found by name in either language or by code; a code that stands there and is in no tree shows itself. */
export default function RegionSelect({ value, many, placeholder, ...props }: RegionSelectProps) {
  const say = useText()
  const tree = useRegions()
  const branches = useMemo(() => branchesOf(tree ?? [], say), [tree, say])
  const open = useMemo(() => openAbove(tree ?? [], many ? value?.[0] : (value as string | undefined)), [tree, value, many])
  return (
    <TreeSelect
      {...(props as object)}
      value={(value ?? (many ? [] : null)) as never}
      waits={!tree}
      allowClear
      multiple={many === true}
      showSearch={{ treeNodeFilterProp: 'words' }}
      placeholder={placeholder ?? say(['选择行政区划', 'Choose a region'])}
      treeData={branches}
      treeNodeLabelProp="whole"
      treeDefaultExpandedKeys={open}
      listHeight={320}
    />
  )
}
