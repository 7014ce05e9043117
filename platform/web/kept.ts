import { useSyncExternalStore } from 'react'
import { valueOf } from './choice.ts'
import { cookie } from './cookie.ts'

/** Values kept in this browser lie under the version of their shape and the identity of their person, so two people of one browser never meet. */
export const KEPT_VERSION = '1.0.0'
const GUEST = 'guest'
/** One value is a few tabs or columns; more than this is not ours and is not read. */
const KEPT_MOST = 32_768
export const keptKey = (name: string) => `${KEPT_VERSION}/${cookie('uuid') ?? GUEST}/${name}`

export interface Choice<V> {
  get: () => V
  set: (value: V) => void
  /** Inside React: follows every change at once. */
  use: () => V
}

/** A value in memory that components follow. */
export function choice<V>(first: V): Choice<V> {
  const value = valueOf(first)
  return { ...value, use: () => useSyncExternalStore(value.follow, value.get) }
}

const known = new Map<string, Choice<any>>()
/** A choice of one person, kept in local storage. `check` lets through what has the right shape: anybody may have written there. */
export function kept<V>(name: string, first: V, check: (value: unknown) => V | undefined): Choice<V> {
  // Modules load before the person is known: the identity is looked up when the value is wanted.
  const current = () => {
    const key = keptKey(name)
    let one = known.get(key) as Choice<V> | undefined
    if (!one) known.set(key, (one = choice(read(key, check) ?? first)))
    return one
  }
  return {
    get: () => current().get(),
    use: () => current().use(),
    set: (value) => {
      current().set(value)
      try {
        localStorage.setItem(keptKey(name), JSON.stringify(value))
      } catch {
        // A full or forbidden storage costs the memory of a choice, not the choice.
      }
    },
  }
}

function read<V>(key: string, check: (value: unknown) => V | undefined): V | undefined {
  try {
    const text = localStorage.getItem(key)
    return text === null || text.length > KEPT_MOST ? undefined : check(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Checks for `kept`. */
export const oneOf =
  <V extends string | number>(...values: readonly V[]) =>
  (value: unknown) =>
    values.includes(value as V) ? (value as V) : undefined
export const listOfWords = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? (value as string[]) : undefined
