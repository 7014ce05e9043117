import { Input } from 'antd'
import { useRef } from 'react'
import { digestOf } from '../digest.ts'
import { person } from '../person.ts'

/** One's own password as a field of a form, where a call asks who it is before it does what cannot be taken back: only its digest leaves the page. */
export function OwnPassword({ id, onChange }: { id?: string; value?: string; onChange?: (digest: string | undefined) => void }) {
  const latest = useRef('')
  const type = async (typed: string) => {
    latest.current = typed
    const digest = typed ? await digestOf(person.get()!.username, typed) : undefined
    if (latest.current === typed) onChange?.(digest)
  }
  return <Input.Password {...(id && { id })} autoComplete="current-password" onChange={({ target }) => void type(target.value)} />
}
export const OWN_PASSWORD = {
  name: 'password' as const,
  help: ['登录超过 5 分钟时须填写', 'Needed if you signed in more than 5 minutes ago'] as const,
  control: <OwnPassword />,
  optional: true,
  secret: true as const,
}
