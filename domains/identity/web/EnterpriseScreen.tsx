import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Beside, keysIn, TreePane } from '../../../platform/web/tree/Beside.tsx'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import type { TreeNode } from '../../../platform/web/tree/FilterTree.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import {
  customerRelation,
  enterprise,
  Enterprise,
  type EnterpriseDetail,
  type EnterpriseNode,
  enterpriseSearch,
  EnterpriseStatus,
} from '../contract/enterprise.ts'
import { enterpriseSheet } from '../contract/enterpriseSheet.ts'
import { LockState, person } from '../contract/person.ts'
import { OncePassword } from './OncePassword.tsx'
import { EnterpriseSelect, PersonSelect } from './pickers.tsx'
import './identity.css'

type Row = Of<typeof Enterprise>
type Detail = Of<typeof EnterpriseDetail>
type Administrator = Detail['administrators'][number]
type Doing =
  | { what: 'new'; under?: number }
  | { what: 'edit'; of: Row }
  | { what: 'reset'; of: Administrator }
  | { what: 'password'; username: string; password: string }
const CHANGES = [enterprise.queryPage, enterprise.tree, enterprise.detail, customerRelation.subunits]
const PLATFORM: Text = ['平台运营方不能停用或删除；请选择其他企业', 'The platform operator cannot be disabled or deleted: choose another enterprise']

/** The companies on the platform and their subordinate units. */
export default function EnterpriseScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const tree = useQuery(asks(enterprise.tree, {}, { quiet: true }))
  const [doing, setDoing] = useState<Doing>()
  const turn = useTurn()
  const remove = useRemove(CHANGES)
  const under = params.get('parentId') ?? undefined
  return (
    <Beside tree={<Units chosen={under} onChoose={(key) => setParams(key ? { parentId: key } : {})} />}>
      <ListScreen
        purpose={['平台上的企业：层级、启停，以及谁在管理', 'Enterprises on the platform: hierarchy, state, and who administers them']}
        query={enterprise.queryPage}
        search={enterpriseSearch}
        find={['name', 'status', { name: 'parentId', control: <EnterpriseSelect /> }]}
        columns={columnsOf(tree.data ?? [])}
        hidden={['secondFactor', 'address']}
        roomy={['parentId', 'createdAt']}
        toolbar={
          <>
            {can(enterprise.add.needs) && (
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing({ what: 'new', ...(under && { under: Number(under) }) })}>
                {say(Label.add)}
              </Button>
            )}
            <ImportButton call={enterpriseSheet.import} changes={CHANGES} />
          </>
        }
        exports={enterpriseSheet.export}
        actions={(row) => [
          { text: Label.edit, needs: enterprise.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: row.status === EnterpriseStatus.active ? Label.disable : Label.enable,
            needs: enterprise.update.needs,
            run: () => void turn(row),
            not: row.platform && PLATFORM,
          },
          { ...deleting(remove, enterprise.delete, { id: row.id }, row.name), not: row.platform && PLATFORM },
        ]}
        detail={{
          call: enterprise.detail,
          input: (id) => ({ id: Number(id) }),
          head: (row) => <Head of={row} />,
          act: (row) => can(enterprise.update.needs) && <Button onClick={() => setDoing({ what: 'edit', of: row })}>{say(Label.edit)}</Button>,
          body: (row) => <Story of={row} then={setDoing} />,
        }}
      />
      {doing && <Doing doing={doing} then={setDoing} onClose={() => setDoing(undefined)} />}
    </Beside>
  )
}

const columnsOf = (tree: readonly EnterpriseNode[]): Column<Row>[] => [
  { dataIndex: 'id', align: 'left' },
  { dataIndex: 'name', width: 130, ellipsis: true },
  {
    dataIndex: 'parentId',
    width: 120,
    ellipsis: true,
    align: 'left',
    render: (_, { parentId }) => nameIn(tree, parentId) ?? <span className="faint">--</span>,
  },
  'contact',
  'phone',
  'status',
  'createdAt',
  'secondFactor',
  'address',
]

/** Lets a company's people sign in, or shuts them out at once. */
function useTurn() {
  const act = useAct(CHANGES)
  return ({ id, version, name, status }: Row) =>
    act(
      enterprise.update,
      { id, version, status: status === EnterpriseStatus.active ? EnterpriseStatus.disabled : EnterpriseStatus.active },
      status === EnterpriseStatus.active
        ? {
            question: [
              `停用「${name}」？其所有人员立即退出，不能再登录。`,
              `Disable “${name}”? All its users are signed out immediately and can no longer sign in.`,
            ],
            act: Label.disable,
            done: ['已停用', 'Disabled'],
          }
        : { done: ['已启用', 'Enabled'] },
    )
}

/** The companies and what lies below each: one chosen shows its units. */
function Units({ chosen, onChoose }: { chosen: string | undefined; onChoose: (key: string | undefined) => void }) {
  const say = useText()
  const tree = useQuery(asks(enterprise.tree, {}, { quiet: true }))
  const items = tree.data?.map(nodeOf)
  return (
    <TreePane
      items={items}
      hint={say(['查找企业与下属单位', 'Find an enterprise or unit'])}
      error={tree.error as Refusal | null}
      retry={() => void tree.refetch()}
      chosen={chosen}
      onChoose={onChoose}
      open={keysIn(items ?? [])}
    />
  )
}

const Head = ({ of }: { of: Detail }) => (
  <>
    <b>{of.name}</b> <State dictionary={EnterpriseStatus} value={of.status} />
  </>
)
const nodeOf = ({ id, name, status, children }: EnterpriseNode): TreeNode => ({
  key: String(id),
  words: name,
  ...(status === EnterpriseStatus.disabled && { title: <s>{name}</s> }),
  children: children.map(nodeOf),
})
function nameIn(nodes: readonly EnterpriseNode[], id: number | null): string | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node.name : nameIn(node.children, id)
    if (found) return found
  }
  return undefined
}

function Story({ of, then }: { of: Detail; then: (doing: Doing) => void }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={Enterprise}
        of={of}
        show={[
          { label: ['上级企业', 'Parent enterprise'], value: of.parentName ?? <span className="faint">--</span> },
          'id',
          'contact',
          'phone',
          'address',
          'platform',
          'secondFactor',
          'createdAt',
          { label: ['人员数', 'People'], value: of.people },
        ]}
      />
      <Section title={['管理员', 'Administrators']}>
        <Administrators of={of} then={then} />
      </Section>
      {!of.platform && <Guests of={of} />}
      <Section
        title={['下属单位', 'Subordinate units']}
        aside={
          can(enterprise.add.needs) && (
            <Button size="small" onClick={() => then({ what: 'new', under: of.id })}>
              {say(['新增下属单位', 'Add unit'])}
            </Button>
          )
        }
      >
        {of.units.length === 0 && <p className="faint">{say(['没有下属单位', 'No subordinate units'])}</p>}
        <div className="holders">
          {of.units.map(({ id, name, status }) => (
            <span key={id}>
              {name} {status === EnterpriseStatus.disabled && <State dictionary={EnterpriseStatus} value={status} />}
            </span>
          ))}
        </div>
      </Section>
    </>
  )
}

/** Those of the platform's own people who may switch to this company and act as one of its administrators. */
function Guests({ of }: { of: Detail }) {
  const say = useText()
  const act = useAct(CHANGES)
  const [wanted, setWanted] = useState<string>()
  const may = can(enterprise.admit.needs)
  const admit = async (custId: string) => {
    if (await act(enterprise.admit, { enterpriseId: of.id, custId: custId as never }, { done: ['已准入', 'Admitted'] })) setWanted(undefined)
  }
  return (
    <Section title={['可代管人员', 'Guests']}>
      <ul className="sessions">
        {of.guests.map(({ id, name, username, home, admittedAt, admittedBy }) => (
          <li key={id}>
            <div>
              {name} <span className="soft">{username}</span>
              <div className="faint">
                {home} · {admittedBy} <Time at={admittedAt} />
              </div>
            </div>
            {may && (
              <Button
                size="small"
                onClick={() =>
                  void act(
                    enterprise.dismiss,
                    { enterpriseId: of.id, custId: id },
                    {
                      question: [
                        `取消 ${name} 的准入？其在该企业的会话立即结束。`,
                        `Remove ${name}? Their sessions in this enterprise end immediately.`,
                      ],
                      act: ['取消准入', 'Remove'],
                      done: ['已取消准入', 'Removed'],
                    },
                  )
                }
              >
                {say(['取消准入', 'Remove'])}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {of.guests.length === 0 && <p className="faint">{say(['平台没有人能进入该企业', 'No platform user can act for this enterprise'])}</p>}
      {may && can(person.queryPage.needs) && (
        <p className="buttons">
          <PersonSelect value={wanted} onChange={setWanted} />
          <Button disabled={!wanted} onClick={() => void admit(wanted!)}>
            {say(['准入', 'Admit'])}
          </Button>
        </p>
      )}
    </Section>
  )
}

const heads = (say: Say) => [say(['用户名', 'Username']), say(['姓名', 'Name']), say(['状态', 'Status']), say(['最近活动', 'Last active']), '']
function Administrators({ of, then }: { of: Detail; then: (doing: Doing) => void }) {
  const say = useText()
  if (of.administrators.length === 0)
    return <p className="faint">{say(['没有人能管理该企业的角色和人员', 'No one can manage this enterprise’s roles and users'])}</p>
  return (
    <table className="lines">
      <thead>
        <tr>
          {heads(say).map((text) => (
            <th key={text}>{text}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.administrators.map((one) => (
          <tr key={one.id}>
            <td>{one.username}</td>
            <td>{one.name}</td>
            <td>
              <State dictionary={LockState} value={one.lockState} />{' '}
              {one.mustChange && <span className="faint">{say(['须修改密码', 'Must change password'])}</span>}
            </td>
            <td>
              <Time at={one.seenAt} />
            </td>
            <td className="right">
              {can('identity:enterprise:reset') && !of.platform && (
                <Button size="small" onClick={() => then({ what: 'reset', of: one })}>
                  {say(['重置密码', 'Reset password'])}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Doing({ doing, then, onClose }: { doing: Doing; then: (next: Doing) => void; onClose: () => void }) {
  if (doing.what === 'password') return <OncePassword {...doing} onClose={onClose} />
  if (doing.what === 'reset')
    return (
      <OncePassword
        username={doing.of.username}
        reset={{ custId: doing.of.id, name: doing.of.name, elsewhere: true }}
        changes={CHANGES}
        onClose={onClose}
      />
    )
  return <FirmForm {...(doing.what === 'edit' ? { of: doing.of } : { under: doing.under })} then={then} onClose={onClose} />
}

type Made = { username: string | null; password: string | null } | undefined
function FirmForm({ of, under, then, onClose }: { of?: Row; under?: number | undefined; then: (next: Doing) => void; onClose: () => void }) {
  const made = useRef<Made>(undefined)
  const after = () => {
    const { username, password } = made.current ?? {}
    if (username && password) then({ what: 'password', username, password })
    else onClose()
  }
  const fields = ['name', { name: 'parentId', control: <EnterpriseSelect {...(of && { but: of.id })} /> }, 'contact', 'phone', 'address'] as const
  const changed = [
    ...fields,
    {
      name: 'secondFactor',
      optional: true,
      help: [
        '没有启用动态验证码的人，登录后须先启用才能继续',
        'Users without a second factor must enable one after sign-in before they can continue',
      ],
    },
  ] as const
  if (of)
    return (
      <FormDialog
        entity={Enterprise}
        fields={changed}
        changes={CHANGES}
        done={['已保存', 'Saved']}
        mode="edit"
        value={of}
        save={enterprise.update}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      entity={Enterprise as never}
      fields={
        [
          ...fields,
          {
            name: 'adminUsername',
            label: ['管理员用户名', 'Administrator’s username'],
            optional: true,
            help: [
              '字母开头，3 至 32 位；保存后显示一次性密码',
              'Starts with a letter, 3 to 32 characters; a one-time password is shown after saving',
            ],
          },
          { name: 'adminName', label: ['管理员姓名', 'Administrator’s name'], optional: true },
        ] as never
      }
      changes={CHANGES}
      done={['已新增', 'Added']}
      mode="new"
      value={(under ? { parentId: under } : {}) as never}
      save={enterprise.add}
      onSaved={(reply) => void (made.current = reply as Made)}
      onClose={after}
    />
  )
}
