import { node } from './node.ts'
import './picker.css'
import { say } from './say.ts'

/** An appeal has no more pictures. */
export const PICTURES_MAX = 6

/** `before` is what was chosen already, where the page was drawn again since. The browser's own button speaks the telephone's language, not the page's: it lies unseen under ours. */
export function picker(disabled: boolean, chosen: (files: File[]) => void, before: readonly File[] = []): HTMLElement {
  const field = node('input', { type: 'file', accept: 'image/jpeg,image/png', multiple: true, disabled })
  const words = (files: readonly File[]) =>
    files.length > 0 ? say([`已选 ${files.length} 张`, `${files.length} chosen`]) : say(['选择图片', 'Choose pictures'])
  const shown = node('span', { textContent: words(before) })
  field.addEventListener('change', () => {
    const files = [...(field.files ?? [])].slice(0, PICTURES_MAX)
    if (files.length > 0) shown.textContent = words(files)
    chosen(files)
  })
  return node('span', { className: 'picker' }, field, shown)
}
