import { Alert, Button, type FormInstance } from 'antd'
import { useState } from 'react'
import { draftName, draftOf, dropDraft, keepDraft } from './drafts.ts'
import type { FormProps } from './FormDialog.tsx'
import { ownOf } from './formParts.ts'
import { time } from '../format.ts'
import { useUnsaved } from './guard.ts'
import { usePage } from '../page/page.tsx'
import { type Text, useText } from '../text.ts'

/** What is typed, kept in this browser until it is saved or given up; offered when the same form opens again. */
export function useDraft<T extends object, I extends object>({ mode, value, save, fields }: FormProps<T, I>, title: Text, form: FormInstance) {
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

export function DraftOffer({ at, onRestore, onDrop }: { at: number; onRestore: () => void; onDrop: () => void }) {
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
