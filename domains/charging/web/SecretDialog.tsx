import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Typography } from 'antd'
import { useId, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ask, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { digestOf } from '../../../platform/web/digest.ts'
import { person } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { labelOf } from '../../../platform/web/value.tsx'
import { type Platform, platform, Secrets } from '../contract/platform.ts'

type Four = Of<typeof Secrets>
const NAMES = ['operatorSecret', 'dataSecret', 'dataSecretIv', 'sigSecret'] as const
const BEFORE = {
  rotate: ['旧密钥与已发的令牌立即失效；新密钥只显示一次', 'Old secrets and tokens stop working at once; new ones are shown once'],
  secret: ['保存后加密存放，不再显示', 'Stored encrypted and not shown again'],
} as const
interface Props {
  what: 'rotate' | 'secret'
  of: Of<typeof Platform>
  onClose: () => void
}
/** A dialog of its own: a secret that is typed is kept nowhere in the browser, not even as a draft. */
export function SecretDialog({ what, of, onClose }: Props) {
  const say = useText()
  const cache = useQueryClient()
  const name = useId()
  const [form] = Form.useForm<Four & { password?: string }>()
  const typed = Form.useWatch((values: object) => Object.values(values).some(Boolean), form) ?? false
  const [made, setMade] = useState<Four>()
  const saving = useMutation<unknown, Refusal, Four & { password?: string }>({
    mutationFn: async ({ password: typed, ...four }) => {
      const password = typed ? { password: await digestOf(person.get()!.username, typed) } : {}
      const which = { id: of.id, version: of.version, ...password }
      return what === 'rotate'
        ? ask(platform.rotateSecret, which, { key: newKey(), quiet: true })
        : ask(platform.saveSecret, { ...which, ...four }, { key: newKey(), quiet: true })
    },
    onSuccess: async (reply) => {
      await cache.invalidateQueries({ queryKey: [platform.getTableList.id] })
      return what === 'rotate' ? setMade(reply as Four) : onClose()
    },
  })
  const title = say(what === 'rotate' ? ['更换我方密钥', 'Renew our secrets'] : ['录入对方密钥', 'Enter their secrets'])
  const footer = (leave: () => void) =>
    made ? (
      <Button type="primary" onClick={onClose}>
        {say(['我已交给对方', 'Handed to the partner'])}
      </Button>
    ) : (
      <>
        <Button onClick={leave}>{say(['取消', 'Cancel'])}</Button>
        <Button type="primary" loading={saving.isPending} htmlType="submit" form={name}>
          {what === 'rotate' ? say(['更换', 'Renew']) : say(['保存', 'Save'])}
        </Button>
      </>
    )
  return (
    <Dialog changed={!made && typed} title={`${title} · ${of.name}`} mask={{ closable: false }} onClose={onClose} footer={footer}>
      {made ? (
        <Made of={made} />
      ) : (
        <>
          <Alert className="refused" type={what === 'rotate' ? 'warning' : 'info'} title={say(BEFORE[what])} />
          {saving.error && <Alert className="refused" type="error" title={saving.error.message} />}
          <Form form={form} name={name} layout="vertical" onFinish={(values) => saving.mutate(values)} autoComplete="off">
            {what === 'secret' &&
              NAMES.map((name) => (
                <Form.Item
                  key={name}
                  name={name}
                  label={say(labelOf(Secrets.properties[name] as never))}
                  rules={[{ required: true, message: say(['请填写', 'Please fill in']) }]}
                >
                  <Input.Password autoComplete="new-password" maxLength={64} />
                </Form.Item>
              ))}
            <Form.Item name="password" label={say(['登录密码（登录超过 5 分钟时）', 'Your password (if you signed in over 5 minutes ago)'])}>
              <Input.Password autoComplete="current-password" />
            </Form.Item>
          </Form>
        </>
      )}
    </Dialog>
  )
}

function Made({ of }: { of: Four }) {
  const say = useText()
  return (
    <dl className="facts">
      {NAMES.map((name) => (
        <div key={name}>
          <dt>{say(labelOf(Secrets.properties[name] as never))}</dt>
          <dd>
            <Typography.Text copyable code>
              {of[name]}
            </Typography.Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}
