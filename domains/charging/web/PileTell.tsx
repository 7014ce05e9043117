import { useRef } from 'react'
import type { Call } from '../../../platform/contract/call.ts'
import type { Of, Schema } from '../../../platform/contract/field.ts'
import { FormDialog, type FormField } from '../../../platform/web/form/FormDialog.tsx'
import { OWN_PASSWORD } from '../../../platform/web/form/OwnPassword.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { operateLog } from '../contract/operateLog.ts'
import { pileCommand, ResetKind, TriggerMessage } from '../contract/pileCommand.ts'
import { pileLink } from '../contract/pileLink.ts'

/** All that commands take, by the names of their contracts. */
type Field =
  | 'connectorId'
  | 'cardNo'
  | 'operative'
  | 'until'
  | 'message'
  | 'kind'
  | 'limitW'
  | 'key'
  | 'value'
  | 'url'
  | 'version'
  | 'retrieveAt'
  | 'reason'
  | 'password'
type Fields = Partial<Record<Field | 'equipmentId', unknown>>
/** What a pile is told by hand: the command, what it needs besides the pile and a reason, and whether it is for one gun. */
export interface Tell {
  call: Call<Fields, unknown>
  text: Text
  fields?: readonly Field[]
  help?: Partial<Record<Field, Text>>
  gun?: 'one' | 'any'
  value?: object
  /** What is said when it is done, where nothing went to the pile. */
  done?: Text
}
export const TELLS: readonly Tell[] = [
  {
    call: pileCommand.remoteStart,
    text: ['远程启动', 'Start a session remotely'],
    gun: 'one',
    fields: ['cardNo'],
    help: {
      cardNo: [
        '费用记在该卡：个人卡扣储值，单位卡记单位授信，员工卡减免',
        'The card is billed: a personal card by its stored value, a company card by its credit; a staff card is waived',
      ],
    },
  },
  { call: pileCommand.remoteStop, text: ['远程停止', 'Stop a session remotely'], gun: 'one' },
  { call: pileCommand.unlock, text: ['解锁枪头', 'Unlock a plug'], gun: 'one' },
  {
    call: pileCommand.availability,
    text: ['启停用充电枪', 'Take in or out of service'],
    gun: 'any',
    fields: ['operative'],
    value: { operative: false },
  },
  { call: pileCommand.reserve, text: ['预约锁枪', 'Reserve a connector'], gun: 'one', fields: ['cardNo', 'until'] },
  { call: pileCommand.cancelReservation, text: ['取消预约', 'Cancel a reservation'], gun: 'one' },
  { call: pileCommand.trigger, text: ['触发上报', 'Trigger a message'], gun: 'any', fields: ['message'], value: { message: TriggerMessage.status } },
  { call: pileCommand.sendLocalList, text: ['下发本地名单', 'Send the local list'] },
  { call: pileCommand.reset, text: ['重启', 'Restart'], fields: ['kind'], value: { kind: ResetKind.soft } },
  { call: pileCommand.setProfile, text: ['限制功率', 'Limit the power'], gun: 'one', fields: ['limitW'] },
  { call: pileCommand.clearProfile, text: ['解除限功率', 'Lift the limit'], gun: 'one' },
  { call: pileCommand.getConfiguration, text: ['读取配置', 'Read settings'] },
  { call: pileCommand.setConfiguration, text: ['修改配置', 'Change a setting'], fields: ['key', 'value'] },
  { call: pileCommand.updateFirmware, text: ['固件升级', 'Update the firmware'], fields: ['url', 'version', 'retrieveAt'] },
  { call: pileCommand.getLog, text: ['调取日志', 'Fetch the log'], fields: ['url', 'kind'] },
]
/** Shown once; a pile that is away is told nothing. */
export const SECRET: Tell = {
  call: pileLink.rotateSecret,
  text: ['更换密钥', 'Renew the secret'],
  fields: ['password'],
  done: ['新密钥已生成', 'New secret generated'],
}
export type Secret = Of<typeof pileLink.rotateSecret.reply>
const OPTIONAL: readonly Field[] = ['version', 'retrieveAt']
const CHANGES = [pileCommand.commands, pileCommand.settings, pileLink.link, operateLog.query]

const SENT: Text = ['已下发，结果见最近指令', 'Sent; see the latest commands for the result']
interface Props {
  of: string
  /** What it is done to, where that is more than the pile. */
  named?: string
  tell: Tell
  guns: readonly string[]
  onClose: () => void
  onSecret: (secret: Secret) => void
}
/** One command to one pile. Its answer is seen in the pile's own list: that the pile agreed is not yet that it did. */
export function PileTell({ of, named = of, tell, guns, onClose, onSecret }: Props) {
  const secret = useRef<Secret>(undefined)
  const { call, text, help, gun, value, fields = [], done = SENT } = tell
  const shown: FormField<Field>[] = [
    ...(gun ? [{ name: 'connectorId' as const, control: <GunPick guns={guns} />, optional: gun === 'any' }] : []),
    ...fields
      .filter((name) => name !== 'password')
      .map((name) => ({ name, ...(OPTIONAL.includes(name) && { optional: true }), ...(help?.[name] && { help: help[name] }) })),
    'reason',
    ...(fields.includes('password') ? [OWN_PASSWORD] : []),
  ]
  return (
    <FormDialog
      title={[`${text[0]} · ${named}`, `${text[1]} · ${named}`]}
      entity={call.input as Schema<Fields>}
      mode="new"
      value={{ ...value, ...(gun === 'one' && guns.length === 1 && { connectorId: guns[0] }) }}
      also={gun === 'one' ? {} : { equipmentId: of }}
      save={call}
      act={text}
      done={done}
      changes={CHANGES}
      fields={shown}
      onSaved={(reply) => void (secret.current = call === pileLink.rotateSecret ? (reply as Secret) : undefined)}
      onClose={() => {
        onClose()
        if (secret.current) onSecret(secret.current)
      }}
    />
  )
}

function GunPick({ guns, ...field }: { guns: readonly string[]; id?: string; value?: string; onChange?: (value: string) => void }) {
  const say = useText()
  return (
    <Select
      allowClear
      placeholder={say(['请选择充电枪', 'Choose a connector'])}
      options={guns.map((value) => ({ value, label: value }))}
      {...field}
    />
  )
}
