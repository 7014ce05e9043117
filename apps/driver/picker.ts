import { node } from './node.ts'
import './picker.css'
import { say } from './say.ts'

/** An appeal has no more pictures. */
export const PICTURES_MAX = 6

/** The browser's own button speaks the telephone's language, not the page's: it lies unseen under ours. */
export function picker(disabled: boolean, chosen: (files: File[]) => void): HTMLElement {
  const field = node('input', { type: 'file', accept: 'image/jpeg,image/png', multiple: true, disabled })
  const shown = node('span', { textContent: say(['选择图片', 'Choose pictures']) })
  field.addEventListener('change', () => {
    const files = [...(field.files ?? [])].slice(0, PICTURES_MAX)
    if (files.length > 0) shown.textContent = say([`已选 ${files.length} 张`, `${files.length} chosen`])
    chosen(files)
  })
  return node('span', { className: 'picker' }, field, shown)
}
