import { useIsFetching } from '@tanstack/react-query'
import { Select as Box, type SelectProps } from 'antd'
import { cloneElement, createContext, type ReactElement, type ReactNode, use } from 'react'
import { NameWaits } from '../page/states.tsx'
import { useText } from '../text.ts'

/** Where a choice only says what is chosen, as words among others: how to write what it has no name for. */
export const Naming = createContext<((value: unknown) => ReactNode) | undefined>(undefined)

/** What was chosen, by the name that the choice itself knows it by; where it knows none, by `otherwise`. */
export function Chosen({ control, value, otherwise }: { control: ReactElement; value: unknown; otherwise: (value: unknown) => ReactNode }) {
  return <Naming value={otherwise}>{cloneElement(control as ReactElement<{ value: unknown }>, { value })}</Naming>
}

/** One or several out of a list. Every picker is made of it, so that each can name what was chosen. */
export function Select<V = any, O extends object = any>(props: SelectProps<V, O & { value?: any; label?: ReactNode }>) {
  const otherwise = use(Naming)
  if (otherwise) return <Names of={props.value} all={(props.options ?? []) as readonly Named[]} otherwise={otherwise} />
  return <Box {...props} />
}

export interface Named {
  value?: unknown
  label?: ReactNode
  title?: ReactNode
  options?: readonly Named[]
  children?: readonly Named[]
}
function nameOf(all: readonly Named[], value: unknown): ReactNode {
  for (const one of all) {
    if (one.value === value) return one.label ?? one.title
    const below = nameOf(one.options ?? one.children ?? [], value)
    if (below !== undefined) return below
  }
  return undefined
}
export function Names({ of, all, otherwise }: { of: unknown; all: readonly Named[]; otherwise: (value: unknown) => ReactNode }) {
  const say = useText()
  const isComing = useIsFetching() > 0
  return [of].flat().map((value, at) => (
    <span key={String(value)}>
      {at > 0 && say(['、', ', '])}
      {nameOf(all, value) ?? (isComing ? <NameWaits /> : otherwise(value))}
    </span>
  ))
}
