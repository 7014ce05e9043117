import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, InputNumber } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { Yuan } from '../../../platform/web/form/inputs.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { Part, repair } from '../contract/repair.ts'
import './repair.css'

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
const NONE: never[] = []

/** A device or a pile, by the beginning of its number or its name. */
export function ThingSelect(props: PickProps<string>) {
  const say = useText()
  const [keyword, setKeyword] = useState('')
  const found = useQuery(asks(repair.things, keyword ? { keyword } : {}, { quiet: true })).data ?? NONE
  const options = found.map(({ deviceNo, deviceName }) => ({ value: deviceNo, label: `${deviceName} ${deviceNo}` }))
  return (
    <Select
      {...props}
      allowClear
      placeholder={say(['输入编号或名称开头', 'Start of a number or name'])}
      options={options}
      showSearch={{ filterOption: false, onSearch: (text) => setKeyword(text.trim().slice(0, 32)) }}
    />
  )
}

/** A repairer: the least busy first. */
export function RepairerSelect(props: PickProps<string>) {
  const say = useText()
  const all = useQuery(asks(repair.repairers, {}, { quiet: true })).data ?? NONE
  const options = all.map(({ tollNo, name, open }) => ({
    value: tollNo,
    label: say([`${name} ${tollNo} · 在修 ${open}`, `${name} ${tollNo} · ${open} in progress`]),
  }))
  return <Select {...props} allowClear placeholder={say(CHOOSE)} options={options} showSearch={{ optionFilterProp: 'label' }} />
}

type One = Of<typeof Part>
const FIELDS = Part.properties
/** A line for each part. */
export function PartsInput({ id, value = [], onChange }: PickProps<One[]>) {
  const say = useText()
  const set = (at: number, change: Partial<One>) => onChange?.(value.map((one, n) => (n === at ? { ...one, ...change } : one)))
  const labels = {
    name: say(['配件', 'Part']),
    qty: say(['数量', 'Quantity']),
    price: say(['单价（元）', 'Unit price (¥)']),
    out: say(['去掉', 'Remove']),
  }
  return (
    <div className="repair-parts">
      {value.map((one, n) => (
        <div key={n} className="repair-part">
          <Input
            {...(n === 0 && { id })}
            aria-label={labels.name}
            placeholder={labels.name}
            value={one.name}
            maxLength={60}
            onChange={({ target }) => set(n, { name: target.value })}
          />
          <InputNumber
            aria-label={labels.qty}
            precision={0}
            {...(numberFault(FIELDS.qty, one.qty) && { status: 'error' as const })}
            value={one.qty}
            onChange={(qty) => set(n, { qty: qty as number })}
          />
          <Yuan aria-label={labels.price} value={one.priceFen} onChange={(priceFen) => set(n, { priceFen: priceFen as One['priceFen'] })} />
          <Button type="text" icon={<MinusCircleOutlined />} aria-label={labels.out} onClick={() => onChange?.(value.filter((_, at) => at !== n))} />
        </div>
      ))}
      <Button size="small" icon={<PlusOutlined />} onClick={() => onChange?.([...value, { name: '', qty: 1, priceFen: 0 as One['priceFen'] }])}>
        {say(['加配件', 'Add part'])}
      </Button>
    </div>
  )
}
