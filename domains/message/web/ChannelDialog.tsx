import { useQuery } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useState } from 'react'
import type { Of, Schema } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { FormDialog, type FormField } from '../../../platform/web/form/FormDialog.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { channel, type Channel, type ChannelDetail, ChannelType, type ChannelTypeCode, NEEDED } from '../contract/channel.ts'
import { rule, SendRule } from '../contract/rule.ts'
import { CHANNEL_CHANGES } from './changes.ts'
import { ChannelSelect } from './pickers.tsx'
import { Answer } from './Answer.tsx'

export type Row = Of<typeof ChannelDetail>
export type Doing = { what: 'new'; type: ChannelTypeCode } | { what: 'edit' | 'test'; of: Row } | { what: 'rule' }
export const INNER: ChannelTypeCode = 1
export const MAIL: ChannelTypeCode = 5
const HOOK: ChannelTypeCode = 8

/** The dialogs of the channels: writing one, trying one, and the rules that hold for all. */
export function ChannelDialog({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  if (doing.what === 'rule') return <RuleForm onClose={onClose} />
  if (doing.what === 'test') return <Test of={doing.of} onClose={onClose} />
  const type = doing.what === 'new' ? doing.type : doing.of.type
  const fields = fieldsOf(type, doing.what === 'edit' ? doing.of : undefined)
  const shared = { changes: CHANNEL_CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  if (doing.what === 'edit')
    return <FormDialog<Written, Written> {...shared} entity={WRITTEN} mode="edit" value={doing.of} save={channel.update as never} fields={fields} />
  return (
    <FormDialog<Written, Written>
      {...shared}
      entity={WRITTEN}
      title={[`新增渠道：${ChannelType.entries[type][0]}`, `New channel: ${ChannelType.entries[type][1]}`]}
      mode="new"
      value={{ type, ratePerSec: 10, dayCap: 10_000, ...(type === MAIL && { port: 587, tls: false }) }}
      save={channel.insert as never}
      fields={fields}
    />
  )
}
/** Everything of a channel that is typed; its secret too, which is never read. */
const WRITTEN = channel.update.input as Schema<Written>
type Written = Partial<Of<typeof Channel>> & { secret?: string | null }

const SENDER_HELP: Text = ['邮件的发件人，如 泊城 <notice@example.com>', 'Sender of e-mails, such as Kerbline <notice@example.com>']
/** The fields that a channel of that type needs; others are not shown. */
function fieldsOf(type: ChannelTypeCode, of: Row | undefined): FormField<keyof Written>[] {
  const needs = NEEDED[type]
  const secret: FormField<'secret'> = {
    name: 'secret',
    ...(needs.includes('secret') && !of?.hasSecret && { needed: true as const }),
    secret: true,
    help: (of?.hasSecret
      ? ['已设；不填则不变，填写则替换', 'Already set; leave empty to keep it, or enter a new one']
      : ['至少 8 位；保存后不再显示', 'At least 8 characters; not shown again after saving']) as Text,
  }
  if (type === INNER) return ['name', 'ratePerSec', 'dayCap', 'remark']
  const mail = type === MAIL
  return [
    'name',
    ...(mail
      ? ([
          'host',
          'port',
          { name: 'tls', optional: true, help: ['465 端口通常开启；587 由服务器协商', 'Usually on for port 465; port 587 negotiates it'] as Text },
        ] as const)
      : [{ name: 'url' as const }]),
    ...(type === HOOK ? [] : [{ name: 'account' as const, optional: mail }]),
    secret,
    ...(type === HOOK ? [] : [{ name: 'sender' as const, optional: !mail, ...(mail && { help: SENDER_HELP }) }]),
    'ratePerSec',
    'dayCap',
    {
      name: 'backupChannelId',
      control: <ChannelSelect not={of?.id} />,
      help: ['重试都失败后由它发一次', 'Sends once after all retries have failed'] as Text,
    },
    'remark',
  ]
}

/** Sends one message and shows what the provider said; the dialog stays, so that another address can be tried. */
function Test({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  const [said, setSaid] = useState<{ ok: boolean; answer: string; ms: number }>()
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const act = useAct([])
  const send = async () => {
    setBusy(true)
    await act(channel.test, { id: of.id, ...(address && { address }) }, { answered: setSaid })
    setBusy(false)
  }
  return (
    <Dialog
      changed={address !== '' && !said}
      width={560}
      title={say([`测试渠道：${of.name}`, `Test channel: ${of.name}`])}
      okText={say(['发送测试消息', 'Send a test message'])}
      cancelText={say(['关闭', 'Close'])}
      confirmLoading={busy}
      okButtonProps={{ disabled: of.type !== HOOK && !address }}
      onOk={() => void send()}
      onClose={onClose}
    >
      <Form layout="vertical" className="dialog">
        {of.type !== HOOK && (
          <Form.Item
            label={say(['接收地址', 'Recipient address'])}
            extra={say(['手机号、邮箱等；只发一次，不重试', 'Phone number, mailbox or similar; sent once, without retries'])}
          >
            <Input value={address} maxLength={200} onChange={({ target }) => setAddress(target.value.trim())} onPressEnter={() => void send()} />
          </Form.Item>
        )}
      </Form>
      {said && (
        <div role="status" className="message-said">
          <span className={`state ${said.ok ? 'success' : 'error'}`}>{say(said.ok ? ['已受理', 'Accepted'] : ['未受理', 'Not accepted'])}</span>
          <span className="faint">{said.ms} ms</span>
          <Answer of={said.answer} />
        </div>
      )}
    </Dialog>
  )
}

function RuleForm({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(asks(rule.get, {}))
  if (!data) return null
  return (
    <FormDialog
      title={['静默与上限', 'Quiet hours and caps']}
      entity={SendRule}
      mode="edit"
      value={data}
      save={rule.update}
      done={['已保存', 'Saved']}
      changes={[rule.get]}
      fields={[
        {
          name: 'quiet',
          help: [
            '短信、微信、邮件等在此时段内不发；验证码和紧急消息除外',
            'SMS, WeChat, e-mail and the like are not sent during these hours, except verification codes and urgent messages',
          ],
        },
        { name: 'quietFrom', help: ['如 22:00；可以跨零点', 'For example 22:00; it may cross midnight'] },
        'quietTo',
        {
          name: 'recipientDayCap',
          help: [
            '同一地址每天经每类渠道最多收到的条数，防止短信轰炸',
            'How many messages one address can get per day through each channel type, to prevent flooding',
          ],
        },
        'enterpriseDayCap',
      ]}
      onClose={onClose}
    />
  )
}
