import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { deleting, useRemove } from '../../../platform/web/form/remove.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { Verdict } from '../contract/bidder.ts'
import { Award, EarnestState, enroll, type EnrollLine, enrollSearch, EnrollState } from '../contract/enrollment.ts'
import { RentState } from '../contract/project.ts'
import { BidderSelect, CASH, NOT_NOW, OWN, ProjectSelect } from './parts.tsx'
import { PayMethod } from '../../settlement/contract/payment.ts'

type Row = Of<typeof EnrollLine>
type Doing = { what: 'new' } | { what: 'pay' | 'withdraw'; row: Row } | { what: 'audit'; row: Row; state: 1 | 2 }
const CHANGES = [enroll.query]

/** Describes what happens to the earnest money of a bidder who withdraws. */
const losing = ({ earnestState, earnestFen }: Row): Text =>
  earnestState === EarnestState.unpaid
    ? ['保证金尚未缴纳，待缴订单随之取消', 'No earnest money was paid: its order is cancelled']
    : [`已缴保证金 ¥${yuan(earnestFen)} 原路退回`, `The earnest money of ¥${yuan(earnestFen)} goes back the way it came`]

/** Enrolments: paid, reviewed by another, withdrawn. */
export default function EnrollmentScreen() {
  const me = person.use()?.custId as string | undefined
  const [doing, setDoing] = useState<Doing>()
  const remove = useRemove(CHANGES)
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '竞租人的报名：缴纳保证金后由另一人审核，竞价开始前未通过的退回',
          'Enrolments: reviewed by another person once earnest money is paid; refunded if not passed before bidding opens',
        ]}
        query={enroll.query}
        search={enrollSearch}
        exports={enroll.export}
        find={[
          'projectName',
          'state',
          'bidderName',
          'phone',
          'earnestState',
          { name: 'projectId', control: <ProjectSelect /> },
          'createdAt',
          'certNo',
        ]}
        sum={{
          figures: [
            { text: ['待缴', 'to be paid'], leads: { state: [EnrollState.toPay] } },
            { text: ['待审', 'to review'], leads: { state: [EnrollState.waiting] } },
          ],
        }}
        add={{ call: enroll.apply, open: () => setDoing({ what: 'new' }), text: ['登记报名', 'Enrol bidder'] }}
        columns={[
          'projectName',
          'bidderName',
          'state',
          'projectState',
          'earnestFen',
          'earnestState',
          'bidderNo',
          'phone',
          'paidAt',
          'enrollNo',
          'auditorName',
          'opinion',
          'createdAt',
          'certNo',
        ]}
        hidden={['auditorName', 'opinion', 'certNo', 'createdAt']}
        roomy={['phone', 'paidAt', 'enrollNo', 'bidderNo', 'projectState', 'earnestFen']}
        actions={(row) => actionsOf(row, me, setDoing, remove)}
        empty={['还没有人报名', 'No enrolments yet']}
      />
      {doing?.what === 'new' && <Apply onClose={close} />}
      {doing?.what === 'pay' && <Take row={doing.row} onClose={close} />}
      {doing?.what === 'audit' && <Audit row={doing.row} state={doing.state} onClose={close} />}
      {doing?.what === 'withdraw' && <Withdraw row={doing.row} onClose={close} />}
    </>
  )
}

/** A review is for an enrolment that waits, by another person than the applicant. */
const barred = (row: Row, me: string | undefined) => (row.state !== EnrollState.waiting ? NOT_NOW : row.applicantId === me && OWN)
const toPay = (row: Row) => row.state === EnrollState.toPay || (row.award === Award.won && row.earnestState === EarnestState.unpaid)
const actionsOf = (row: Row, me: string | undefined, setDoing: (doing: Doing) => void, remove: ReturnType<typeof useRemove>): RowAction[] => [
  ...(toPay(row)
    ? [{ text: ['收取保证金', 'Take earnest money'] as const, needs: enroll.pay.needs, run: () => setDoing({ what: 'pay', row }) }]
    : [
        {
          text: ['通过', 'Pass'] as const,
          needs: enroll.audit.needs,
          run: () => setDoing({ what: 'audit', row, state: Verdict.pass }),
          not: barred(row, me),
        },
        {
          text: ['驳回', 'Reject'] as const,
          needs: enroll.audit.needs,
          run: () => setDoing({ what: 'audit', row, state: Verdict.reject }),
          not: barred(row, me),
        },
      ]),
  {
    text: ['放弃', 'Withdraw'],
    needs: enroll.withdraw.needs,
    run: () => setDoing({ what: 'withdraw', row }),
    not: (row.state > EnrollState.qualified || row.projectState > RentState.enrolling) && NOT_NOW,
    danger: true,
  },
  {
    ...deleting(remove, enroll.delPost, { id: row.id, version: row.version }, row.enrollNo),
    not: (row.paidAt !== null || row.earnestState !== EarnestState.unpaid) && (['已缴过保证金', 'Earnest money was paid'] as const),
  },
]

const Apply = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={['登记报名', 'Enrol bidder']}
    entity={enroll.apply.input}
    mode="new"
    value={{}}
    save={enroll.apply}
    done={['已登记，缴纳保证金后审核', 'Enrolled; reviewed once the earnest money is paid']}
    changes={CHANGES}
    fields={[
      { name: 'projectId', control: <ProjectSelect states={[RentState.announced, RentState.enrolling]} /> },
      { name: 'bidderId', control: <BidderSelect />, help: ['只列出已通过认证的竞租人', 'Only verified bidders are listed'] },
    ]}
    onClose={onClose}
  />
)

const Audit = ({ row, state, onClose }: { row: Row; state: 1 | 2; onClose: () => void }) => (
  <FormDialog
    title={[`审核 ${row.enrollNo} ${row.bidderName}`, `Review ${row.enrollNo} ${row.bidderName}`]}
    entity={enroll.audit.input}
    mode="new"
    value={{ id: row.id, version: row.version, state: state }}
    save={enroll.audit}
    act={state === Verdict.pass ? ['通过', 'Pass'] : [`驳回并退款 ¥${yuan(row.earnestFen)}`, `Reject and refund ¥${yuan(row.earnestFen)}`]}
    done={['已审核', 'Reviewed']}
    changes={CHANGES}
    fields={[{ name: 'opinion', optional: state === Verdict.pass }]}
    onClose={onClose}
  />
)

const Withdraw = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`放弃报名 ${row.enrollNo}`, `Withdraw enrolment ${row.enrollNo}`]}
    entity={enroll.withdraw.input}
    mode="new"
    value={{ id: row.id, version: row.version }}
    save={enroll.withdraw}
    act={['放弃报名', 'Withdraw']}
    done={['已放弃', 'Withdrawn']}
    changes={CHANGES}
    fields={[{ name: 'reason', help: losing(row) }]}
    onClose={onClose}
  />
)

const Take = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`收取保证金 ¥${yuan(row.earnestFen)} · ${row.bidderName}`, `Take earnest money ¥${yuan(row.earnestFen)} · ${row.bidderName}`]}
    entity={enroll.pay.input}
    mode="new"
    value={{ id: row.id, payMethod: PayMethod.cash, amountFen: row.earnestFen }}
    save={enroll.pay}
    act={[`收款 ¥${yuan(row.earnestFen)}`, `Take ¥${yuan(row.earnestFen)}`]}
    done={['已办理', 'Done']}
    changes={CHANGES}
    fields={[{ name: 'payMethod', help: CASH }]}
    onSaved={(reply) => {
      const { payUrl } = reply as { payUrl: string | null }
      if (payUrl) open(payUrl, '_blank', 'noopener')
    }}
    onClose={onClose}
  />
)
