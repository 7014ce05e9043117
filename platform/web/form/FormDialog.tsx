import { type ComponentType, createContext, lazy, type ReactElement, type ReactNode, Suspense, useContext } from 'react'
import type { Call } from '../../contract/call.ts'
import type { Schema } from '../../contract/field.ts'
import type { Text } from '../text.ts'

export type Mode = 'view' | 'edit' | 'new'

/** A field with what it has of its own. */
export interface OwnField<K extends string> {
  name: K
  help?: Text
  /** It gets `id`, `value` and `onChange`. */
  control?: ReactElement
  label?: Text
  /** It may stay empty though its entity needs it. */
  optional?: boolean
  /** It must be filled here, though its call does without it: where something is changed, or keeps what was there. */
  needed?: true
  /** What is typed is covered, and no part of the draft that the browser keeps. */
  secret?: true
  /** A section with this heading begins here. */
  section?: Text
  /** Short enough to share its row, in a form of sections. */
  half?: boolean
  /** What is wrong with it beside the others, said while it or one of `beside` is typed. */
  check?: (typed: Readonly<Record<string, unknown>>) => Text | undefined
  beside?: readonly string[]
  /** So many of what is kept are one of what its control asks for: a thousand watts are a kilowatt. Its bounds are said as they are typed. */
  per?: number
  /** Across the form, under the field: what helps to fill it. See `useFill`. */
  under?: ReactElement
}
/** By its name alone where the entity says it all. */
export type FormField<K extends string> = K | OwnField<K>

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
  /** Asked before it is sent, by what is typed: to how many it goes. Nothing is asked where it answers nothing. */
  sure?: (edited: Partial<NoInfer<I>>) => Text | undefined | Promise<Text | undefined>
  /** What is said when it is done; 已保存 when left out, and nothing where `onSaved` says it. */
  done?: Text
  /** Calls whose answers the change makes old: they are asked again. */
  changes: readonly Call<any, any>[]
  /** Under the fields and inside their form, which it may watch: a preview of what is typed. */
  below?: ReactElement
  /** Gets what the call answered, before the dialog closes: something to be shown once. */
  onSaved?: (reply: unknown) => void
  onClose: () => void
}

/** Puts values into the form around it as a hand would: they are checked, and kept as a draft. */
export const Fill = createContext<(values: Readonly<Record<string, unknown>>) => void>(() => {})
export const useFill = () => useContext(Fill)

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
