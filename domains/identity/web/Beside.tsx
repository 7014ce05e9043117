import { Input, Tree } from 'antd'
import { type Key, type ReactNode, useMemo, useState } from 'react'
import type { Refusal } from '../../../platform/web/ask.ts'
import { Failed, Waiting } from '../../../platform/web/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import './identity.css'

export interface Leaf {
  key: string
  /** What the filter looks at. */
  name: string
  title?: ReactNode
  children: Leaf[]
}
interface Props {
  name: Text
  /** Undefined while it loads. */
  leaves: readonly Leaf[] | undefined
  error?: Refusal | null
  retry?: () => void
  chosen: string | undefined
  onChoose: (key: string | undefined) => void
  /** The list whose rows the chosen branch narrows. */
  children: ReactNode
}

/** A tree at the left of a list: what is chosen in it narrows the list, chosen again it does not. */
export function Beside({ name, leaves, error, retry, chosen, onChoose, children }: Props) {
  const say = useText()
  const [wanted, setWanted] = useState('')
  const [opened, setOpened] = useState<Key[]>()
  const all = useMemo(() => keysIn(leaves ?? []), [leaves])
  const shown = leaves && (wanted ? matching(leaves, wanted.trim().toLowerCase()) : leaves)
  return (
    <div className="beside">
      <nav aria-label={say(name)}>
        <header>{say(name)}</header>
        <Input
          allowClear
          size="small"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          placeholder={say(['按名称查找', 'Find by name'])}
          aria-label={say(['按名称查找', 'Find by name'])}
        />
        {error && <Failed error={error} {...(retry && { retry })} />}
        {!shown && !error && <Waiting lines={6} />}
        {shown && shown.length === 0 && <p className="faint">{say(['没有匹配的名称', 'Nothing of this name'])}</p>}
        {shown && shown.length > 0 && (
          <Tree
            blockNode
            treeData={shown.map(drawn)}
            expandedKeys={wanted ? all : (opened ?? all)}
            onExpand={setOpened}
            selectedKeys={chosen ? [chosen] : []}
            onSelect={([key]) => onChoose(key === undefined ? undefined : String(key))}
          />
        )}
      </nav>
      {children}
    </div>
  )
}

interface Drawn {
  key: string
  title: ReactNode
  children: Drawn[]
}
const drawn = ({ key, name, title, children }: Leaf): Drawn => ({
  key,
  title: <span title={name}>{title ?? name}</span>,
  children: children.map(drawn),
})
const keysIn = (leaves: readonly Leaf[]): string[] => leaves.flatMap(({ key, children }) => [key, ...keysIn(children)])
/** Branches that match, or in which something does. */
const matching = (leaves: readonly Leaf[], text: string): Leaf[] =>
  leaves.flatMap((leaf) => {
    if (leaf.name.toLowerCase().includes(text)) return [leaf]
    const children = matching(leaf.children, text)
    return children.length ? [{ ...leaf, children }] : []
  })
