import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { type Item, ItemType } from '../contract/patrolRule.ts'
import './inspection.css'

type One = Of<typeof Item>
interface Props {
  id?: string
  value?: One[]
  onChange?: (value: One[]) => void
}
/** The items checked on each device, a line for each. Only a number has bounds. */
export function ItemsInput({ value = [], onChange, id }: Props) {
  const say = useText()
  const set = (at: number, change: Partial<One>) => onChange?.(value.map((one, n) => (n === at ? { ...one, ...change } : one)))
  const kinds = Object.entries(ItemType.entries).map(([code, words]) => ({ value: Number(code), label: say(words as never) }))
  const bound = (n: number, name: 'min' | 'max', label: readonly [string, string]) => (
    <InputNumber
      precision={0}
      placeholder={say(label)}
      aria-label={say(label)}
      value={value[n]![name] ?? null}
      onChange={(read) => set(n, name === 'min' ? { min: read } : { max: read })}
    />
  )
  return (
    <div className="patrol-items">
      {value.map((one, n) => (
        <div key={n} className="patrol-item">
          <Input
            {...(n === 0 && { id })}
            aria-label={say(['检查项', 'Item'])}
            placeholder={say(['检查项', 'Item'])}
            value={one.name}
            maxLength={40}
            onChange={({ target }) => set(n, { name: target.value })}
          />
          <Select
            aria-label={say(['类型', 'Type'])}
            value={one.type}
            options={kinds}
            onChange={(type) => set(n, { type: type as One['type'], min: null, max: null })}
          />
          {one.type === ItemType.number && bound(n, 'min', ['下限', 'Minimum'])}
          {one.type === ItemType.number && bound(n, 'max', ['上限', 'Maximum'])}
          {value.length > 1 && (
            <Button
              type="text"
              icon={<MinusCircleOutlined />}
              aria-label={say(['去掉', 'Remove'])}
              onClick={() => onChange?.(value.filter((_, at) => at !== n))}
            />
          )}
        </div>
      ))}
      <Button size="small" icon={<PlusOutlined />} onClick={() => onChange?.([...value, { name: '', type: ItemType.state }])}>
        {say(['加检查项', 'Add item'])}
      </Button>
    </div>
  )
}
