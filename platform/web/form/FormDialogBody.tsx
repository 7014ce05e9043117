import { plural } from '../../contract/plural.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, type FormInstance, Modal } from 'antd'
import type { Rule } from 'antd/es/form'
import { cloneElement, type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { bare } from '../../contract/blank.ts'
import type { Call } from '../../contract/call.ts'
import { patternWords } from '../../contract/patterns.ts'
import { comesBack, isCovered } from '../../contract/personal.ts'
import { ask, newKey, type Refusal } from '../ask.ts'
import { missing, outOfBounds } from './bounds.ts'
import { useClosing } from './closing.ts'
import { draftName, draftOf, dropDraft, keepDraft } from './drafts.ts'
import { Fill, type FormProps, type Mode, type OwnField } from './FormDialog.tsx'
import { ownOf, partsOf, titleOf } from './formParts.ts'
import { time } from '../format.ts'
import { useUnsaved } from './guard.ts'
import { confirm, toast } from '../page/hosts.tsx'
import { inputFor } from './formInputs.tsx'
import { usePage } from '../page/page.tsx'
import type { Differs } from './StaleMerge.tsx'
import { RequestId } from '../page/states.tsx'
import { type Say, type Text, useText } from '../text.ts'
import { isNumber, isOf, labelOf, type Shape, shapesOf, Value, WholeValue } from '../value.tsx'

const StaleMerge = lazy(() => import('./StaleMerge.tsx'))
/** A telephone has no room beside a dialog. */
const WIDTH = { xs: '100%', md: '60%' }

/**
 * Edits what the fields name, 60 % wide with labels of 125 px. Leaving with changes asks; what is typed is kept as a draft; a refusal keeps what was typed;
 * mount it when it opens, unmount it in `onClose`.
 */
export default function FormDialogBody<T extends object, I extends object>(props: FormProps<T, I>) {
  const { entity, mode, value, save, gone, onClose } = props
  const say = useText()
  const [form] = Form.useForm()
  const name = useId()
  const shapes = { ...shapesOf(save.input), ...shapesOf(entity) }
  const title = props.title ?? titleOf(mode, (entity as { label?: Text }).label, value)
  const draft = useDraft(props, title, form)
  const saving = useSaving(props, form, draft.settle)
  const act = useAct(props.act, form)
  useClosing(gone, () => over())
  useFocusBack()
  const send = useOnce(async (values: Partial<I>) => (await isSure(props, values, act, say)) && saving.mutateAsync(values))
  const over = () => [draft.settle(), onClose()]
  const leave = () => void draft.leave(over)
  const chosen = (theirs: ReadonlySet<string>) => {
    const latest = saving.theirs as Record<string, unknown>
    form.setFieldsValue(Object.fromEntries([...theirs].map((one) => [one, latest[one]])))
    saving.takeOver()
    form.submit()
  }
  const footer =
    mode === 'view' || gone ? (
      <Button onClick={over}>{say(['关闭', 'Close'])}</Button>
    ) : (
      <Buttons act={act} saving={saving.isPending} waits={props.waits === true} form={name} onLeave={leave} />
    )
  return (
    <Modal
      open
      rootClassName="form-dialog"
      title={say(title)}
      width={WIDTH}
      mask={{ closable: false }}
      onCancel={leave}
      footer={footer}
      afterOpenChange={(open) => open && focusFirst(name)}
    >
      {props.about}
      {gone && <Alert showIcon className="refused" type="warning" title={say(gone)} />}
      {draft.found && <DraftOffer at={draft.found.at} onRestore={draft.restore} onDrop={draft.drop} />}
      <Trouble props={props} shapes={shapes} form={form} saving={saving} onChosen={chosen} />
      <Form
        form={form}
        name={name}
        className="dialog"
        initialValues={value}
        labelCol={{ flex: '125px' }}
        labelWrap
        colon={false}
        scrollToFirstError={{ focus: true }}
        validateTrigger={WHEN_CHECKED}
        disabled={mode === 'view' || gone !== undefined}
        onValuesChange={draft.keep}
        onKeyDown={enterChooses}
        onFinish={send}
        onFinishFailed={() => toast('warning', ['请检查表单是否填写完整', 'Please check that the form is complete'])}
      >
        <Fill value={filling(form, draft.keep)}>
          <Fields of={props} shapes={shapes} />
          {props.below}
        </Fill>
      </Form>
    </Modal>
  )
}

function Fields({ of: { fields, mode, value, save }, shapes }: { of: FormProps<any, any>; shapes: Record<string, Shape> }) {
  return partsOf(fields).map(({ heading, fields }) => (
    <Part key={heading?.[1] ?? ''} heading={heading}>
      {fields.map((own) => (
        <Line key={own.name} own={own} shape={shapes[own.name]!} mode={mode} value={value} needed={isNeeded(save, own.name)} />
      ))}
    </Part>
  ))
}

/** Enter in a list or a calendar chooses what stands there; only in an input it sends the form. */
const enterChooses = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && (event.target as HTMLElement).closest('.ant-select, .ant-picker')) event.preventDefault()
}

/** As a hand would: what is put in is checked, and kept as a draft. */
const filling = (form: FormInstance, keep: () => void) => (values: Readonly<Record<string, unknown>>) => {
  form.setFieldsValue(values)
  keep()
  void form.validateFields(Object.keys(values)).catch(() => {})
}

const FIELDS = 'input:not([type=hidden], :disabled), textarea:not(:disabled)'
/**
 * Whoever opened it types: not on the button that closes it, where the dialog would put them. A control may have taken the focus by itself; on a telephone the keys
 * would cover what is read first, and a calendar would open by itself.
 */
function focusFirst(form: string): void {
  const box = document.getElementById(form)
  const field = box?.querySelector<HTMLInputElement>(FIELDS)
  if (!field || box!.contains(document.activeElement) || matchMedia('(pointer: coarse)').matches || opensByItself(field)) return
  field.focus({ preventScroll: true })
  if (field.type === 'text') field.setSelectionRange(field.value.length, field.value.length)
}
/** A calendar, also where it stands only for one that comes with the focus; a choice opens when it is pressed. */
const opensByItself = (field: HTMLInputElement) => field.closest('.ant-picker') !== null || (field.readOnly && field.closest('.ant-select') === null)
/** Closed, the focus is where it was before: on the row's or the card's button. */
function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    return () => {
      if (document.activeElement === document.body) before?.focus({ preventScroll: true })
    }
  }, [])
}

interface ButtonsProps {
  act: Text
  saving: boolean
  waits: boolean
  form: string
  onLeave: () => void
}
/** The button stands outside the form and sends it: so does Enter in one of its inputs. */
function Buttons({ act, saving, waits, form, onLeave }: ButtonsProps) {
  const say = useText()
  return (
    <>
      <Button onClick={onLeave}>{say(['取消', 'Cancel'])}</Button>
      <Button type="primary" loading={saving} disabled={waits} htmlType="submit" form={form}>
        {say(act)}
      </Button>
    </>
  )
}

interface TroubleProps {
  props: FormProps<any, any>
  shapes: Record<string, Shape>
  form: FormInstance
  saving: ReturnType<typeof useSaving>
  onChosen: (theirs: ReadonlySet<string>) => void
}
/** Why it was not saved: somebody else was first, or a refusal. */
function Trouble({ props, shapes, form, saving, onChosen }: TroubleProps) {
  const say = useText()
  if (!saving.error || saving.pointed) return null
  if (!saving.theirs) return <Refused error={saving.error} onLatest={saving.latest} />
  return (
    <Suspense>
      <StaleMerge
        title={say(STALE)}
        fields={differing(props, shapes, form.getFieldsValue(true), saving.theirs as Record<string, unknown>)}
        onLatest={saving.latest}
        onChosen={onChosen}
      />
    </Suspense>
  )
}

/** The button's words; by what is typed where they depend on it. */
function useAct<I>(act: FormProps<object, I>['act'], form: FormInstance): Text {
  const edited = Form.useWatch((values: object) => (typeof act === 'function' ? act(values as Partial<I>).join(SPLIT) : ''), form)
  if (typeof act !== 'function') return act ?? ['保存', 'Save']
  return (edited ? (edited.split(SPLIT) as unknown as Text) : undefined) ?? act({})
}
/** A watched value is compared by what it is: words, not a pair of them. */
const SPLIT = '\n'

/** A needed field says so when it is left, what was typed while it is typed. */
const WHEN_CHECKED = ['onChange', 'onBlur']

/** A section has its heading and two columns for what is short; a form without sections has neither. */
function Part({ heading, children }: { heading: Text | undefined; children: ReactNode }) {
  const say = useText()
  const name = useId()
  if (!heading) return children
  return (
    <section className="form-part" aria-labelledby={name}>
      <h3 id={name}>{say(heading)}</h3>
      <div>{children}</div>
    </section>
  )
}

interface LineProps {
  own: OwnField<string>
  shape: Shape
  mode: Mode
  value: object
  needed: boolean
}
function Line({ own, shape, mode, value, needed }: LineProps) {
  const say = useText()
  const label = say(own.label ?? labelOf(shape))
  const shown = mode === 'view' && !own.control
  const before = (value as Record<string, unknown>)[own.name]
  const help = own.help ?? (mode === 'edit' && comesBack(shape['x-personal']) && isCovered(before) ? COVERED : undefined)
  const rules =
    mode === 'view'
      ? []
      : [
          ...rulesOf(shape, label, say, own.needed ?? (needed && own.optional !== true && !shape['x-none'])),
          ...wholeUnless(before, shape, label, say),
          ...besideOthers(own, say),
          ...boundsOf(shape, label, say, own.per),
        ]
  return (
    <>
      <Form.Item
        name={own.name}
        label={label}
        rules={rules}
        validateFirst
        extra={help && say(help)}
        {...(own.half && { className: 'half' })}
        {...(own.beside && { dependencies: [...own.beside] })}
        {...(isOf(shape, 'boolean') && !shown && !own.control && { valuePropName: 'checked' })}
      >
        {shown ? <WholeValue shape={shape} of={value} /> : own.control ? cloneElement(own.control) : inputFor(shape, say, own.secret)}
      </Form.Item>
      {own.under}
    </>
  )
}

const besideOthers = ({ check }: OwnField<string>, say: Say): Rule[] =>
  check
    ? [
        ({ getFieldsValue }) => ({
          validator: () => {
            const fault = check(getFieldsValue(true) as Record<string, unknown>)
            return fault ? Promise.reject(new Error(say(fault))) : Promise.resolve()
          },
        }),
      ]
    : []

const COVERED: Text = ['部分内容已隐藏；不修改则保持原值', 'Partly hidden; the value is kept unless you change it']
/** Of a covered value nobody knows the middle: it is left, or written anew. */
const wholeUnless = (before: unknown, shape: Shape, name: string, say: Say): Rule[] =>
  comesBack(shape['x-personal'])
    ? [
        {
          validator: (_, value) =>
            isCovered(value) && value !== before
              ? Promise.reject(new Error(say([`${name}含有星号，请填写完整内容`, `${name} contains asterisks; enter it in full`])))
              : Promise.resolve(),
        },
      ]
    : []

/** Enter twice, or a second press before the button knows of the first: it is sent once. What was refused stands in the dialog. */
function useOnce<I>(work: (input: I) => Promise<unknown>) {
  const busy = useRef(false)
  return async (input: I) => {
    if (busy.current) return
    busy.current = true
    await work(input).catch(() => {})
    busy.current = false
  }
}
/** Where it goes to people: to how many, before it goes. What could not be counted was said by `ask`, and nothing is sent. */
async function isSure<I>({ sure }: Pick<FormProps<object, I>, 'sure'>, edited: Partial<I>, act: Text, say: Say): Promise<boolean> {
  const question = await sure?.(edited as never)
  return !question || confirm({ title: say(question), okText: say(act), cancelText: say(['继续编辑', 'Keep editing']) })
}

/** What is typed, kept in this browser until it is saved or given up; offered when the same form opens again. */
function useDraft<T extends object, I extends object>({ mode, value, save, fields }: FormProps<T, I>, title: Text, form: FormInstance) {
  const page = usePage()
  const name = draftName(save.id, value)
  const names: string[] = fields
    .map(ownOf)
    .filter(({ secret }) => !secret)
    .map(({ name }) => name)
  const [found, setFound] = useState(() => (mode === 'view' ? undefined : draftOf(name)))
  const [changed, setChanged] = useState(false)
  const [drafted, setDrafted] = useState(false)
  const guard = useUnsaved(changed, { drafted })
  const settle = () => {
    setChanged(false)
    guard.settle()
    dropDraft(name)
  }
  const keep = () => {
    setChanged(true)
    const values = form.getFieldsValue(true) as Record<string, unknown>
    const typed = new Map(names.map((one) => [one, values[one]]))
    setDrafted(keepDraft(name, { at: Date.now(), path: page.path, page: page.title, form: title, values: typed }))
  }
  const restore = () => {
    form.setFieldsValue(Object.fromEntries(names.filter((one) => found!.values.has(one)).map((one) => [one, found!.values.get(one)])))
    setChanged(true)
    setDrafted(true)
    setFound(undefined)
  }
  const drop = () => {
    dropDraft(name)
    setFound(undefined)
  }
  return { found, keep, restore, drop, settle, leave: guard.leave }
}

function DraftOffer({ at, onRestore, onDrop }: { at: number; onRestore: () => void; onDrop: () => void }) {
  const say = useText()
  const when = time(new Date(at))
  return (
    <Alert
      showIcon
      className="refused"
      type="info"
      title={say([`有一份 ${when} 未保存的草稿`, `Unsaved draft from ${when}`])}
      action={
        <>
          <Button size="small" type="primary" onClick={onRestore}>
            {say(['恢复', 'Restore'])}
          </Button>{' '}
          <Button size="small" onClick={onDrop}>
            {say(['丢弃', 'Discard'])}
          </Button>
        </>
      }
    />
  )
}

const SAVED: Text = ['已保存', 'Saved']
const DONE: Text = ['操作成功', 'Done']
/** Sends what was edited with the rest of the call's input. Every try of the same content carries the same key, so that a lost answer does nothing twice. */
function useSaving<T extends object, I extends object>(
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

/** Fields in which what was typed and what stands there now are not the same. */
function differing<T extends object, I extends object>(
  { fields, value }: FormProps<T, I>,
  shapes: Record<string, Shape>,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): Differs[] {
  const before = value as Record<string, unknown>
  return fields.flatMap((field): Differs[] => {
    const own: OwnField<string> = ownOf(field)
    const { name, control } = own
    if (!(name in theirs) || isSame(mine[name], theirs[name])) return []
    const shape = shapes[name]!
    const draw = (of: unknown) => (control ? cloneElement(control, { value: of, disabled: true } as object) : <Value shape={shape} value={of} />)
    return [
      { name, label: own.label ?? labelOf(shape), mine: draw(mine[name]), theirs: draw(theirs[name]), untouched: isSame(mine[name], before[name]) },
    ]
  })
}
const isSame = (a: unknown, b: unknown) => JSON.stringify(a === '' ? null : (a ?? null)) === JSON.stringify(b === '' ? null : (b ?? null))

const isNeeded = (save: Call<any, unknown>, name: string) => (save.input as unknown as { required?: string[] }).required?.includes(name) ?? true

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

function Refused({ error, onLatest }: { error: Refusal; onLatest: () => void }) {
  const say = useText()
  const { stale } = error
  return (
    <Alert
      showIcon
      className="refused"
      type={stale ? 'warning' : 'error'}
      title={stale ? say(STALE) : error.message}
      description={<RequestId id={error.requestId} />}
      action={
        stale && (
          <Button size="small" onClick={onLatest}>
            {say(['看最新的', 'Show the latest'])}
          </Button>
        )
      }
    />
  )
}
export const STALE: Text = [
  '别人刚刚改过这条记录，没有保存。您填的内容还在。',
  'Someone has just changed this record; nothing was saved. What you entered is still here.',
]

/** Of what is typed the server cuts blanks, so that blanks alone are none. */
const isBlank = (shape: Shape, value: unknown) => typeof value === 'string' && (shape['x-typed'] ? bare(value) : value) === ''

/** antd names the rule that fails; the sentence is ours, from the field's own bounds. */
/** As the server says it. */
function wrongForm(pattern: string, name: string): Text {
  const [zh, en] = patternWords(pattern) ?? []
  return zh ? [`${name}应为${zh}`, `${name} must be ${en}`] : [`${name}的格式不对`, `${name} has the wrong format`]
}
export function rulesOf(shape: Shape, name: string, say: Say, needed: boolean): Rule[] {
  const { maxLength, pattern } = shape
  const rules: Rule[] = []
  // Looked at as the server takes it.
  const typed = shape['x-typed'] && { transform: (value: unknown) => (typeof value === 'string' ? bare(value) : value) }
  if (needed) rules.push({ required: true, message: say(missing(shape, name)), ...typed })
  if (maxLength)
    rules.push({
      max: maxLength,
      message: say([`${name}最多 ${maxLength} 个字`, `${name}: at most ${maxLength} ${plural(maxLength, 'character')}`]),
      ...typed,
    })
  // oxlint-disable-next-line security/detect-non-literal-regexp -- a pattern of the contract
  if (pattern) rules.push({ pattern: new RegExp(pattern), message: say(wrongForm(pattern, name)), ...typed })
  return rules
}
/** A number beyond its bounds stays as it was typed; the field says them. */
export const boundsOf = (shape: Shape, name: string, say: Say, per?: number): Rule[] =>
  isNumber(shape)
    ? [
        {
          validator: (_, value) => {
            const fault = typeof value === 'number' ? outOfBounds(shape, value, name, per) : undefined
            return fault ? Promise.reject(new Error(say(fault))) : Promise.resolve()
          },
        },
      ]
    : []
