import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Form, Input } from 'antd'
import { useId, useState } from 'react'
import { enterprise } from '../../../domains/identity/contract/enterprise.ts'
import { ask, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { person } from '../../../platform/web/person.ts'
import { say, type Text, useText } from '../../../platform/web/text.ts'
import { digestOf } from '../../../platform/web/digest.ts'
import { confirmFault, newPasswordFault, PHRASES } from './password.ts'
import { leave, logout } from '../session.ts'
import { settings } from '../settings.ts'

interface Values {
  oldPassword?: string
  newPassword: string
  confirmPassword: string
}
const CLASSES_HELP: Text = [
  '至少 9 位，含数字、大小写字母和 @#$%^&*!~?, 之一',
  'At least 9 characters with a digit, both cases and one of @#$%^&*!~?,',
]
const PHRASE_HELP: Text = ['15 位以上的一句话，好记、别人猜不到', 'A phrase of 15 characters or more, easy to remember and hard to guess']
const CHANGED: Text = ['密码已修改，请用新密码登录', 'Password changed: sign in with the new one']
/** The type of this form, always. */
const TYPE = '1'

/** One's own password. It leaves as a digest, never plain; afterwards one signs in anew. `must`: it cannot be put off. */
export default function PasswordDialog({ onClose, must = false }: { onClose: () => void; must?: boolean }) {
  const say = useText()
  const { passwordPolicy } = settings.use()
  const [form] = Form.useForm<Values>()
  const id = useId()
  const typed = Form.useWatch((values: object) => Object.values(values).some(Boolean), form) ?? false
  const saving = useChange()
  const [sent, setSent] = useState(0)
  const rule = (fault: (value: string | undefined) => Text | undefined) => ({
    validator: async (_: unknown, value: string | undefined) => {
      const text = fault(value)
      if (text) throw new Error(say(text))
    },
  })
  const field = (name: keyof Values, label: Text, fault?: (value: string | undefined) => Text | undefined, help?: Text) => (
    <Form.Item name={name} label={say(label)} validateTrigger="onBlur" rules={fault ? [rule(fault)] : []} {...(help && { extra: say(help) })}>
      <Input.Password autoComplete={name === 'oldPassword' ? 'current-password' : 'new-password'} maxLength={128} />
    </Form.Item>
  )
  return (
    <Dialog
      changed={typed}
      width={520}
      closable={!must}
      keyboard={!must}
      mask={{ closable: false }}
      title={say(['修改密码', 'Change password'])}
      onClose={onClose}
      footer={(leave) => (
        <>
          {must ? (
            <Button onClick={() => void logout()}>{say(['退出登录', 'Log out'])}</Button>
          ) : (
            <Button onClick={leave}>{say(['取消', 'Cancel'])}</Button>
          )}
          <Button type="primary" htmlType="submit" form={id} loading={saving.isPending}>
            {say(['修改并重新登录', 'Change and sign in again'])}
          </Button>
        </>
      )}
    >
      {must && (
        <Alert showIcon className="refused" type="info" title={say(['首次登录请先修改密码。', 'First sign-in: change the password first.'])} />
      )}
      {saving.error && <Alert key={sent} showIcon className="refused" type="error" title={saving.error.message} />}
      <Form
        form={form}
        name={id}
        className="dialog"
        labelCol={{ flex: '125px' }}
        labelWrap
        colon={false}
        onFinish={(values) => {
          setSent(sent + 1)
          saving.mutate(values)
        }}
      >
        {field('oldPassword', ['原密码', 'Current password'], undefined, ['刚刚登录时可以不填', 'Not needed just after signing in'])}
        {field(
          'newPassword',
          ['新密码', 'New password'],
          (value) => newPasswordFault(value, passwordPolicy),
          passwordPolicy === PHRASES ? PHRASE_HELP : CLASSES_HELP,
        )}
        {field('confirmPassword', ['确认密码', 'Confirm password'], (value) => confirmFault(value, form.getFieldValue('newPassword')))}
      </Form>
    </Dialog>
  )
}

/** Sends digests, never the password; afterwards one is signed out. */
function useChange() {
  const who = person.use()!
  return useMutation<unknown, Refusal, Values>({
    mutationFn: async ({ oldPassword, newPassword, confirmPassword }) => {
      const [old, next, again] = await Promise.all([
        oldPassword && digestOf(who.username, oldPassword),
        digestOf(who.username, newPassword),
        digestOf(who.username, confirmPassword),
      ])
      return ask(enterprise.resetEnterprisePassword, {
        custId: who.custId as never,
        newPassword: next,
        confirmPassword: again,
        type: TYPE,
        ...(old && { oldPassword: old }),
      })
    },
    onSuccess: () => leave({ notice: say(CHANGED) }),
  })
}
