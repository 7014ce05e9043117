import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Tooltip } from 'antd'
import { useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { catalogued } from '../../../platform/web/form/catalogued.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { OWN_PASSWORD } from '../../../platform/web/form/OwnPassword.tsx'
import { Once } from '../../../platform/web/form/Once.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ApiKey, apiKey, apiKeySearch, KeyState } from '../contract/apiKey.ts'

type Row = Of<typeof ApiKey>
const CHANGES = [apiKey.query]
const GONE: Text = ['密钥已失效', 'The key is no longer valid']
const NOT_YOURS: Text = ['只能吊销自己的密钥', 'You can only revoke your own keys']
const SHOWN = 2

/** Keys of programs: their permissions, their expiry, and their last use. */
export default function ApiKeyScreen() {
  const say = useText()
  const [doing, setDoing] = useState<'new' | { key: string }>()
  const made = useRef<string>(undefined)
  const act = useAct(CHANGES)
  const own = person.use()?.custId
  return (
    <>
      <ListScreen
        purpose={[
          '供程序调用接口的密钥：权限不超过创建人，随时可吊销',
          'Keys for programs that call the API: never more permissions than their creator, and revocable at any time',
        ]}
        query={apiKey.query}
        search={apiKeySearch}
        find={['name']}
        columns={COLUMNS}
        hidden={['createdAt', 'revokedAt', 'revokedBy']}
        toolbar={
          can(apiKey.add.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing('new')}>
              {say(['新建密钥', 'New key'])}
            </Button>
          )
        }
        actions={(row) => [
          {
            text: ['吊销', 'Revoke'],
            needs: apiKey.revoke.needs,
            danger: true,
            not: row.state !== KeyState.valid ? GONE : row.personId !== own && !can('identity:session:end') && NOT_YOURS,
            run: () =>
              void act(
                apiKey.revoke,
                { id: row.id },
                {
                  question: [
                    `吊销密钥「${row.name}」？使用它的程序立即不能再调用。`,
                    `Revoke key “${row.name}”? Programs that use it lose access immediately.`,
                  ],
                  act: ['吊销', 'Revoke'],
                  done: ['已吊销', 'Revoked'],
                },
              ),
          },
        ]}
      />
      {doing === 'new' && (
        <FormDialog
          title={['新建密钥', 'New key']}
          entity={ApiKey as never}
          fields={FIELDS}
          mode="new"
          value={{ days: 90 } as never}
          save={apiKey.add}
          changes={CHANGES}
          act={['生成密钥', 'Create key']}
          onSaved={(reply) => void (made.current = (reply as { key: string }).key)}
          onClose={() => {
            setDoing(made.current ? { key: made.current } : undefined)
            made.current = undefined
          }}
        />
      )}
      {typeof doing === 'object' && <OnceKey text={doing.key} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  'name',
  { dataIndex: 'prefix', render: (text: string) => <code>{text}…</code> },
  'personName',
  { dataIndex: 'capabilities', render: (_, { capabilities }) => <Capabilities of={capabilities} /> },
  'state',
  'expiresAt',
  'lastUsedAt',
  'lastIp',
  'createdAt',
  'revokedAt',
  'revokedBy',
]

const FIELDS = [
  { name: 'name', help: ['供哪个程序使用', 'Which program uses it'] },
  {
    name: 'capabilities',
    control: <CapabilitySelect />,
    help: ['只列出您自己拥有的权限，授权他人的除外', 'Only permissions that you hold yourself, except those to give permissions to others'],
  },
  { name: 'days', help: ['最长 366 天', 'At most 366 days'] },
  OWN_PASSWORD,
] as never

function Capabilities({ of }: { of: readonly string[] }) {
  const say = useText()
  const rest = of.length - SHOWN
  return (
    <Tooltip title={rest > 0 ? of.join(say(['、', ', '])) : ''}>
      <span className="soft">
        {of.slice(0, SHOWN).join(say(['、', ', ']))}
        {rest > 0 && ` +${rest}`}
      </span>
    </Tooltip>
  )
}

/** Each by its name in the permission catalogue, where it has one there, beside what a program calls it. */
function CapabilitySelect(props: { id?: string; value?: string[]; onChange?: (value: string[]) => void }) {
  const say = useText()
  const { data = [] } = useQuery(asks(apiKey.grantable, {}, { quiet: true }))
  const names = new Map(catalogued.use().map(({ needs, name }) => [needs as string, say(name)]))
  const options = data.map((value) => ({ value, label: [names.get(value), value].filter(Boolean).join(' · ') }))
  return (
    <Select
      mode="multiple"
      placeholder={say(['选择权限', 'Choose permissions'])}
      showSearch={{ optionFilterProp: 'label' }}
      options={options}
      {...props}
    />
  )
}

function OnceKey({ text, onClose }: { text: string; onClose: () => void }) {
  const say = useText()
  return (
    <Once title={['新密钥', 'New key']} says={SHOWN_ONCE} text={text} onClose={onClose}>
      <p className="soft">
        {say(['调用时放在请求头', 'Send it in the request header'])} <code>Authorization: Bearer …</code>
      </p>
    </Once>
  )
}
const SHOWN_ONCE: Text = ['密钥只显示这一次，请存放在安全的地方。', 'The key is shown only once. Store it somewhere safe.']
