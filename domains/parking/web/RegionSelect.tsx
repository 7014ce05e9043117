import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { useMemo } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { useText } from '../../../platform/web/text.ts'
import { region } from '../../system/contract/region.ts'
import { branchesOf, openAbove } from './regions.ts'

const STALE_MS = 300_000
interface Props {
  id?: string
  value?: string | undefined
  onChange?: (value: string | undefined) => void
  disabled?: boolean
}

/** A region out of the tree of all, found by its name, in either language, or its code; a code that stands there and is in no tree shows itself. */
export function RegionSelect({ value, ...props }: Props) {
  const say = useText()
  const { data: tree, isPending } = useQuery({ ...asks(region.tree, {}, { quiet: true }), staleTime: STALE_MS })
  const branches = useMemo(() => branchesOf(tree ?? [], say), [tree, say])
  const open = useMemo(() => openAbove(tree ?? [], value), [tree, value])
  return (
    <TreeSelect
      {...props}
      value={value ?? (null as never)}
      // What is open is said once, when the tree is there.
      key={tree ? 'tree' : 'waiting'}
      allowClear
      loading={isPending}
      showSearch={{ treeNodeFilterProp: 'words' }}
      placeholder={say(['选择行政区划', 'Choose a region'])}
      treeData={branches}
      treeNodeLabelProp="whole"
      treeDefaultExpandedKeys={open}
      listHeight={320}
    />
  )
}
