import { useQuery } from '@tanstack/react-query'
import { Button, Input, Modal, Tree } from 'antd'
import { type Key, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/remove.tsx'
import { Failed, Waiting } from '../../../platform/web/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { button, type Button as ScreenButton } from '../contract/button.ts'
import { resource, type ResourceNode } from '../contract/resource.ts'
import { role, type Role } from '../contract/role.ts'

type ButtonRow = Of<typeof ScreenButton>
interface Leaf {
  key: string
  title: string
  children: Leaf[]
}

/** What one role holds: screens, and the buttons on them. A screen may be held without its buttons. */
export function GrantsOf({ of, onClose }: { of: Of<typeof Role>; onClose: () => void }) {
  const say = useText()
  const held = useQuery(asks(resource.queryRoleTree, { roleId: of.id }, { quiet: true }))
  const buttons = useQuery(asks(button.getAll, {}, { quiet: true }))
  const [changed, setChanged] = useState<string[]>()
  const [wanted, setWanted] = useState('')
  const [running, setRunning] = useState(false)
  const act = useAct([role.query, role.detail, resource.queryRoleTree])
  const error = held.error ?? buttons.error
  const all = held.data && buttons.data ? leavesOf(held.data.tree, buttons.data, say) : undefined
  const shown = all && (wanted ? matching(all, wanted.toLowerCase()) : all)
  const ticked = changed ?? (held.data ? [...heldIn(held.data.tree), ...held.data.buttonIds] : [])
  const may = can(role.update.needs)
  const save = async () => {
    setRunning(true)
    const buttonIds = new Set<string>(buttons.data?.map(({ id }) => id))
    const chosen = { resourceIds: ticked.filter((id) => !buttonIds.has(id)), buttonIds: ticked.filter((id) => buttonIds.has(id)) }
    const saved = await act(role.update, { id: of.id, version: of.version, ...chosen } as never, {
      done: ['权限已保存，立即生效', 'Rights saved; effective immediately'],
    })
    setRunning(false)
    if (saved) onClose()
  }
  return (
    <Modal
      open
      width="60%"
      title={say([`「${of.name}」的权限`, `Rights of “${of.name}”`])}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{say(may ? ['取消', 'Cancel'] : ['关闭', 'Close'])}</Button>
          {may && (
            <Button type="primary" disabled={!changed} loading={running} onClick={() => void save()}>
              {say(['保存权限', 'Save rights'])}
            </Button>
          )}
        </>
      }
    >
      <Input
        allowClear
        style={{ marginBottom: 8 }}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        placeholder={say(['按名称查找', 'Find by name'])}
        aria-label={say(['查找', 'Find'])}
      />
      {error ? <Failed error={error as Refusal} retry={() => void Promise.all([held.refetch(), buttons.refetch()])} /> : !shown && <Waiting />}
      {shown && (
        <Tree
          checkable
          checkStrictly
          defaultExpandAll={wanted !== ''}
          defaultExpandedKeys={halfOf(shown, ticked)}
          key={wanted}
          height={420}
          disabled={!may}
          treeData={shown}
          checkedKeys={{ checked: ticked, halfChecked: halfOf(shown, ticked) }}
          onCheck={(keys) => setChanged(((keys as { checked: Key[] }).checked ?? keys) as string[])}
        />
      )}
    </Modal>
  )
}

function leavesOf(nodes: readonly ResourceNode[], buttons: readonly ButtonRow[], say: Say): Leaf[] {
  return nodes.map(({ id, name, nameEn, children }) => ({
    key: id,
    title: say([name, nameEn]),
    children: [
      ...leavesOf(children, buttons, say),
      ...buttons
        .filter(({ resourceId }) => resourceId === id)
        .map((one) => ({ key: one.id, title: `◦ ${say([one.name, one.nameEn])}`, children: [] })),
    ],
  }))
}
const heldIn = (nodes: readonly ResourceNode[]): string[] =>
  nodes.flatMap(({ id, held, children }) => [...(held ? [id as string] : []), ...heldIn(children)])
/** Branches with something ticked below them that are not ticked themselves or not wholly: where the rights lie is seen without opening each. */
const halfOf = (leaves: readonly Leaf[], ticked: readonly string[]): string[] =>
  leaves.flatMap(({ key, children }) => {
    const below = halfOf(children, ticked)
    return below.length > 0 || children.some((child) => ticked.includes(child.key)) ? [key, ...below] : []
  })
/** Branches that match, or in which something does. */
const matching = (leaves: readonly Leaf[], text: string): Leaf[] =>
  leaves.flatMap((leaf) => {
    if (leaf.title.toLowerCase().includes(text)) return [leaf]
    const children = matching(leaf.children, text)
    return children.length ? [{ ...leaf, children }] : []
  })
