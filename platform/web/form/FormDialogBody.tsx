import { Alert, Button, Form, type FormInstance, Modal } from 'antd'
import { useId } from 'react'
import { useClosing } from './closing.ts'
import { Fill, type FormProps } from './FormDialog.tsx'
import { titleOf } from './formParts.ts'
import { toast } from '../page/hosts.tsx'
import { type Text, useText } from '../text.ts'
import { shapesOf } from '../value.tsx'
import { Fields } from './FormFields.tsx'
import { enterChooses, focusFirst, useFocusBack } from './formFocus.ts'
import { DraftOffer, useDraft } from './formDraft.tsx'
import { isSure, useOnce, useSaving } from './formSaving.ts'
import { Trouble } from './FormTrouble.tsx'

export { boundsOf, rulesOf } from './fieldRules.ts'
export { inputOf, latestOf } from './formSaving.ts'
export { STALE } from './FormTrouble.tsx'

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

/** As a hand would: what is put in is checked, and kept as a draft. */
const filling = (form: FormInstance, keep: () => void) => (values: Readonly<Record<string, unknown>>) => {
  form.setFieldsValue(values)
  keep()
  void form.validateFields(Object.keys(values)).catch(() => {})
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
