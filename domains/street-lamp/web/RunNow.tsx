import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { timer, type Timer, TimerStatus } from '../contract/timer.ts'
import type { Batch } from '../contract/wiring.ts'
import { WIRING_CHANGES } from './changes.ts'
import { BoxSelect } from './choices.tsx'
import { tellOf } from './Switch.tsx'

/** Runs a program now: the one that was chosen, or one that is chosen here. */
export function RunNow({ of, onClose }: { of?: Of<typeof Timer>; onClose: () => void }) {
  return (
    <FormDialog
      title={of ? [`立即执行 ${of.name}`, `Run ${of.name} now`] : ['立即执行定时', 'Run program now']}
      about={<Means />}
      entity={timer.execute.input}
      mode="new"
      value={of ? { id: of.id } : {}}
      save={timer.execute}
      act={['立即执行', 'Run now']}
      changes={WIRING_CHANGES}
      onSaved={(reply) => tellOf(reply as Of<typeof Batch>)}
      onClose={onClose}
      fields={[
        ...(of ? [] : [{ name: 'id' as const, label: ['定时', 'Program'] as const, control: <ProgramSelect /> }]),
        { name: 'boxCodes', optional: true, label: ['只对这些箱', 'Only these boxes'], control: <BoxSelect many /> },
        { name: 'reason', optional: true },
        { name: 'confirm', optional: true, help: ['超过 20 个配电箱时填写箱数确认', 'For more than 20 boxes, type the number of boxes to confirm'] },
      ]}
    />
  )
}
function Means() {
  const say = useText()
  return (
    <p>
      {say([
        '把这个定时此刻应有的状态作为手动操作下发一次，保持到下一次动作。',
        'Sends the state this program calls for right now, once, as a manual operation; it holds until the next event.',
      ])}
    </p>
  )
}
function ProgramSelect({ id, value, onChange }: { id?: string; value?: string; onChange?: (value: string) => void }) {
  const say = useText()
  const { data } = useQuery(asks(timer.query, { status: [TimerStatus.on], limit: 200 }, { quiet: true }))
  return (
    <Select
      {...(id && { id })}
      aria-label={say(['定时', 'Program'])}
      showSearch={{ optionFilterProp: 'label' }}
      {...(value !== undefined && { value })}
      onChange={(one: string) => onChange?.(one)}
      placeholder={say(['请选择定时', 'Choose a program'])}
      options={(data?.records ?? []).map((one) => ({ value: one.id as string, label: one.name }))}
      style={{ width: '100%' }}
    />
  )
}
