import { SearchOutlined } from '@ant-design/icons'
import { Input, Tree } from 'antd'
import { type Key, type ReactNode, useMemo, useState } from 'react'
import { checkedAfter, matching, openFor } from './filterNodes.ts'
import type { FilterTreeProps, TreeNode } from './FilterTree.tsx'
import { count as counted } from '../format.ts'
import { useText } from '../text.ts'
import './tree.css'

export default function FilterTreeBody({ nodes, label, filter, tools, open, height, ...rest }: FilterTreeProps) {
  const say = useText()
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState<readonly string[]>(open ?? nodes.map(({ key }) => key))
  const wanted = typed.trim()
  const shown = useMemo(() => matching(nodes, wanted), [nodes, wanted])
  // While something is filtered the matches are laid open, and what is folded then is folded for as long.
  const [folded, setFolded] = useState<readonly string[]>([])
  const expanded = wanted ? openFor(shown, wanted).filter((key) => !folded.includes(key)) : opened
  const expand = (keys: Key[], { expanded: isOpen, node }: { expanded: boolean; node: { key: Key } }) => {
    if (!wanted) return setOpened(keys.map(String))
    setFolded(isOpen ? folded.filter((key) => key !== node.key) : [...folded, String(node.key)])
  }
  return (
    <div className={nodes.some(({ children }) => children?.length) || rest.load ? 'filter-tree' : 'filter-tree flat'}>
      {(filter !== undefined || tools) && (
        <div className="filter-tree-top">
          {filter !== undefined && (
            <Input
              allowClear
              size="small"
              prefix={<SearchOutlined className="faint" />}
              placeholder={filter}
              aria-label={filter}
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                setFolded([])
              }}
            />
          )}
          {tools}
        </div>
      )}
      {shown.length === 0 ? (
        <p className="faint filter-tree-none" role="status">
          {say(wanted ? ['没有匹配的项', 'No matches'] : ['还没有内容', 'Nothing here yet'])}
        </p>
      ) : (
        <Branches shown={shown} wanted={wanted} expanded={expanded} onExpand={expand} label={label} {...(height && { height })} {...rest} />
      )}
    </div>
  )
}

type BranchesProps = Omit<FilterTreeProps, 'nodes' | 'filter' | 'tools' | 'open'> & {
  shown: readonly TreeNode[]
  wanted: string
  expanded: readonly string[]
  onExpand: (keys: Key[], info: { expanded: boolean; node: { key: Key } }) => void
}
function Branches({
  shown,
  wanted,
  expanded,
  onExpand,
  label,
  chosen,
  onChoose,
  checked,
  onCheck,
  strict = false,
  load,
  height,
  disabled = false,
}: BranchesProps) {
  const data = useMemo(() => drawn(shown, wanted), [shown, wanted])
  return (
    <Tree
      blockNode
      // While a branch folds by and by the tree takes no key.
      motion={false}
      aria-label={label}
      treeData={data}
      disabled={disabled}
      expandedKeys={[...expanded]}
      onExpand={onExpand}
      {...(height && { height })}
      selectable={onChoose !== undefined}
      selectedKeys={chosen === undefined ? [] : [chosen]}
      {...(onChoose && { onSelect: ([key]: Key[]) => onChoose(key === undefined ? undefined : String(key)) })}
      {...(checked && {
        checkable: true,
        checkStrictly: strict,
        checkedKeys: [...checked],
        onCheck: (ticked: Key[] | { checked: Key[] }) =>
          onCheck?.(checkedAfter(checked, (Array.isArray(ticked) ? ticked : ticked.checked).map(String), shown, !strict)),
      })}
      {...(load && { loadData: ({ key }: { key: Key }) => load(String(key)) })}
    />
  )
}

interface Drawn {
  key: string
  title: ReactNode
  children?: Drawn[]
  isLeaf?: boolean
  disabled?: boolean
}
const drawn = (nodes: readonly TreeNode[], wanted: string): Drawn[] =>
  nodes.map(({ key, words, title, count, children, leaf, disabled }) => ({
    key,
    title: (
      <span className="filter-tree-node" title={words}>
        <span>{title ?? <Marked words={words} wanted={wanted} />}</span>
        {count !== undefined && <small>{counted(count)}</small>}
      </span>
    ),
    ...(children && { children: drawn(children, wanted) }),
    ...(leaf && { isLeaf: true }),
    ...(disabled && { disabled: true }),
  }))

function Marked({ words, wanted }: { words: string; wanted: string }) {
  const at = wanted ? words.toLowerCase().indexOf(wanted.toLowerCase()) : -1
  if (at < 0) return words
  return (
    <>
      {words.slice(0, at)}
      <mark>{words.slice(at, at + wanted.length)}</mark>
      {words.slice(at + wanted.length)}
    </>
  )
}
