import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { asks } from '../../../../platform/web/ask.ts'
import { time, yuan } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { useRested } from '../../../../platform/web/form/rested.ts'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { order, OrderStatus, OrderType } from '../../contract/order.ts'

const SIGNS_LEAST = 3
const SHOWN = 20
interface Props {
  /** The field of the order that the form keeps. */
  by: 'id' | 'orderNo'
  /** Of these cars; left out, of the plate that is typed. */
  plates?: readonly string[]
  /** Debts too, not only orders that still wait. */
  owed?: boolean
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}
/** A parking order that asks for money, by its plate, with when and how much. */
export function UnpaidOrderSelect({ by, plates, owed = false, ...props }: Props) {
  const say = useText()
  const [typed, setTyped] = useState('')
  const asked = useRested(typed.trim())
  const wanted = plates ?? (asked.length >= SIGNS_LEAST ? [asked] : [])
  const status = owed ? [OrderStatus.unpaid, OrderStatus.arrears] : [OrderStatus.unpaid]
  const found = useQueries({
    queries: wanted.map((plateNo) => ({
      ...asks(order.list, { plateNo, status, type: [OrderType.temporaryParking], limit: SHOWN }, { quiet: true }),
      enabled: can(order.list.needs),
    })),
  })
  const options = found
    .flatMap(({ data }) => data?.records ?? [])
    .map((one) => ({
      value: one[by] as string,
      label: `${one.plateNo} · ¥${yuan(one.payableFen - one.paidFen)} · ${time(one.createdAt)} · ${one.orderNo}`,
    }))
  return (
    <Select
      {...props}
      allowClear
      showSearch={plates ? { optionFilterProp: 'label' } : { filterOption: false, onSearch: setTyped }}
      loading={found.some(({ isFetching }) => isFetching)}
      placeholder={say(plates ? ['请选择', 'Choose'] : ['输入车牌任意几位查找', 'Type any part of a plate'])}
      notFoundContent={wanted.length > 0 ? say(['没有待缴的停车订单', 'No unpaid parking orders']) : say(['至少输入 3 位', 'Type 3 signs or more'])}
      options={options}
    />
  )
}
