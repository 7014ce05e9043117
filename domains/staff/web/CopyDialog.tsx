import { Button } from 'antd'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Conflict, CopyMode, schedule } from '../contract/roster.ts'
import { GroupSelect } from './choices.tsx'
import { Mets } from './Mets.tsx'
import { CHANGES, type Line, shifted } from './roster.ts'

export type Copied = Of<typeof schedule.copy.reply>
interface Props {
  from: string
  to: string
  groupId: string | undefined
  /** Something was left out or is to be looked at: it is said until somebody has read it. */
  tells: (copied: Copied) => void
  onClose: () => void
}
export function CopyDialog({ from, to, groupId, tells, onClose }: Props) {
  return (
    <FormDialog
      title={['复制排班', 'Copy roster']}
      entity={schedule.copy.input}
      mode="new"
      value={{
        sourceFrom: from as Day,
        sourceTo: to as Day,
        targetFrom: shifted(to, 1) as Day,
        mode: CopyMode.weekday,
        overwrite: false,
        ...(groupId && { groupId: groupId as never }),
      }}
      save={schedule.copy}
      act={['复制', 'Copy']}
      changes={CHANGES}
      fields={[
        'sourceFrom',
        'sourceTo',
        'targetFrom',
        'mode',
        { name: 'groupId', control: <GroupSelect />, optional: true },
        { name: 'overwrite', optional: true, help: ['覆盖目标日未开始的排班', 'Replaces shifts on the target days that have not started'] },
      ]}
      onSaved={(reply) => {
        const copied = reply as Copied
        if (copied.skipped > 0 || copied.conflicts.length > 0 || copied.copied === 0) tells(copied)
        else toast('success', [`已复制 ${copied.copied} 格`, `${copied.copied} ${plural(copied.copied, 'shift')} copied`])
      }}
      onClose={onClose}
    />
  )
}

/** Shows what a copy did and what it left out, with the reason. */
export function CopiedDialog({ copied, lines, onClose }: { copied: Copied; lines: readonly Line[]; onClose: () => void }) {
  const say = useText()
  return (
    <Dialog
      title={say(['复制结果', 'Copy result'])}
      changed={false}
      onClose={onClose}
      footer={(leave) => (
        <Button type="primary" onClick={leave}>
          {say(['关闭', 'Close'])}
        </Button>
      )}
    >
      <CopiedTold copied={copied} lines={lines} />
    </Dialog>
  )
}
export function CopiedTold({ copied: { copied, skipped, conflicts }, lines }: { copied: Copied; lines: readonly Line[] }) {
  const say = useText()
  const [left, noted] = [conflicts.filter(({ blocks }) => blocks), conflicts.filter(({ blocks }) => !blocks)]
  const nothing = copied === 0 && skipped === 0
  return (
    <>
      <p role="status">
        {nothing
          ? say(['来源日期没有排班，没有复制任何内容', 'There are no shifts on the source days: nothing was copied'])
          : say([`已复制 ${copied} 格，跳过 ${skipped} 格`, `${copied} ${plural(copied, 'shift')} copied, ${skipped} skipped`])}
      </p>
      {left.length > 0 && (
        <>
          <p>
            {say(['跳过的原因：', 'Skipped because: '])}
            {reasons(left)
              .map((one) => say(one))
              .join(say(['，', ', ']))}
          </p>
          <Mets met={left} lines={lines} />
        </>
      )}
      {noted.length > 0 && (
        <>
          <p>{say(['已复制，请留意：', 'Copied; please note:'])}</p>
          <Mets met={noted} lines={lines} />
        </>
      )}
    </>
  )
}
/** Each reason once, with how often. */
function reasons(left: Copied['conflicts']): Text[] {
  const counts = new Map<keyof typeof Conflict.entries, number>()
  for (const { code } of left) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].map(([code, n]) => {
    const [zh, en] = Conflict.entries[code]
    return [`${zh} ${n} 处`, `${en} (${n})`]
  })
}
