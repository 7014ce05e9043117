import { type KeyboardEvent, useEffect } from 'react'

/** Enter in a list or a calendar chooses what stands there; only in an input it sends the form. */
export const enterChooses = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && (event.target as HTMLElement).closest('.ant-select, .ant-picker')) event.preventDefault()
}

const FIELDS = 'input:not([type=hidden], :disabled), textarea:not(:disabled)'
/**
 * Whoever opened it types: not on the button that closes it, where the dialog would put them. A control may have taken the focus by itself; on a telephone the keys
 * would cover what is read first, and a calendar would open by itself.
 */
export function focusFirst(form: string): void {
  const box = document.getElementById(form)
  const field = box?.querySelector<HTMLInputElement>(FIELDS)
  if (!field || box!.contains(document.activeElement) || matchMedia('(pointer: coarse)').matches || opensByItself(field)) return
  field.focus({ preventScroll: true })
  if (field.type === 'text') field.setSelectionRange(field.value.length, field.value.length)
}
/** A calendar, also where it stands only for one that comes with the focus; a choice opens when it is pressed. */
const opensByItself = (field: HTMLInputElement) => field.closest('.ant-picker') !== null || (field.readOnly && field.closest('.ant-select') === null)
/** Closed, the focus is where it was before: on the row's or the card's button. */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    return () => {
      if (document.activeElement === document.body) before?.focus({ preventScroll: true })
    }
  }, [])
}
