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

interface Keeping {
  /** It follows the person to any browser; the rest stays in this one. */
  everywhere?: boolean
}
/** A kept choice can also be forgotten: then the first value holds again. */
export type Kept<V> = Choice<V> & { reset: () => void }

const known = new Map<string, Choice<any>>()
/** A choice of one person, kept in local storage, or on the server with `everywhere`. `check` lets through what has the right shape: anybody may have written there. */
export function kept<V>(name: string, first: V, check: (value: unknown) => V | undefined, { everywhere = false }: Keeping = {}): Kept<V> {
  // Modules load before the person is known: the identity is looked up when the value is wanted.
  const current = () => {
    const key = keptKey(name)
    let one = known.get(key) as Choice<V> | undefined
    if (!one) known.set(key, (one = choice((everywhere && server ? check(server.values.get(name)) : read(key, check)) ?? first)))
    return one
  }
  const put = (value: V | undefined) => {
    current().set(value ?? first)
    write(keptKey(name), value)
    if (everywhere) later(name, value ?? null)
  }
  return { get: () => current().get(), use: () => current().use(), set: put, reset: () => put(undefined) }
}

interface Server {
  values: Map<string, unknown>
  put: (name: string, value: unknown) => Promise<unknown>
}
let server: Server | undefined
/**
 * Connects to the values that the server keeps for the person, by name (a Map: no name is special in it), and to the call that
 * stores a change. The shell does so once, before anything is drawn.
 */
export function keepOnServer(values: Map<string, unknown>, put: Server['put']) {
  server = { values, put }
  for (const name of untold.get()) {
    const value = read(keptKey(name), (one) => one) ?? null
    values.set(name, value)
    later(name, value)
  }
  globalThis.addEventListener?.('pagehide', () => void flushKept())
}
/** Choices that the server is not known to have: a page that begins before the last one was heard would show what was chosen before. */
const untold = {
  get: () => read(keptKey('untold'), listOfWords) ?? [],
  set: (names: readonly string[]) => write(keptKey('untold'), names.length ? names : undefined),
  add: (name: string) => untold.set([...new Set([...untold.get(), name])]),
  drop: (name: string) => untold.set(untold.get().filter((one) => one !== name)),
}

/** A column is dragged through a hundred widths: the last one is told. */
const PUT_AFTER_MS = 600
const waiting = new Map<string, { value: unknown; timer: ReturnType<typeof setTimeout> }>()
function later(name: string, value: unknown) {
  clearTimeout(waiting.get(name)?.timer)
  waiting.set(name, { value, timer: setTimeout(() => void tell(name), PUT_AFTER_MS) })
  untold.add(name)
}
async function tell(name: string) {
  const one = waiting.get(name)
  waiting.delete(name)
  clearTimeout(one?.timer)
  if (!one || !server) return
  const heard = await server.put(name, one.value).then(
    () => true,
    () => false, // told again by the next page, or with the next change; here it holds all the same
  )
  if (heard && !waiting.has(name)) untold.drop(name)
}
/** Tells the server what it has not heard yet: before the person leaves. */
export const flushKept = () => Promise.all([...waiting.keys()].map(tell))

/** A full or forbidden storage costs the memory of a choice, not the choice. */
function write(key: string, value: unknown) {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Said above.
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
