import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Modal, Typography } from 'antd'
import { useState } from 'react'
import type { Call } from '../../../platform/contract/call.ts'
import type { Id } from '../../../platform/contract/field.ts'
import { ask, type Refusal } from '../../../platform/web/ask.ts'
import { useText } from '../../../platform/web/text.ts'
import { enterprise } from '../contract/enterprise.ts'
import { person } from '../contract/person.ts'

interface Props {
  username: string
  password?: string
  /** Asks first, then has the server make one. */
  reset?: { custId: Id<'PersonId'>; name: string; /** They administer another company. */ elsewhere?: boolean }
  /** Calls whose answers the reset makes old: a row that is changed next is the one that stands there then. */
  changes?: readonly Call<any, any>[]
  onClose: () => void
}
/** A password that the server made: shown this once, changed at the first sign-in. */
export function OncePassword({ username, password, reset, changes = [], onClose }: Props) {
  const say = useText()
  const cache = useQueryClient()
  const [made, setMade] = useState(password)
  const [running, setRunning] = useState(false)
  const [refused, setRefused] = useState<string>()
  const make = async () => {
    setRunning(true)
    try {
      setMade(await resetOf(reset!))
      await Promise.all(changes.map(({ id }) => cache.invalidateQueries({ queryKey: [id] })))
    } catch (error) {
      setRefused((error as Refusal).message)
    } finally {
      setRunning(false)
    }
  }
  return (
    <Modal
      open
      title={say(made ? ['一次性密码', 'One-time password'] : ['重置密码', 'Reset password'])}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        made ? (
          <Button type="primary" onClick={onClose}>
            {say(['我已记下', 'I have written it down'])}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{say(['取消', 'Cancel'])}</Button>
            <Button type="primary" loading={running} onClick={() => void make()}>
              {say(['重置密码', 'Reset password'])}
            </Button>
          </>
        )
      }
    >
      {refused && <Alert type="error" showIcon title={refused} />}
      {made ? (
        <>
          <p>
            {say([
              `${username} 首次登录须修改此密码，关闭后不再显示。`,
              `${username} must change this password at first sign-in. It is not shown again.`,
            ])}
          </p>
          <Typography.Paragraph copyable code>
            {made}
          </Typography.Paragraph>
        </>
      ) : (
        <p>
          {say([
            `为 ${reset?.name} 生成一次性密码？其所有会话立即结束。`,
            `Generate a one-time password for ${reset?.name}? All their sessions end immediately.`,
          ])}
        </p>
      )}
    </Modal>
  )
}

const resetOf = async ({ custId, elsewhere }: NonNullable<Props['reset']>): Promise<string> =>
  (await ask(elsewhere ? enterprise.resetAdministrator : person.resetPassword, { custId })).password!
