import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { useState } from 'react'
import { asks } from '../../../../platform/web/ask.ts'
import { can } from '../../../../platform/web/person.ts'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { account } from '../../contract/account.ts'

interface Props {
  id?: string
  value?: string
  onChange?: (id: string) => void
  /** The owner who may not be chosen. */
  not?: string
}
const SHOWN = 20
/** An owner, found by the beginning of their phone number or by a part of their name; by their id for a person who may not see owners. */
export function OwnerSelect({ not, ...props }: Props) {
  const [typed, setTyped] = useState('')
  const by = typed === '' ? {} : /^[+\d]/.test(typed) ? { phone: typed } : { nickname: typed }
  const { data } = useQuery(asks(account.info, { ...by, limit: SHOWN }, { quiet: true }))
  const options = (data?.records ?? [])
    .filter(({ ownerId }) => (ownerId as string) !== not)
    .map(({ ownerId, nickname, phone }) => ({ value: ownerId as string, label: `${nickname} ${phone}` }))
  const say = useText()
  if (!can(account.info.needs))
    return (
      <Input
        {...(props as object)}
        value={props.value}
        onChange={({ target }) => props.onChange?.(target.value)}
        placeholder={say(['车主编号', 'Owner id'])}
      />
    )
  return (
    <Select
      {...props}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      allowClear
      options={options}
      placeholder={say(['输入手机号或姓名查找', 'Search by phone or name'])}
    />
  )
}
