/** A value in memory that anybody may follow. No React here: the sign-in page uses it too. */
export interface Value<V> {
  get: () => V
  set: (value: V) => void
  follow: (reader: () => void) => () => void
}
export function valueOf<V>(first: V): Value<V> {
  const readers = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    follow: (reader) => {
      readers.add(reader)
      return () => void readers.delete(reader)
    },
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const reader of readers) reader()
    },
  }
}
