import { LockOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { person } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { unlock } from './lock.ts'
import { leave } from '../session.ts'

/** Covers everything, dialogs too, and takes the keyboard: a modal dialog of the browser lies over all else and makes it inert. */
export default function LockScreen() {
  const say = useText()
  const who = person.use()
  const cover = useRef<HTMLDialogElement>(null)
  const [password, setPassword] = useState('')
  const [refused, setRefused] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (!cover.current?.open) cover.current?.showModal()
  }, [])
  const submit = async () => {
    setBusy(true)
    setRefused('')
    await unlock(password).catch((error: Error) => setRefused(error.message))
    setPassword('')
    setBusy(false)
  }
  return (
    <dialog
      ref={cover}
      className="lock"
      aria-labelledby="lock-title"
      // A browser lets a second Esc close what refused the first: the key never gets so far, and what was closed another way is covered again.
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
      onClose={() => cover.current?.showModal()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (password && !busy) void submit()
        }}
      >
        <LockOutlined />
        <h1 id="lock-title">{say(['已锁屏', 'Locked'])}</h1>
        <p className="soft">{say([`${who?.name ?? ''}，您的工作都还在。`, `${who?.name ?? ''}, your work is still here.`])}</p>
        <Input.Password
          autoFocus
          size="large"
          autoComplete="current-password"
          aria-label={say(['密码', 'Password'])}
          placeholder={say(['输入密码解锁', 'Enter password to unlock'])}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <p className="bad" role="alert">
          {refused}
        </p>
        <Button type="primary" size="large" block htmlType="submit" loading={busy}>
          {say(['解锁', 'Unlock'])}
        </Button>
        <Button type="link" onClick={() => void leave()}>
          {say(['退出，换人登录', 'Log out and switch user'])}
        </Button>
      </form>
    </dialog>
  )
}
