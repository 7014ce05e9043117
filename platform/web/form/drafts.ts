import { keptKey } from '../kept.ts'
import type { Text } from '../text.ts'

/** What was typed into a form and not saved: kept in this browser for its person until it is saved, given up, or old. */
export interface Draft {
  at: number
  /** Where it was typed: the page and the dialog. */
  path: string
  page: Text
  form: Text
  values: Map<string, unknown>
}
const FOLDER = 'draft/'
const DRAFT_MOST = 32_768
const DRAFT_DAYS = 3
const DAY_MS = 86_400_000

/** Written with every change, so that nothing is lost when the session ends by itself. What is too large, or no JSON (a picture), is not kept; the answer says so. */
export function keepDraft(name: string, draft: Draft): boolean {
  try {
    const text = JSON.stringify({ ...draft, values: [...draft.values] })
    if (text.length > DRAFT_MOST) return false
    localStorage.setItem(keptKey(FOLDER + name), text)
    return true
  } catch {
    // A full or forbidden storage costs the draft, not the work.
    return false
  }
}
/** What a form writes about: the record, or those (two that become one) that it names; else something new. */
export const draftName = (call: string, { id, ids }: { id?: string; ids?: readonly string[] }) =>
  `${call}/${id ?? ids?.toSorted().join('+') ?? 'new'}`
export const dropDraft = (name: string) => localStorage.removeItem(keptKey(FOLDER + name))
export const draftOf = (name: string): Draft | undefined => read(keptKey(FOLDER + name))

/** All that the person has left, newest first; old ones go. */
export function allDrafts(): Draft[] {
  const folder = keptKey(FOLDER)
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(folder))
  return keys.flatMap((key) => read(key) ?? []).sort((a, b) => b.at - a.at)
}

function read(key: string): Draft | undefined {
  const text = localStorage.getItem(key)
  if (text === null) return undefined
  const draft = checked(text)
  if (!draft || Date.now() - draft.at > DRAFT_DAYS * DAY_MS) {
    localStorage.removeItem(key)
    return undefined
  }
  return draft
}

/** Anybody may have written there: only what has the right shape is taken, and names become keys of a Map. */
function checked(text: string): Draft | undefined {
  try {
    const { at, path, page, form, values } = JSON.parse(text) as Record<keyof Draft, unknown>
    const good = typeof at === 'number' && typeof path === 'string' && /^\/(?!\/)/.test(path) && isText(page) && isText(form) && Array.isArray(values)
    const pairs = good && (values as unknown[]).filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === 'string')
    return pairs ? { at, path, page: page as Text, form: form as Text, values: new Map(pairs) } : undefined
  } catch {
    return undefined
  }
}
const isText = (value: unknown): value is Text => Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string'
