import { kept } from '../../../platform/web/kept.ts'
import type { Text } from '../../../platform/web/text.ts'

/** A page or a record that the person was at last, newest first. */
export interface Recent {
  title: Text
  path: string
}
const RECENT_MOST = 8
const isRecent = (one: unknown): one is Recent => {
  const { title, path } = (one ?? {}) as Partial<Recent>
  return (
    Array.isArray(title) &&
    title.length === 2 &&
    title.every((word) => typeof word === 'string') &&
    typeof path === 'string' &&
    /^\/(?!\/)/.test(path)
  )
}
export const recents = kept<readonly Recent[]>('recent', [], (value) =>
  Array.isArray(value) ? value.filter(isRecent).slice(0, RECENT_MOST) : undefined,
)

export function noteRecent({ title, path }: Recent) {
  const others = recents.get().filter((one) => one.path !== path)
  recents.set([{ title, path }, ...others].slice(0, RECENT_MOST))
}
