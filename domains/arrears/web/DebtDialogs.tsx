import type { Of } from '../../../platform/contract/field.ts'
import { plural } from '../../../platform/contract/plural.ts'
import type { Call } from '../../../platform/contract/call.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { waiver } from '../../settlement/contract/waiver.ts'
import { UnpaidOrderSelect } from '../../settlement/web/api/UnpaidOrderSelect.tsx'
import { appeal } from '../contract/appeal.ts'
import { closing, TWO_APPROVERS_FEN, WRITE_OFF_DAYS } from '../contract/closing.ts'
import { dun } from '../contract/dun.ts'
import { record } from '../contract/record.ts'
import { DEBT_CHANGES } from './changes.ts'
import { Collect } from './Collect.tsx'
import type { Debt } from './Debts.tsx'

export type What = 'collect' | 'dun' | 'appeal' | 'waive' | 'writeOff' | 'revoke' | 'evidence' | 'suspect'
export interface Asked {
  what: What
  of: readonly Debt[]
  /** The rows are no longer ticked. */
  onDone?: () => void
}
/** Of which car and how much it is. */
const titleOf = ([zh, en]: Text, { plateNo, owedFen, arrearsNo }: Debt): Text => {
  const which = [plateNo, owedFen > 0 && `¥${yuan(owedFen)}`, arrearsNo].filter(Boolean).join(' · ')
  return [`${zh} · ${which}`, `${en} · ${which}`]
}
interface For {
  of: Debt
  onClose: () => void
}

/** The dialog of the chosen act. */
export function Asking({ what, of, onDone, onClose }: Asked & { onClose: () => void }) {
  const first = of[0]!
  const one = { of: first, onClose }
  if (what === 'collect')
    return (
      <Collect
        of={of}
        onClose={onClose}
        onDone={() => {
          onDone?.()
          onClose()
        }}
      />
    )
  if (what === 'dun') return <Remind of={of} onClose={onClose} />
  if (what === 'writeOff') return <WriteOff of={of} onClose={onClose} />
  const Dialog = { appeal: AppealAgainst, waive: Waive, revoke: Revoke, evidence: AddEvidence, suspect: Suspect }[what]
  return <Dialog {...one} />
}

const Remind = ({ of, onClose }: { of: readonly Debt[]; onClose: () => void }) => (
  <FormDialog
    title={[`催缴 ${of.length} 笔欠费`, `Send reminders for ${of.length} ${plural(of.length, 'debt')}`]}
    entity={dun.send.input}
    mode="new"
    value={{ ids: of.map(({ id }) => id) }}
    save={dun.send}
    act={['发送催缴', 'Send reminders']}
    changes={DEBT_CHANGES}
    fields={[]}
    onSaved={(reply) => {
      const became = reply as Of<typeof dun.send.reply>
      toast(became.sent + became.waiting > 0 ? 'success' : 'warning', remindedOf(became))
    }}
    onClose={onClose}
  />
)

/** Every debt that nothing was sent of has its reason. */
function remindedOf({ sent, waiting, noContact, notSent, today, notOwed, noPlate }: Of<typeof dun.send.reply>): Text {
  const told: [count: number, zh: string, en: string][] = [
    [sent, `已发送 ${sent}`, `${sent} sent`],
    [waiting, `待早上八点发送 ${waiting}`, `${waiting} scheduled for 8:00`],
    [today, `今日已催过 ${today}（每车每天一次，请明天再催）`, `${today} reminded today already (once a day each; try again tomorrow)`],
    [noContact, `无联系人 ${noContact}`, `${noContact} without a contact`],
    [notSent, `未发出 ${notSent}`, `${notSent} not sent`],
    [notOwed, `已无可催欠费 ${notOwed}`, `${notOwed} with nothing left to remind of`],
    [noPlate, `车牌未知 ${noPlate}`, `${noPlate} of unknown plate`],
  ]
  const some = told.filter(([count]) => count > 0)
  return [some.map(([, zh]) => zh).join('，'), some.map(([, , en]) => en).join(', ')]
}

const AppealAgainst = ({ of, onClose }: For) => (
  <FormDialog
    title={titleOf(['申诉', 'Appeal'], of)}
    entity={appeal.apply.input}
    mode="new"
    value={{ id: of.id }}
    save={appeal.apply}
    act={['登记申诉', 'Record appeal']}
    done={['已登记，处理前暂停追缴', 'Recorded; collection is on hold until it is decided']}
    changes={DEBT_CHANGES}
    fields={['reason', 'contact', 'images']}
    onClose={onClose}
  />
)

const Waive = ({ of, onClose }: For) => (
  <FormDialog
    title={titleOf(['减免', 'Waive'], of)}
    entity={waiver.apply.input}
    mode="new"
    value={{ orderId: of.orderId, amountFen: of.owedFen }}
    save={waiver.apply}
    act={[`申请减免 ¥${yuan(of.owedFen)}`, `Request waiver of ¥${yuan(of.owedFen)}`]}
    done={['已提交，等待审核', 'Submitted; pending approval']}
    changes={[...DEBT_CHANGES, waiver.list]}
    fields={[{ name: 'reason', help: ['由另一人在「财务对账」的「减免」中审核', 'Another person approves it under “Waivers” in “Finance”'] }]}
    onClose={onClose}
  />
)

function WriteOff({ of, onClose }: { of: readonly Debt[]; onClose: () => void }) {
  const fen = of.reduce((sum, { owedFen }) => sum + owedFen, 0)
  const two = of.some(({ owedFen }) => owedFen >= TWO_APPROVERS_FEN)
  return (
    <FormDialog
      title={[`坏账核销 ${of.length} 笔 ¥${yuan(fen)}`, `Write off ${of.length} ${plural(of.length, 'debt')}, ¥${yuan(fen)}`]}
      entity={closing.writeOff.input}
      mode="new"
      value={{ ids: of.map(({ id }) => id) }}
      save={closing.writeOff}
      act={['申请坏账核销', 'Request write-off']}
      done={['已提交，等待审核', 'Submitted; pending approval']}
      changes={DEBT_CHANGES}
      fields={[
        'cause',
        {
          name: 'reason',
          help: two
            ? [
                `满 ${WRITE_OFF_DAYS} 天可坏账核销；¥500 以上需两人审核`,
                `Available after ${WRITE_OFF_DAYS} days; ¥500 or more needs approval by two people`,
              ]
            : [`满 ${WRITE_OFF_DAYS} 天可坏账核销，由另一人审核`, `Available after ${WRITE_OFF_DAYS} days; another person approves`],
        },
      ]}
      onClose={onClose}
    />
  )
}

const Revoke = ({ of, onClose }: For) => (
  <FormDialog
    title={titleOf(['撤销', 'Revoke'], of)}
    entity={closing.revoke.input}
    mode="new"
    value={{ id: of.id, version: of.version }}
    save={closing.revoke}
    act={['申请撤销', 'Request revocation']}
    done={['已提交，等待审核', 'Submitted; pending approval']}
    changes={DEBT_CHANGES}
    fields={[
      {
        name: 'reason',
        help: ['误判时撤销：由另一人审核，已付的钱原路退回', 'For a debt raised by mistake: another person approves, and any payment is refunded'],
      },
    ]}
    onClose={onClose}
  />
)

export const AddEvidence = ({ of, onClose }: For) => (
  <FormDialog
    title={titleOf(['补证据', 'Add evidence'], of)}
    entity={record.addEvidence.input}
    mode="new"
    value={{ id: of.id, showsPlate: true, showsBerth: false }}
    save={record.addEvidence}
    act={['提交证据', 'Submit evidence']}
    done={['证据已补充', 'Evidence added']}
    changes={DEBT_CHANGES}
    fields={[
      'kind',
      'image',
      'takenAt',
      'showsPlate',
      { name: 'showsBerth', help: ['路内欠费须同时看清泊位号', 'A roadside debt must also show the berth number'] },
      'note',
    ]}
    onClose={onClose}
  />
)

const Suspect = ({ of, onClose }: For) => (
  <FormDialog
    title={titleOf(['标记异常', 'Mark as abnormal'], of)}
    entity={record.suspect.input}
    mode="new"
    value={{ id: of.id, version: of.version }}
    save={record.suspect}
    act={['标记异常', 'Mark as abnormal']}
    done={['已标记，暂停催缴和出口补缴', 'Marked; reminders and collection at exits are on hold']}
    changes={DEBT_CHANGES}
    fields={['exceptionType', 'reason']}
    onClose={onClose}
  />
)

export const Release = ({ of, onClose }: For) => (
  <FormDialog
    title={titleOf(['解除异常', 'Clear abnormal mark'], of)}
    entity={record.release.input}
    mode="new"
    value={{ id: of.id, version: of.version }}
    save={record.release}
    act={['解除异常', 'Clear abnormal mark']}
    done={['已解除，恢复追缴', 'Cleared; collection resumes']}
    changes={DEBT_CHANGES}
    fields={[{ name: 'reason', help: ['证据不足的须先补齐证据', 'If evidence is missing, add it first'] }]}
    onClose={onClose}
  />
)

/** A car left unpaid and nobody noticed: its order becomes a debt, with what shows it. */
export const OpenFile = ({ changes, onClose }: { changes: Call<any, any>[]; onClose: () => void }) => (
  <FormDialog
    title={['欠费建档', 'Open a file']}
    entity={record.create.input}
    mode="new"
    value={{}}
    save={record.create}
    act={['转为欠费', 'Make it arrears']}
    done={['已建档，开始追缴', 'On file; collection begins']}
    changes={[...DEBT_CHANGES, ...changes]}
    fields={[
      {
        name: 'orderNo',
        label: ['订单', 'Order'],
        control: <UnpaidOrderSelect by="orderNo" />,
        help: ['车辆已离场、仍待支付的停车订单', 'A parking order still unpaid after the car has left'],
      },
      'sourceType',
      'evidence',
    ]}
    onClose={onClose}
  />
)
