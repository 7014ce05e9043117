import { Input, Popover } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useText } from '../text.ts'
import '../list/search.css'

const PlatePad = lazy(() => import('./PlatePad.tsx'))
const SIGNS_MOST = 16

interface Props {
  id?: string
  value?: string
  onChange?: (typed: string) => void
  placeholder?: string
  disabled?: boolean
  className?: string
  autoFocus?: boolean
  'aria-label'?: string
}
/** The one field for a number plate: typed in any form, with the provinces and the plates of late under its button. */
export function PlateInput({ value, onChange, className = 'plate-input', ...rest }: Props) {
  const say = useText()
  const [open, setOpen] = useState(false)
  const put = (typed: string) => {
    onChange?.(typed)
    setOpen(false)
    if (rest.id) document.getElementById(rest.id)?.focus()
  }
  const pad = (
    <Suspense>
      <PlatePad typed={value ?? ''} onPut={put} />
    </Suspense>
  )
  return (
    <Input
      {...rest}
      allowClear
      className={className}
      maxLength={SIGNS_MOST}
      value={value ?? ''}
      onChange={({ target }) => onChange?.(target.value)}
      suffix={
        <Popover content={pad} trigger="click" placement="bottomRight" open={open} onOpenChange={setOpen} destroyOnHidden>
          <button
            type="button"
            className="plate-key"
            aria-label={say(['省份与最近车牌', 'Provinces and recent plates'])}
            aria-expanded={open}
            disabled={rest.disabled}
          >
            省
          </button>
        </Popover>
      }
    />
  )
}
