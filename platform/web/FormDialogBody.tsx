import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Modal } from 'antd'
import type { Rule } from 'antd/es/form'
import { cloneElement, useId, useRef } from 'react'
import type { Call } from '../contract/call.ts'
import { ask, newKey, type Refusal } from './ask.ts'
import type { FormField, FormProps, Mode } from './FormDialog.tsx'
import { confirm, toast } from './hosts.tsx'
import { inputFor } from './formInputs.tsx'
import { usePage } from './page.tsx'
import { RequestId } from './states.tsx'
import { type Say, type Text, useText } from './text.ts'
import { unsaved } from './unsaved.ts'
import { isNumber, isOf, labelOf, type Shape, shapesOf, Value } from './value.tsx'

const titles: Record<Mode, Text> = { view: ['查看', 'View'], edit: ['编辑', 'Edit'], new: ['新增', 'New'] }

/** Edits what the fields name, 60 % wide with labels of 125 px. Leaving with changes asks; a refusal keeps what was typed; mount it when it opens, unmount it in `onClose`. */
export default function FormDialogBody<T extends object, I extends object>(props: FormProps<T, I>) {
  const { title, entity, fields, mode, value, save, act, onClose } = props
  const say = useText()
  const [form] = Form.useForm()
  const name = useId()
  const shapes = { ...shapesOf(save.input), ...shapesOf(entity) }
  const { path } = usePage()
  const saving = useSaving(props, () => unsaved.on(path, false))
  const leave = async () => {
    if (mode !== 'view' && form.isFieldsTouched() && !(await askToDiscard(say))) return
    unsaved.on(path, false)
    onClose()
  }
  return (
    <Modal
      open
      title={say(title ?? titles[mode])}
      width="60%"
      mask={{ closable: false }}
      onCancel={leave}
      footer={
        mode === 'view' ? (
          <Button onClick={onClose}>{say(['关闭', 'Close'])}</Button>
        ) : (
          <>
            <Button onClick={leave}>{say(['取消', 'Cancel'])}</Button>
            <Button type="primary" loading={saving.isPending} onClick={form.submit}>
              {say(act ?? ['保存', 'Save'])}
            </Button>
          </>
        )
      }
    >
      {saving.error && <Refused error={saving.error} shapes={shapes} onLatest={saving.latest} />}
      <Form
        form={form}
        name={name}
        className="dialog"
        initialValues={value}
        labelCol={{ flex: '125px' }}
        labelWrap
        colon={false}
        scrollToFirstError
        disabled={mode === 'view'}
        onValuesChange={() => unsaved.on(path, true)}
        onFinish={(values) => saving.mutate(values)}
        onFinishFailed={() => toast('warning', ['请检查表单是否填写完整', 'Please check that the form is complete'])}
      >
        {fields.map((field) => {
          const own: Exclude<FormField<string>, string> = typeof field === 'string' ? { name: field } : field
          const shape = shapes[own.name]!
          const label = say(own.label ?? labelOf(shape))
          const shown = mode === 'view' && !own.control
          return (
            <Form.Item
              key={own.name}
              name={own.name}
              label={label}
              rules={mode === 'view' ? [] : rulesOf(shape, label, say, own.optional === true || !isNeeded(save, own.name))}
              extra={own.help && say(own.help)}
              {...(isOf(shape, 'boolean') && !shown && !own.control && { valuePropName: 'checked' })}
            >
              {shown ? <Shown shape={shape} of={value} /> : own.control ? cloneElement(own.control) : inputFor(shape, say)}
            </Form.Item>
          )
        })}
      </Form>
    </Modal>
  )
}
const Shown = ({ shape, value, of }: { shape: Shape; value?: unknown; of: object }) => <Value shape={shape} value={value} of={of} />

const askToDiscard = (say: Say) =>
  confirm({
    title: say(['放弃未保存的修改？', 'Discard the unsaved changes?']),
    okText: say(['放弃修改', 'Discard']),
    cancelText: say(['继续编辑', 'Keep editing']),
  })

/** Sends what was edited with the rest of the call's input. Every try of the same content carries the same key, so that a lost answer does nothing twice. */
function useSaving<T extends object, I extends object>({ save, value, also, changes, done, onSaved, onClose }: FormProps<T, I>, settle: () => void) {
  const cache = useQueryClient()
  const submit = useRef({ content: '', key: '' })
  const renew = () => Promise.all(changes.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
  const saving = useMutation<unknown, Refusal, object>({
    mutationFn: (edited) => {
      const input = inputOf(save, { ...value, ...also, ...edited })
      const content = JSON.stringify(input)
      if (submit.current.content !== content) submit.current = { content, key: newKey() }
      return ask(save, input, { key: submit.current.key })
    },
    onSuccess: async (reply) => {
      settle()
      onSaved?.(reply)
      await renew()
      if (done) toast('success', done)
      onClose()
    },
    onError: (refusal) => {
      // The server answered and refused: the next try is a new one. Without an answer it is the same.
      if (refusal.status >= 400 && refusal.status < 500) submit.current = { content: '', key: '' }
    },
  })
  const latest = async () => {
    await renew()
    onClose()
  }
  return { ...saving, latest }
}

const isNeeded = (save: Call<any, unknown>, name: string) => (save.input as unknown as { required?: string[] }).required?.includes(name) ?? true

/** Of all that is at hand, what the call names. An emptied field is sent as none where the field may be none, else left out. */
function inputOf<I>(save: Call<I, unknown>, have: Record<string, unknown>): I {
  const shapes = shapesOf(save.input)
  const entries = Object.keys(shapes).flatMap((key): [string, unknown][] => {
    const value = have[key]
    if (value !== undefined && value !== null && value !== '') return [[key, value]]
    return shapes[key]!['x-none'] && key in have ? [[key, null]] : []
  })
  return Object.fromEntries(entries) as I
}

function Refused({ error, shapes, onLatest }: { error: Refusal; shapes: Record<string, Shape>; onLatest: () => void }) {
  const say = useText()
  const stale = error.stale
  const title = stale
    ? say([
        '别人刚刚改过这条记录，没有保存。您填的内容还在。',
        'Somebody has just changed this record; nothing was saved. What you typed is still here.',
      ])
    : error.message
  const now = stale ? Object.entries((error.data ?? {}) as Record<string, unknown>).filter(([key]) => shapes[key]) : []
  return (
    <Alert
      showIcon
      className="refused"
      type={stale ? 'warning' : 'error'}
      title={title}
      description={
        <>
          {now.map(([key, value]) => (
            <div key={key}>
              {say(labelOf(shapes[key]!))}: <Value shape={shapes[key]!} value={value} />
            </div>
          ))}
          <RequestId id={error.requestId} />
        </>
      }
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

/** antd names the rule that fails; the sentence is ours, from the field's own bounds. */
export function rulesOf(shape: Shape, name: string, say: Say, optional: boolean): Rule[] {
  const { maxLength, minimum, maximum, pattern } = shape
  const rules: Rule[] = []
  if (!shape['x-none'] && !optional) rules.push({ required: true, message: say([`请填写${name}`, `${name} is needed`]) })
  if (maxLength) rules.push({ max: maxLength, message: say([`${name}最多 ${maxLength} 个字`, `${name}: at most ${maxLength} characters`]) })
  if (isNumber(shape) && shape['x-unit'] !== 'fen' && minimum !== undefined && maximum !== undefined) {
    const message = say([`${name}应在 ${minimum} 至 ${maximum} 之间`, `${name}: from ${minimum} to ${maximum}`])
    rules.push({ type: 'number', min: minimum, max: maximum, message })
  }
  if (pattern) rules.push({ pattern: new RegExp(pattern), message: say([`${name}的格式不对`, `${name} has the wrong form`]) })
  return rules
}
