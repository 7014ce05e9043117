import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Beside, keysIn, TreePane } from '../../../platform/web/tree/Beside.tsx'
import type { TreeNode } from '../../../platform/web/tree/FilterTree.tsx'
import type { BulkOf } from '../../../platform/web/list/Bulk.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can, person as signedIn } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { access } from '../contract/access.ts'
import { State } from '../../../platform/web/value.tsx'
import { department, type DepartmentNode } from '../contract/department.ts'
import { LockState, person, Person, personSearch } from '../contract/person.ts'
import { session } from '../contract/session.ts'
import { OncePassword } from './OncePassword.tsx'
import { DepartmentSelect, RoleSelect } from './pickers.tsx'
import { PersonStory } from './PersonStory.tsx'
import { SessionsOf } from './SessionsOf.tsx'
import WhyDialog from './WhyDialog.tsx'

type Row = Of<typeof Person>
type Doing = { what: 'new' } | { what: 'edit' | 'reset' | 'sessions' | 'why'; of: Row } | { what: 'password'; username: string; password: string }
const CHANGES = [person.queryPage, person.detail]
const NO_FACTOR: Text = ['此人没有启用动态验证码', 'This person has no second factor']
const YOURSELF: Text = ['不能对自己进行此操作；请由其他管理员办理', 'You cannot do this to yourself: ask another administrator']

/** The people who sign in: their roles, their department, their locks. */
export default function PersonScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const tree = useQuery({ ...asks(department.tree, {}, { quiet: true }), enabled: can(department.tree.needs) })
  const items = tree.data?.map(nodeOf)
  return (
    <Beside
      tree={
        <TreePane
          items={items}
          hint={say(['查找部门', 'Find a department'])}
          error={tree.error as Refusal | null}
          retry={() => void tree.refetch()}
          chosen={params.get('departmentId') ?? undefined}
          onChoose={(key) => setParams(key ? { departmentId: key } : {})}
          open={keysIn(items ?? [])}
        />
      }
    >
      <Staff />
    </Beside>
  )
}
const nodeOf = ({ id, name, children }: DepartmentNode): TreeNode => ({ key: id, words: name, children: children.map(nodeOf) })

function Staff() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const remove = useRemove(CHANGES)
  const close = () => setDoing(undefined)
  const own = signedIn.use()?.custId
  const { lock, resetFactor } = useActs()
  return (
    <>
      <ListScreen
        purpose={['能登录本企业控制台的人员', 'People who can sign in to this enterprise’s console']}
        query={person.queryPage}
        search={personSearch}
        find={['username', 'name', { name: 'departmentId', control: <DepartmentSelect /> }, 'lockState', 'phone', 'staffNo']}
        columns={columnsOf(say)}
        hidden={['staffNo', 'email', 'secondFactor', 'remark']}
        roomy={['createdAt']}
        bulk={bulkOf(own)}
        toolbar={<Tools add={() => setDoing({ what: 'new' })} />}
        history={{ kind: 'identity.person', restore: person.update, changes: CHANGES }}
        exports={person.export}
        actions={(row) => [
          { text: Label.edit, needs: person.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: ['重置密码', 'Reset password'],
            needs: person.resetPassword.needs,
            run: () => setDoing({ what: 'reset', of: row }),
            not: row.id === own && YOURSELF,
          },
          {
            text: row.lockState === LockState.locked ? ['解锁', 'Unlock'] : ['锁定', 'Lock'],
            needs: person.updateLock.needs,
            run: () => void lock(row),
            not: row.id === own && YOURSELF,
          },
          {
            text: ['重置动态验证码', 'Reset second factor'],
            needs: person.resetSecondFactor.needs,
            run: () => void resetFactor(row),
            not: (row.id === own && YOURSELF) || (!row.secondFactor && NO_FACTOR),
          },
          { text: ['权限诊断', 'Explain permissions'], needs: access.explain.needs, run: () => setDoing({ what: 'why', of: row }) },
          { text: ['会话', 'Sessions'], needs: session.listOf.needs, run: () => setDoing({ what: 'sessions', of: row }) },
          {
            ...deleting(remove, person.delete, { id: row.id }, `${row.username} ${row.name}`, { kind: 'identity.person', key: row.id }),
            not: row.id === own && YOURSELF,
          },
        ]}
        detail={{
          call: person.detail,
          head: (row) => (
            <>
              <b>{row.name}</b> <State dictionary={LockState} value={row.lockState} />{' '}
              {row.mustChange && <span className="faint">{say(['首次登录须修改密码', 'Must change password at first sign-in'])}</span>}
            </>
          ),
          act: (row) => can(person.update.needs) && <Button onClick={() => setDoing({ what: 'edit', of: row })}>{say(Label.edit)}</Button>,
          body: (row) => <PersonStory of={row} />,
        }}
      />
      {doing && <Doing doing={doing} then={setDoing} onClose={close} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'username',
  'name',
  {
    dataIndex: 'roles',
    render: (_, { roles }) => roles.map(({ name }) => name).join(say(['、', ', '])) || <span className="faint">--</span>,
  },
  'departmentName',
  'lockState',
  'phone',
  'staffNo',
  'email',
  'secondFactor',
  'createdAt',
  'remark',
]

function Tools({ add }: { add: () => void }) {
  const say = useText()
  return (
    <>
      {can(person.add.needs) && (
        <Button type="primary" icon={<PlusOutlined />} onClick={add}>
          {say(Label.add)}
        </Button>
      )}
      <ImportButton call={person.import} changes={CHANGES} />
    </>
  )
}

/** Each password is worked out slowly on purpose: more people would wait for minutes, and others behind them. */
const RESET_MOST = 500

/** Everybody at once, but never oneself. */
const bulkOf = (own: string | undefined): BulkOf<Row> => ({
  nameOf: ({ username, name }) => `${username} ${name}`,
  changes: CHANGES,
  acts: [
    {
      text: ['锁定', 'Lock'],
      call: person.updateLock,
      input: ({ id, version }) => ({ id, version, lockState: LockState.locked }),
      not: (row) => row.id === own && YOURSELF,
      danger: true,
    },
    { text: ['解锁', 'Unlock'], call: person.updateLock, input: ({ id, version }) => ({ id, version, lockState: LockState.normal }) },
    {
      text: ['重置密码', 'Reset password'],
      call: person.resetPassword,
      danger: true,
      input: ({ id }) => ({ custId: id }),
      not: (row) => row.id === own && YOURSELF,
      warns: [
        '其所有会话立即结束，首次登录须修改密码，动态验证码不变。完成后请下载一次性密码表，仅此一次。',
        'All their sessions end immediately, they change the password at first sign-in, and second factors stay. Download the sheet of one-time passwords afterwards: it is offered once.',
      ],
      once: {
        name: ['一次性密码', 'One-time passwords'],
        heads: [
          ['用户名', 'Username'],
          ['姓名', 'Name'],
          ['一次性密码', 'One-time password'],
        ],
        cells: ({ username, name }, { password }) => [username, name, password],
        most: RESET_MOST,
      },
    },
  ],
})

function Doing({ doing, then, onClose }: { doing: Doing; then: (next: Doing) => void; onClose: () => void }) {
  if (doing.what === 'sessions') return <SessionsOf of={doing.of} onClose={onClose} />
  if (doing.what === 'why') return <WhyDialog of={doing.of} onClose={onClose} />
  if (doing.what === 'password') return <OncePassword {...doing} onClose={onClose} />
  if (doing.what === 'reset') {
    const { id, username, name } = doing.of
    return <OncePassword username={username} reset={{ custId: id, name }} changes={CHANGES} onClose={onClose} />
  }
  return <PersonForm {...(doing.what === 'edit' && { of: doing.of })} then={then} onClose={onClose} />
}

/** Acts on a person that are done at once, after a question. */
function useActs() {
  const act = useAct(CHANGES)
  const lock = ({ id, version, name, lockState }: Row) =>
    act(
      person.updateLock,
      { id, version, lockState: lockState === LockState.locked ? LockState.normal : LockState.locked },
      lockState === LockState.locked
        ? { done: ['已解锁', 'Unlocked'] }
        : {
            question: [`锁定 ${name}？其所有会话立即结束。`, `Lock ${name}? All their sessions end immediately.`],
            act: ['锁定', 'Lock'],
            done: ['已锁定', 'Locked'],
          },
    )
  const resetFactor = ({ id, name }: Row) =>
    act(
      person.resetSecondFactor,
      { custId: id },
      {
        question: [
          `重置 ${name} 的动态验证码？其所有会话立即结束，下次登录只凭密码。`,
          `Reset the second factor of ${name}? All their sessions end immediately, and the next sign-in needs the password only.`,
        ],
        act: ['重置', 'Reset'],
        done: ['已重置', 'Reset'],
      },
    )
  return { lock, resetFactor }
}

type Made = { username: string; password: string | null } | undefined
function PersonForm({ of, then, onClose }: { of?: Row; then: (next: Doing) => void; onClose: () => void }) {
  const fields = [
    {
      name: 'username',
      help: [
        '字母开头，3 至 32 位；改名后须用新的一次性密码登录',
        'Starts with a letter, 3 to 32 characters; after renaming, sign-in needs a new one-time password',
      ],
    },
    'name',
    { name: 'departmentId', control: <DepartmentSelect /> },
    { name: 'roleIds', label: ['角色', 'Roles'], control: <RoleSelect />, optional: true },
    'phone',
    'staffNo',
    'email',
    'remark',
  ] as const
  // The dialog closes after it saved; what has to be shown once comes in its place.
  const made = useRef<Made>(undefined)
  const after = () =>
    made.current?.password ? then({ what: 'password', username: made.current.username, password: made.current.password }) : onClose()
  const common = {
    entity: Person as never,
    fields: fields as never,
    changes: CHANGES,
    onClose: after,
    onSaved: (reply: unknown) => void (made.current = reply as Made),
  }
  if (!of) return <FormDialog {...common} mode="new" value={{}} save={person.add} done={['已新增', 'Added']} />
  return (
    <FormDialog
      {...common}
      mode="edit"
      value={{ ...of, roleIds: of.roles.map(({ id }) => id) } as never}
      save={person.update}
      done={['已保存', 'Saved']}
    />
  )
}
