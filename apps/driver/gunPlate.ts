import { normalizePlate } from '../../platform/contract/plate.ts'
import { keys, PLATE_MAX } from './keys.ts'
import { node } from './node.ts'
import { say } from './say.ts'

let open = false
/** A plate that may be left out: its keypad comes when it is touched. */
export function plateField(plate: string, type: (next: string, drawn?: boolean) => void, label: string): Node[] {
  const field = node('input', {
    value: plate,
    inputMode: 'none',
    maxLength: PLATE_MAX,
    autocapitalize: 'characters',
    spellcheck: false,
    ariaLabel: label,
    placeholder: label,
  })
  field.dataset['name'] = 'plate'
  field.autocomplete = 'off'
  field.addEventListener('input', () => type(normalizePlate(field.value)))
  const touch = () => {
    if (open) return
    open = true
    type(plate)
  }
  field.addEventListener('pointerdown', touch)
  const shut = node('button', {
    type: 'button',
    className: 'quiet',
    textContent: say(['收起键盘', 'Hide keypad']),
    onclick: () => ((open = false), type(plate)),
  })
  return [field, ...(open ? [keys(plate, type), shut] : [])]
}
