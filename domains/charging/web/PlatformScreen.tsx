import { Button, Modal, Tabs } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Dialect, Platform, platform, platformSearch, PlatformRole, PlatformStatus } from '../contract/platform.ts'
import { PartnerGuns } from './PartnerGuns.tsx'
import { Messages } from './PartnerMessages.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { StationNames, StationsSelect } from './stations.tsx'

type Row = Of<typeof Platform>
const CHANGES = [platform.getTableList, platform.getList]
type Reached = Of<typeof platform.test.reply>
type What = 'edit' | 'rotate' | 'secret' | 'messages'
const OWN: Text = ['本平台无需互联', 'Our own platform needs no connection']

/** Partner platforms, and the stations of those that have some. */
export default function PlatformScreen() {
  const say = useText()
  return (
    <Tabs
      className="tabs-of-lists"
      items={[
        { key: 'platforms', label: say(['互联平台', 'Platforms']), children: <Platforms /> },
        { key: 'guns', label: say(['合作电站', 'Partner stations']), children: <PartnerGuns /> },
      ]}
    />
  )
}

/** Whose drivers charge here, and at whose stations ours do: what is open to them, whether they are reached, what they did not take. */
function Platforms() {
  const remove = useRemove(CHANGES)
  const act = useAct(CHANGES)
  const [doing, setDoing] = useState<{ what: What | 'new'; of?: Row }>()
  const [tested, setTested] = useState<{ of: Row; said: Reached }>()
  const act1 = (what: What, of: Row) => () => setDoing({ what, of })
  return (
    <>
      <ListScreen
        purpose={[
          '按中电联 T/CEC 102 互联的平台：开放哪些站、密钥是否齐备、有无未送达的消息',
          'Platforms connected by T/CEC 102: stations open to them, their secrets and undelivered messages',
        ]}
        query={platform.getTableList}
        exports={platform.export}
        search={platformSearch}
        find={['name', 'operatorId', 'role', 'status']}
        columns={[
          'name',
          'operatorId',
          'role',
          'status',
          { dataIndex: 'openStations', render: (_, row) => (row.builtIn ? '--' : <StationNames ids={row.openStations} none={['未开放', 'None']} />) },
          'hasOurs',
          'hasTheirs',
          { dataIndex: 'deadLetters', render: (n: number) => (n > 0 ? <span className="state error">{n}</span> : n) },
          'baseUrl',
          'dialect',
          'creditLimitFen',
          'splitPermille',
          'oursAt',
          'theirsAt',
          'remark',
        ]}
        hidden={['dialect', 'oursAt', 'theirsAt', 'remark', 'splitPermille', 'creditLimitFen']}
        roomy={['baseUrl']}
        add={{ call: platform.add, open: () => setDoing({ what: 'new' }) }}
        actions={(row) => [
          { text: ['消息', 'Messages'], needs: platform.messages.needs, run: act1('messages', row) },
          { text: Label.edit, needs: platform.update.needs, run: act1('edit', row) },
          { text: ['更换我方密钥', 'Renew our secrets'], needs: platform.rotateSecret.needs, run: act1('rotate', row), not: row.builtIn && OWN },
          { text: ['录入对方密钥', 'Enter their secrets'], needs: platform.saveSecret.needs, run: act1('secret', row), not: row.builtIn && OWN },
          {
            text: ['测试', 'Test'],
            needs: platform.test.needs,
            run: () => void act(platform.test, { id: row.id }, { answered: (said) => setTested({ of: row, said }) }),
            not: (row.builtIn || !row.hasTheirs || !row.baseUrl) && ['先填写对方地址和密钥', 'Enter the partner’s address and secrets first'],
          },
          {
            text: Label.delete,
            needs: platform.delete.needs,
            run: () => void remove(platform.delete, { id: row.id, version: row.version }, row.name),
            danger: true,
            not: row.status !== PlatformStatus.stopped && ['请先停用', 'Stop it first'],
          },
        ]}
      />
      {doing && <Doing {...doing} onClose={() => setDoing(undefined)} />}
      {tested && <Tested {...tested} onClose={() => setTested(undefined)} />}
    </>
  )
}

/** What became of asking a partner for a token. */
function Tested({ of, said, onClose }: { of: Row; said: Reached; onClose: () => void }) {
  const say = useText()
  return (
    <Modal
      open
      title={say([`测试互联 · ${of.name}`, `Test the connection · ${of.name}`])}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{say(['关闭', 'Close'])}</Button>}
    >
      <p role="status">
        <span className={said.ok ? 'state success' : 'state error'}>{say(said.ok ? ['已连通', 'Connected'] : ['未连通', 'Not connected'])}</span>{' '}
        <span className="faint">
          {said.ret !== null && `${say(['返回码', 'return code'])} ${said.ret} · `}
          {said.ms} ms
        </span>
      </p>
      {said.answer && <p className="charging-said">{said.answer}</p>}
    </Modal>
  )
}

const WRITTEN = [
  'role',
  {
    name: 'baseUrl',
    optional: true,
    help: [
      '如 https://partner.example/evcs/v1；改动后须重新录入对方密钥',
      'For example https://partner.example/evcs/v1; when it changes, enter their secrets again',
    ] as const,
  },
  { name: 'dialect', optional: true },
  { name: 'openStations', optional: true, control: <StationsSelect none={['不选则不开放任何站', 'Leave empty to open no station']} /> },
  { name: 'creditLimitFen', optional: true },
  { name: 'splitPermille', optional: true, help: ['服务费中分给对方的部分', 'Their part of the service fee'] },
  { name: 'remark', optional: true },
] as const
function Doing({ what, of, onClose }: { what: What | 'new'; of?: Row; onClose: () => void }) {
  const common = { changes: CHANGES, onClose }
  if (what === 'new' || !of)
    return (
      <FormDialog
        entity={Platform}
        mode="new"
        value={{ role: PlatformRole.demand, dialect: Dialect.standard }}
        save={platform.add}
        done={['已新增', 'Added']}
        fields={['name', 'operatorId', ...WRITTEN]}
        {...common}
      />
    )
  if (what === 'messages') return <Messages of={of} onClose={onClose} />
  if (what === 'edit')
    return of.builtIn ? (
      <FormDialog
        entity={Platform}
        mode="edit"
        value={of}
        save={platform.update}
        done={['已保存', 'Saved']}
        fields={['name', 'operatorId']}
        {...common}
      />
    ) : (
      <FormDialog
        entity={Platform}
        mode="edit"
        value={of}
        save={platform.update}
        done={['已保存', 'Saved']}
        fields={['name', 'operatorId', 'status', ...WRITTEN]}
        {...common}
      />
    )
  return <SecretDialog what={what} of={of} onClose={onClose} />
}
