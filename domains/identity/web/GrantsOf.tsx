import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input, Tree } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { button, type Button as ScreenButton } from '../contract/button.ts'
import { isScreen, resource, type ResourceNode } from '../contract/resource.ts'
import { role, type Role, RoleGrants } from '../contract/role.ts'
import { heldIn, type Leaf, marksOf, matching, ticked } from './grants.ts'
import './identity.css'

type ButtonRow = Of<typeof ScreenButton>

/** The rights of one role: screens, and the buttons on them. A screen may be held without its buttons. */
export function GrantsOf({ of, onClose }: { of: Of<typeof Role>; onClose: () => void }) {
  const say = useText()
  const held = useQuery(asks(resource.queryRoleTree, { roleId: of.id }, { quiet: true }))
  const buttons = useQuery(asks(button.getAll, {}, { quiet: true }))
  const [changed, setChanged] = useState<string[]>()
  const [running, setRunning] = useState(false)
  const act = useAct([role.query, role.detail, resource.queryRoleTree])
  const error = held.error ?? buttons.error
  const all = held.data && buttons.data ? leavesOf(held.data.tree, buttons.data, say) : undefined
  const own = held.data && all ? holdingOf(held.data, all) : []
  const may = can(role.update.needs)
  const save = async () => {
    setRunning(true)
    const saved = await act(role.update, { id: of.id, version: of.version, ...chosenOf(changed!, buttons.data!) } as never, {
      done: ['权限已保存，立即生效', 'Permissions saved; effective immediately'],
    })
    setRunning(false)
    if (saved) onClose()
  }
  return (
    <Dialog
      changed={changed !== undefined}
      width="60%"
      title={say([`「${of.name}」的权限`, `Permissions of “${of.name}”`])}
      mask={{ closable: false }}
      onClose={onClose}
      footer={(leave) => (
        <>
          <Button onClick={leave}>{say(may ? ['取消', 'Cancel'] : ['关闭', 'Close'])}</Button>
          {may && (
            <Button type="primary" disabled={!changed} loading={running} onClick={() => void save()}>
              {say(['保存权限', 'Save permissions'])}
            </Button>
          )}
        </>
      )}
    >
      {error ? <Failed error={error as Refusal} retry={() => void Promise.all([held.refetch(), buttons.refetch()])} /> : !all && <Waiting />}
      {all && <Choices all={all} held={changed ?? own} of={of} {...(may && { onChange: setChanged })} />}
    </Dialog>
  )
}

interface ChoicesProps {
  all: readonly Leaf[]
  held: readonly string[]
  of: Of<typeof Role>
  /** Left out for a reader who may only view. */
  onChange?: (held: string[]) => void
}
function Choices({ all, held, of, onChange }: ChoicesProps) {
  const say = useText()
  const [wanted, setWanted] = useState('')
  const shown = wanted ? matching(all, wanted.toLowerCase()) : [...all]
  const marks = marksOf(all, new Set(held))
  const whole = { key: '', title: '', is: 'folder', children: shown } as const
  return (
    <>
      <div className="grants-bar">
        <Input
          allowClear
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          placeholder={say(['按名称查找', 'Find by name'])}
          aria-label={say(['查找', 'Find'])}
        />
        {onChange && (
          <>
            <Button onClick={() => onChange(ticked(all, held, whole, true))}>
              {say(wanted ? ['全选所示', 'Select all shown'] : ['全选', 'Select all'])}
            </Button>
            <Button onClick={() => onChange(ticked(all, held, whole, false))}>
              {say(wanted ? ['清空所示', 'Clear all shown'] : ['清空', 'Clear all'])}
            </Button>
            <AsAnother of={of} all={all} onChosen={onChange} />
          </>
        )}
      </div>
      <Tree<Leaf>
        checkable
        checkStrictly
        defaultExpandAll={wanted !== ''}
        defaultExpandedKeys={marks.halfChecked}
        key={wanted}
        height={420}
        disabled={!onChange}
        treeData={shown}
        checkedKeys={{ checked: marks.checked, halfChecked: marks.halfChecked }}
        onCheck={(_, { node, checked }) => onChange?.(ticked(all, held, node, checked))}
      />
    </>
  )
}

/** Ticks what another role holds: a colleague's rights are the example, and are changed from there. */
function AsAnother({ of, all, onChosen }: { of: Of<typeof Role>; all: readonly Leaf[]; onChosen: (held: string[]) => void }) {
  const say = useText()
  const cache = useQueryClient()
  const others = useQuery(asks(role.queryNoPage, {}, { quiet: true })).data ?? []
  const options = others.filter(({ id, grants }) => id !== of.id && grants === RoleGrants.chosen).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select<Of<typeof Role>['id']>
      className="grants-as"
      showSearch={{ optionFilterProp: 'label' }}
      aria-label={say(['参照角色', 'Same as role'])}
      placeholder={say(['参照角色…', 'Same as role…'])}
      options={options}
      onChange={(roleId) =>
        void cache.fetchQuery(asks(resource.queryRoleTree, { roleId })).then(
          (data) => onChosen(holdingOf(data, all)),
          () => {},
        )
      }
    />
  )
}

type Holding = Of<typeof resource.queryRoleTree.reply>
/** Returns those of a role's rights that can be held: a folder that was ticked by itself opens nothing. */
const holdingOf = ({ tree, buttonIds }: Holding, all: readonly Leaf[]): string[] => {
  const held = new Set<string>([...idsIn(tree), ...buttonIds])
  return heldIn(all).filter((key) => held.has(key))
}
const idsIn = (nodes: readonly ResourceNode[]): string[] =>
  nodes.flatMap(({ id, held, children }) => [...(held ? [id as string] : []), ...idsIn(children)])

const chosenOf = (held: readonly string[], buttons: readonly ButtonRow[]) => {
  const ids = new Set<string>(buttons.map(({ id }) => id))
  return { resourceIds: held.filter((id) => !ids.has(id)), buttonIds: held.filter((id) => ids.has(id)) }
}

function leavesOf(nodes: readonly ResourceNode[], buttons: readonly ButtonRow[], say: Say): Leaf[] {
  return nodes.map(({ id, name, nameEn, url, component, children }) => ({
    key: id,
    title: say([name, nameEn]),
    is: isScreen({ url, component }) ? 'page' : 'folder',
    children: [
      ...leavesOf(children, buttons, say),
      ...buttons
        .filter(({ resourceId }) => resourceId === id)
        .map((one): Leaf => ({ key: one.id, title: `◦ ${say([one.name, one.nameEn])}`, is: 'button', children: [] })),
    ],
  }))
}
