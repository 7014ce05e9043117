import { Alert, Button, type FormInstance } from 'antd'
import { Suspense, cloneElement, lazy } from 'react'
import type { Refusal } from '../ask.ts'
import type { FormProps, OwnField } from './FormDialog.tsx'
import { ownOf } from './formParts.ts'
import type { Differs } from './StaleMerge.tsx'
import { RequestId } from '../page/states.tsx'
import { type Text, useText } from '../text.ts'
import { type Shape, Value, labelOf } from '../value.tsx'
import type { useSaving } from './formSaving.ts'

const StaleMerge = lazy(() => import('./StaleMerge.tsx'))

interface TroubleProps {
  props: FormProps<any, any>
  shapes: Record<string, Shape>
  form: FormInstance
  saving: ReturnType<typeof useSaving>
  onChosen: (theirs: ReadonlySet<string>) => void
}
/** Why it was not saved: somebody else was first, or a refusal. */
export function Trouble({ props, shapes, form, saving, onChosen }: TroubleProps) {
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
