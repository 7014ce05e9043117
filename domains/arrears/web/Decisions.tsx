import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Call } from '../../../platform/contract/call.ts'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Pictures, State, Time } from '../../../platform/web/value.tsx'
import { type Appeal, appeal, AppealState } from '../contract/appeal.ts'
import { type Closing, closing, ClosingKind, ClosingState, WriteOffCause } from '../contract/closing.ts'
import { type Dun, DunState } from '../contract/dun.ts'
import type { ArrearsStory } from '../contract/record.ts'
import { DEBT_CHANGES } from './changes.ts'

type AppealOf = Of<typeof Appeal>
type ClosingOf = Of<typeof Closing>

/** Appeals, and requests to write the debt off or to revoke it, each with its decision or the buttons for one. */
export function Decisions({ story }: { story: Of<typeof ArrearsStory> }) {
  return (
    <>
      {story.appeals.length > 0 && (
        <Section title={['申诉', 'Appeals']}>
          <Table>
            {story.appeals.map((one) => (
              <AppealLine key={one.id} of={one} />
            ))}
          </Table>
        </Section>
      )}
      {story.closings.length > 0 && (
        <Section title={['坏账核销与撤销', 'Write-offs and revocations']}>
          <Table>
            {story.closings.map((one) => (
              <ClosingLine key={one.id} of={one} />
            ))}
          </Table>
        </Section>
      )}
    </>
  )
}
const Table = ({ children }: { children: ReactNode }) => (
  <table className="lines">
    <tbody>{children}</tbody>
  </table>
)
const People = ({ names, at, verdict }: { names: (string | null)[]; at: Instant; verdict: string | null }) => (
  <div className="faint">
    {names.filter(Boolean).join(' → ')} <Time at={at} /> {verdict}
  </div>
)

const RECORDED: Text = ['登记人不能审核自己登记的申诉', 'You recorded this appeal: another person reviews it']
const OWN: Text = ['申请人与已审核的人不能再审核', 'You requested it or have already approved it']
function AppealLine({ of }: { of: AppealOf }) {
  const say = useText()
  const [deciding, setDeciding] = useState<'accept' | 'reject'>()
  const mine = person.use()?.custId === (of.applicantId as string)
  const open = of.state === AppealState.waiting && can(appeal.accept.needs)
  return (
    <tr>
      <td>
        <State dictionary={AppealState} value={of.state} />
      </td>
      <td>
        {of.reason} <span className="faint">{of.contact}</span>
        <div className="faint">{of.appealNo}</div>
        {of.images && <Pictures addresses={of.images} height={48} />}
        <People names={[of.applicantName, of.approverName]} at={of.decidedAt ?? of.appliedAt} verdict={of.verdict} />
      </td>
      <td>
        {open && (
          <div className="line-buttons at-end">
            <Button size="small" disabled={mine} onClick={() => setDeciding('accept')}>
              {say(['申诉成立', 'Uphold'])}
            </Button>
            <Button size="small" disabled={mine} onClick={() => setDeciding('reject')}>
              {say(['驳回', 'Reject'])}
            </Button>
            {mine && <span className="faint">{say(RECORDED)}</span>}
          </div>
        )}
        {deciding && <Deciding of={of} how={deciding} onClose={() => setDeciding(undefined)} />}
      </td>
    </tr>
  )
}
const HOW: Record<'accept' | 'reject', { title: Text; help: Text; done: Text }> = {
  accept: {
    title: ['申诉成立', 'Uphold appeal'],
    help: ['订单作废，已付的钱原路退回', 'The order is voided, and any payment is refunded to the original method'],
    done: ['申诉成立，欠费已撤销', 'Appeal upheld; arrears revoked'],
  },
  reject: {
    title: ['驳回申诉', 'Reject appeal'],
    help: ['欠费恢复为申诉前的状态', 'The arrears return to their status before the appeal'],
    done: ['已驳回', 'Rejected'],
  },
}
const Deciding = ({ of, how, onClose }: { of: AppealOf; how: 'accept' | 'reject'; onClose: () => void }) => (
  <FormDialog
    title={HOW[how].title}
    entity={appeal[how].input}
    mode="new"
    value={{ id: of.id, version: of.version }}
    save={appeal[how] as Call<Of<typeof appeal.accept.input>, unknown>}
    act={HOW[how].title}
    done={HOW[how].done}
    changes={DEBT_CHANGES}
    fields={[{ name: 'verdict', help: HOW[how].help }]}
    onClose={onClose}
  />
)

function ClosingLine({ of }: { of: ClosingOf }) {
  const say = useText()
  const act = useAct(DEBT_CHANGES)
  const me = person.use()?.custId
  const mine = me !== undefined && (me === (of.applicantId as string) || me === (of.firstApproverId as string | null))
  const open = of.state === ClosingState.waiting && can(closing.decide.needs)
  const which = { id: of.id, version: of.version }
  const grant: Text = [
    `同意${ClosingKind.entries[of.kind][0]} ¥${yuan(of.amountFen)}`,
    `Approve: ${ClosingKind.entries[of.kind][1]} ¥${yuan(of.amountFen)}`,
  ]
  return (
    <tr>
      <td>
        <State dictionary={ClosingState} value={of.state} />
        <div className="faint">
          {of.approvals}/{of.approvalsNeeded}
        </div>
      </td>
      <td>
        {say(ClosingKind.entries[of.kind])} {of.cause && `· ${say(WriteOffCause.entries[of.cause])}`} · {of.reason}
        <People names={[of.applicantName, of.firstApproverName, of.secondApproverName]} at={of.decidedAt ?? of.appliedAt} verdict={of.verdict} />
      </td>
      <td className="right">
        <Money fen={of.amountFen} />
      </td>
      <td>
        {open && (
          <div className="line-buttons at-end">
            <Button
              size="small"
              disabled={mine}
              onClick={() => void act(closing.decide, { ...which, pass: true }, { question: grant, act: grant, done: ['已审核', 'Approved'] })}
            >
              {say(grant)}
            </Button>
            <Button
              size="small"
              disabled={mine}
              onClick={() => void act(closing.decide, { ...which, pass: false }, { done: ['已驳回', 'Rejected'] })}
            >
              {say(['驳回', 'Reject'])}
            </Button>
            {mine && <span className="faint">{say(OWN)}</span>}
          </div>
        )}
      </td>
    </tr>
  )
}

/** Each reminder of this debt, and what became of it. */
export function Duns({ of }: { of: readonly Of<typeof Dun>[] }) {
  return (
    <Table>
      {of.map((one) => (
        <tr key={one.id}>
          <td>
            <State dictionary={DunState} value={one.state} />
          </td>
          <td>
            <Time at={one.sentAt ?? one.dueAt} /> <span className="faint">{one.contact}</span>
          </td>
          <td className="right">
            <Money fen={one.amountFen} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
