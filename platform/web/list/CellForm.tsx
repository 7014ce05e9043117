import { useQueryClient } from '@tanstack/react-query'
import { Form, type FormInstance, Popover } from 'antd'
import { cloneElement, type KeyboardEvent, type ReactElement, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { neededOf } from '../../contract/field.ts'
import { ask, newKey, type Refusal } from '../ask.ts'
import type { CellsOf } from './Cell.tsx'
import { boundsOf, inputOf, latestOf, rulesOf, STALE } from '../form/FormDialogBody.tsx'
import { inputFor } from '../form/formInputs.tsx'
import StaleMerge from '../form/StaleMerge.tsx'
import { useText } from '../text.ts'
import { labelOf, type Shape, Value } from '../value.tsx'

interface Props {
  cells: CellsOf<object>
  shape: Shape
  name: string
  row: object
  onClose: () => void
}

/** Sends the one field with what its call cannot do without; what is refused stays typed. `save` says whether the cell may close. */
function useCellSaving({ cells, shape, name, row }: Omit<Props, 'onClose'>, form: FormInstance) {
  const say = useText()
  const cache = useQueryClient()
  const base = useRef(row as Record<string, unknown>)
  const submit = useRef({ content: '', key: '' })
  const [saving, setSaving] = useState(false)
  const [theirs, setTheirs] = useState<Record<string, unknown>>()
  const renew = () => Promise.all(cells.changes.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
  const refused = async (refusal: Refusal, typed: unknown) => {
    if (refusal.isAnswer) submit.current = { content: '', key: '' }
    if (!refusal.stale) return form.setFields([{ name, errors: [refusal.message] }])
    await renew()
    const latest = latestOf(cache, cells.changes, refusal.data, row) as Record<string, unknown> | undefined
    if (latest) setTheirs({ ...latest, [MINE]: typed })
    else form.setFields([{ name, errors: [say(STALE)] }])
  }
  const inputWith = (typed: unknown) => {
    const needed = ['id', 'version', ...neededOf(cells.save.input)]
    return inputOf(cells.save, { ...Object.fromEntries(needed.map((key) => [key, base.current[key]])), [name]: typed })
  }
  const save = async (): Promise<boolean> => {
    const typed = await form.validateFields().then(
      (values) => values[name] as unknown,
      () => INVALID,
    )
    if (typed === INVALID || saving) return false
    if ((typed === '' ? null : (typed ?? null)) === (base.current[name] ?? null)) return true
    const input = inputWith(typed)
    const content = JSON.stringify(input)
    if (submit.current.content !== content) submit.current = { content, key: newKey() }
    setSaving(true)
    try {
      await ask(cells.save, input, { key: submit.current.key, quiet: true })
      await renew()
      return true
    } catch (error) {
      await refused(error as Refusal, typed)
      return false
    } finally {
      setSaving(false)
    }
  }
  /** From here on it is a change of the record as it is now. */
  const takeOver = () => {
    base.current = theirs!
    setTheirs(undefined)
    return save()
  }
  return { shape, saving, theirs, save, takeOver }
}

/** Enter saves, Esc leaves it as it was, Tab saves and goes on to the next cell. What is refused stays typed, with the reason under it; whoever was first is shown as in the form. */
export default function CellForm({ onClose, ...cell }: Props) {
  const say = useText()
  const [form] = Form.useForm()
  const box = useRef<HTMLDivElement>(null)
  const asked = useRef<HTMLDivElement>(null)
  const { shape, name, row } = cell
  const saving = useCellSaving(cell, form)
  const label = say(labelOf(shape))
  // A field that was shut while its change was sent has lost the focus.
  useLayoutEffect(() => {
    if (!saving.saving) focusIn(box)
  }, [saving.saving])
  const hear = (event: KeyboardEvent, chosen = false) => {
    if (event.nativeEvent.isComposing) return
    if (!['Escape', 'Enter', 'Tab'].includes(event.key)) return
    // An open list of choices takes these keys first: Enter and Tab choose, Esc leaves it. Tab comes back here then.
    if (!chosen && box.current!.querySelector('[role=combobox][aria-expanded=true]')) return
    event.stopPropagation()
    event.preventDefault()
    if (event.key === 'Escape') return onClose()
    const next = event.key === 'Tab' ? nextTo(box.current!, event.shiftKey ? -1 : 1) : undefined
    void saving.save().then((saved) => {
      if (!saved) return
      // Closed first, at once: the pencil of this cell takes the focus when it comes back, and would take it from the next one.
      flushSync(onClose)
      next?.click()
    })
  }
  const chosen = (theirs: ReadonlySet<string>) => {
    if (theirs.has(name)) return onClose()
    void saving.takeOver().then((saved) => saved && onClose())
  }
  const merge = saving.theirs && <Merge box={asked} cell={cell} theirs={saving.theirs} onLatest={onClose} onChosen={chosen} />
  return (
    <Popover open={merge !== undefined} content={merge} trigger={[]} placement="bottomLeft" afterOpenChange={(opened) => opened && focusIn(asked)}>
      <div
        ref={box}
        className="cell-form"
        aria-busy={saving.saving}
        onClick={(event) => event.stopPropagation()}
        onKeyDownCapture={(event) => hear(event)}
        onKeyDown={(event) => event.key === 'Tab' && hear(event, true)}
      >
        <Form form={form} component={false} initialValues={{ [name]: (row as Record<string, unknown>)[name] ?? undefined }} disabled={saving.saving}>
          <Form.Item name={name} rules={[...rulesOf(shape, label, say, !shape['x-none']), ...boundsOf(shape, label, say)]}>
            <Control shape={shape} label={label} />
          </Form.Item>
        </Form>
      </div>
    </Popover>
  )
}

interface MergeProps {
  box: RefObject<HTMLDivElement | null>
  cell: Omit<Props, 'onClose'>
  theirs: Record<string, unknown>
  onLatest: () => void
  onChosen: (theirs: ReadonlySet<string>) => void
}
/** What is clicked in it is no click on the row. */
function Merge({ box, cell: { shape, name }, theirs, onLatest, onChosen }: MergeProps) {
  const say = useText()
  const draw = (value: unknown) => <Value shape={shape} value={value} />
  const field = { name, label: labelOf(shape), mine: draw(theirs[MINE]), theirs: draw(theirs[name]), untouched: false }
  return (
    <div ref={box} onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.key === 'Escape' && onLatest()}>
      <StaleMerge title={say(STALE)} fields={[field]} onLatest={onLatest} onChosen={onChosen} />
    </div>
  )
}

/** What the form of the row has for such a field; a closed list is open, and proposes nothing that does not stand there. */
function Control({ shape, label, ...given }: { shape: Shape; label: string }) {
  const say = useText()
  return cloneElement(
    inputFor(shape, say) as ReactElement<object>,
    { ...given, ...(shape['x-dictionary'] && { defaultOpen: true, defaultActiveFirstOption: false }), size: 'small', 'aria-label': label } as object,
  )
}
const focusIn = ({ current }: RefObject<HTMLDivElement | null>) => current?.querySelector<HTMLElement>('input, textarea, button')?.focus()
const MINE = ' mine'
const INVALID = Symbol('invalid')

/** The cell before or behind, over the rows too. */
function nextTo(box: HTMLElement, by: 1 | -1): HTMLElement | undefined {
  const all = [...(box.closest('.ant-table-tbody') ?? document).querySelectorAll<HTMLElement>('.cell-edit, .cell-form')]
  return all[all.indexOf(box) + by]
}
