import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useRef, useState } from 'react'
import { bare } from '../../contract/blank.ts'
import type { Call } from '../../contract/call.ts'
import { type Refusal, ask, newKey } from '../ask.ts'
import type { FormProps } from './FormDialog.tsx'
import { confirm, toast } from '../page/hosts.tsx'
import type { Say, Text } from '../text.ts'
import { type Shape, shapesOf } from '../value.tsx'

const SAVED: Text = ['已保存', 'Saved']
const DONE: Text = ['操作成功', 'Done']
/** Sends what was edited with the rest of the call's input. Every try of the same content carries the same key, so that a lost answer does nothing twice. */
export function useSaving<T extends object, I extends object>(
  { save, value, also, changes, act, done, onSaved, onClose }: FormProps<T, I>,
  form: FormInstance,
  settle: () => void,
) {
  const cache = useQueryClient()
  const submit = useRef({ content: '', key: '' })
  const base = useRef<object>({ ...value, ...also })
  const [theirs, setTheirs] = useState<object>()
  const [pointed, setPointed] = useState(false)
  const renew = () => Promise.all(changes.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
  const saving = useMutation<unknown, Refusal, object>({
    mutationFn: (edited) => {
      const input = inputOf(save, { ...base.current, ...edited })
      const content = JSON.stringify(input)
      if (submit.current.content !== content) submit.current = { content, key: newKey() }
      return ask(save, input, { key: submit.current.key, quiet: true })
    },
    onSuccess: async (reply) => {
      settle()
      onSaved?.(reply)
      await renew()
      if (done ?? !onSaved) toast('success', done ?? (act ? DONE : SAVED))
      onClose()
    },
    onError: async (refusal) => {
      if (refusal.isAnswer) submit.current = { content: '', key: '' }
      if (!refusal.stale) return setPointed(pointOut(form, refusal))
      await renew()
      setTheirs(latestOf(cache, changes, refusal.data, value))
    },
  })
  const latest = async () => {
    settle()
    await renew()
    onClose()
  }
  /** From here on it is a change of the record as it is now. */
  const takeOver = () => {
    base.current = { ...base.current, ...theirs }
    setTheirs(undefined)
  }
  return { ...saving, theirs, pointed, latest, takeOver }
}

/** A refusal that names what was typed (S-1 已存在) is said at that field, and nowhere else. */
function pointOut(form: FormInstance, { data, message }: Refusal): boolean {
  const typed = form.getFieldsValue() as Record<string, unknown>
  const names = Object.entries(data ?? {}).flatMap(([name, value]) => (name in typed && typed[name] === value ? [name] : []))
  if (names.length === 0) return false
  form.setFields(names.map((name) => ({ name, errors: [message] })))
  form.scrollToField(names[0], { focus: true })
  return true
}

/** The record as it is now: the server said it with the refusal, or it stands in a list that has just been asked again. */
export function latestOf(cache: QueryClient, changes: readonly Call<any, any>[], said: unknown, value: object): object | undefined {
  const { id } = value as { id?: string }
  const isIt = (row: unknown): row is object => typeof row === 'object' && row !== null && (row as { id?: string }).id === id && 'version' in row
  if (id === undefined) return undefined
  if (isIt(said)) return said
  const known = changes.flatMap((call) => cache.getQueriesData({ queryKey: [call.id] }).map(([, data]) => data))
  const rows = known.flatMap((data) => (data as { records?: unknown[] } | undefined)?.records ?? data)
  return rows.filter(isIt).sort((a, b) => (b as { version: number }).version - (a as { version: number }).version)[0]
}

/** Of all that is at hand, what the call names. An emptied field is sent as none where the field may be none, else left out. */
export function inputOf<I>(save: Call<I, unknown>, have: Record<string, unknown>): I {
  const shapes = shapesOf(save.input)
  const entries = Object.keys(shapes).flatMap((key): [string, unknown][] => {
    const value = have[key]
    if (value !== undefined && value !== null && !isBlank(shapes[key]!, value)) return [[key, value]]
    return shapes[key]!['x-none'] && key in have ? [[key, null]] : []
  })
  return Object.fromEntries(entries) as I
}

/** Of what is typed the server cuts blanks, so that blanks alone are none. */
const isBlank = (shape: Shape, value: unknown) => typeof value === 'string' && (shape['x-typed'] ? bare(value) : value) === ''

/** Enter twice, or a second press before the button knows of the first: it is sent once. What was refused stands in the dialog. */
export function useOnce<I>(work: (input: I) => Promise<unknown>) {
  const busy = useRef(false)
  return async (input: I) => {
    if (busy.current) return
    busy.current = true
    await work(input).catch(() => {})
    busy.current = false
  }
}
/** Where it goes to people: to how many, before it goes. What could not be counted was said by `ask`, and nothing is sent. */
export async function isSure<I>({ sure }: Pick<FormProps<object, I>, 'sure'>, edited: Partial<I>, act: Text, say: Say): Promise<boolean> {
  const question = await sure?.(edited as never)
  return !question || confirm({ title: say(question), okText: say(act), cancelText: say(['继续编辑', 'Keep editing']) })
}
