import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { account } from '../contract/account.ts'

interface Props {
  id?: string
  value?: string
  onChange?: (id: string) => void
  /** Whom it may not be. */
  not?: string
}
const SHOWN = 20
/** An owner, found by the beginning of their telephone number or by a part of their name. */
export function OwnerSelect({ not, ...props }: Props) {
  const [typed, setTyped] = useState('')
  const by = typed === '' ? {} : /^[+\d]/.test(typed) ? { phone: typed } : { nickname: typed }
  const { data } = useQuery(asks(account.info, { ...by, limit: SHOWN }, { quiet: true }))
  const options = (data?.records ?? [])
    .filter(({ ownerId }) => (ownerId as string) !== not)
    .map(({ ownerId, nickname, phone }) => ({ value: ownerId as string, label: `${nickname} ${phone}` }))
  return <Select {...props} showSearch={{ filterOption: false, onSearch: setTyped }} allowClear options={options} />
}
