import { CloseOutlined } from '@ant-design/icons'
import { Select } from 'antd'
import { isPlate } from '../../contract/plate.ts'
import { platesTyped } from './platesTyped.ts'
import { useText } from '../text.ts'
import { Plate } from '../value.tsx'

interface Props {
  id?: string
  value?: readonly string[]
  onChange?: (plates: string[]) => void
  /** Plates that are known already, to choose from. */
  known?: readonly string[]
  'aria-label'?: string
}
/** Several number plates: typed or pasted in any form, shown as plates in their colour. What is none stays, marked, to be put right. */
export function PlatesInput({ value = [], onChange, known = [], ...rest }: Props) {
  const say = useText()
  return (
    <Select
      {...rest}
      mode="tags"
      tokenSeparators={[',', '，', '、', ';', '；', '\n']}
      suffixIcon={null}
      {...(known.length === 0 && { open: false })}
      options={known.map((one) => ({ value: one, label: one }))}
      value={[...value]}
      onChange={(typed: string[]) => onChange?.(platesTyped(typed))}
      tagRender={({ value: one, onClose }) => (
        <span className="plate-tag" title={isPlate(one as string) ? undefined : say(['不是有效车牌', 'Not a number plate'])}>
          {isPlate(one as string) ? <Plate number={one as string} still /> : <span className="bad">{one}</span>}
          <button type="button" aria-label={say([`移除 ${one}`, `Remove ${one}`])} onMouseDown={(event) => event.preventDefault()} onClick={onClose}>
            <CloseOutlined />
          </button>
        </span>
      )}
    />
  )
}
