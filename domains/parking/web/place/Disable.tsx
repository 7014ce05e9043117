import type { Call } from '../../../../platform/contract/call.ts'
import type { CodeOf } from '../../../../platform/contract/field.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { Label } from '../../../../platform/web/form/remove.tsx'
import type { Text } from '../../../../platform/web/text.ts'
import { statusCan, UseStatus } from '../../contract/park.ts'

interface Switched<Id> {
  id: Id
  version: number
  status: CodeOf<typeof UseStatus>
  reason?: string
}
interface Props<Id> {
  of: { id: Id; version: number; status: CodeOf<typeof UseStatus>; name: string }
  call: Call<Switched<Id>, unknown>
  changes: readonly Call<any, any>[]
  /** The effect on cars, shown before the person confirms. */
  means: Text
  onClose: () => void
}
/** Takes a park or a gate out of use, or back in. The dialog says what that means. */
export function Disable<Id extends string>({ of, call, changes, means, onClose }: Props<Id>) {
  const next = statusCan.disable(of.status) ?? statusCan.enable(of.status) ?? UseStatus.inUse
  const word = next === UseStatus.disabled ? Label.disable : Label.enable
  return (
    <FormDialog
      title={[`${word[0]} · ${of.name}`, `${word[1]} · ${of.name}`]}
      entity={call.input}
      mode="edit"
      value={{ id: of.id, version: of.version, status: next } as Partial<Switched<Id>>}
      save={call}
      act={word}
      done={next === UseStatus.disabled ? ['已停用', 'Disabled'] : ['已启用', 'Enabled']}
      changes={changes}
      fields={[{ name: 'reason', optional: next === UseStatus.inUse, help: means }]}
      onClose={onClose}
    />
  )
}
