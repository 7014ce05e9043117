import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense } from 'react'
import type { Call } from '../contract/call.ts'
import type { Schema } from '../contract/field.ts'
import type { Text } from './text.ts'

export type Mode = 'view' | 'edit' | 'new'

/** A field by name, or with a help, a control of its own (it gets `id`, `value` and `onChange`), a label of its own, or optional though its entity needs it. */
export type FormField<K extends string> = K | { name: K; help?: Text; control?: ReactElement; label?: Text; optional?: boolean }

export interface FormProps<T, I> {
  /** The mode's name (查看, 编辑, 新增) when left out. */
  title?: Text
  /** Says the fields' labels, bounds and inputs. Usually the entity; `I` may be it too. */
  entity: Schema<T>
  fields: readonly FormField<keyof T & keyof I & string>[]
  mode: Mode
  value: Partial<T>
  /** Takes the edited fields and, from `value` and `also`, whatever else its input names (id, version). */
  save: Call<I, unknown>
  also?: Partial<I>
  /** What the button does, in words: 确认更正, not 确定; also by what is typed. 保存 when left out. */
  act?: Text | ((edited: Partial<I>) => Text)
  /** Over the fields: what it is about, what it touches. */
  about?: ReactNode
  /** What it was for is no longer so: that is said, the button goes, and the dialog closes itself. */
  gone?: Text | undefined
  /** The button waits for what is still being counted or checked. */
  waits?: boolean
  /** What is said when it is done. */
  done?: Text
  /** Calls whose answers the change makes old: they are asked again. */
  changes: readonly Call<any, any>[]
  /** Under the fields and inside their form, which it may watch: a preview of what is typed. */
  below?: ReactElement
  /** Gets what the call answered, before the dialog closes: something to be shown once. */
  onSaved?: (reply: unknown) => void
  onClose: () => void
}

// The dialog and its inputs come when the first one opens.
const Body = lazy(() => import('./FormDialogBody.tsx')) as unknown as ComponentType<FormProps<any, any>>

/**
 * Edits what the fields name, 60 % wide with labels of 125 px. Leaving with changes asks; a refusal keeps what was typed.
 * Mount it when it opens, unmount it in `onClose`.
 */
export function FormDialog<T extends object, I extends object>(props: FormProps<T, I>) {
  return (
    <Suspense>
      <Body {...props} />
    </Suspense>
  )
}
