import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Award, EarnestState, enroll, type EnrollLine, enrollSearch, EnrollState } from '../contract/enrollment.ts'
import { RentState } from '../contract/project.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { useAwardColumn } from './parts.tsx'
import { RefundState } from '../../settlement/contract/refund.ts'

type Row = Of<typeof EnrollLine>
const HELD: readonly number[] = [EarnestState.paid, EarnestState.frozen]
const barred = (row: Row): Text | false => {
  if (row.award === Award.won && row.projectState < RentState.failed) return ['中标人的保证金不退', 'The winner’s earnest money is not refunded']
  if (row.projectState < RentState.shown && row.state <= EnrollState.qualified)
    return ['中标公示之前不退保证金', 'Not refunded before the award is shown']
  if (!HELD.includes(row.earnestState)) return ['没有可退的保证金', 'No earnest money to refund']
  return row.refundId !== null && ['退款已在办理', 'A refund is already under way']
}

/** Earnest money: paid, frozen, on its way back, forfeited. */
export default function EnrollmentEarnestScreen() {
  const [asking, setAsking] = useState<Row>()
  const say = useText()
  const award = useAwardColumn()
  const state = { dataIndex: 'earnestState' as const, title: say(['状态', 'Status']) }
  return (
    <>
      <ListScreen
        purpose={[
          '保证金的缴纳、冻结、退还与没收；中标公示后按流程期限退还落标人，退款由另一人审核',
          'Earnest money paid, frozen, refunded and forfeited; unsuccessful bidders are refunded within the period after the award, approved by another person',
        ]}
        query={enroll.query}
        search={enrollSearch}
        find={['earnestState', 'projectName', 'bidderName', 'refundState', 'refundDue', 'phone', 'paidAt']}
        sum={{
          totals: ['earnestFen'],
          figures: [
            { text: ['已缴', 'paid'], leads: { earnestState: [EarnestState.paid] } },
            { text: ['冻结', 'frozen'], leads: { earnestState: [EarnestState.frozen] } },
            {
              text: ['待退', 'to refund'],
              leads: { refundState: [RefundState.waiting, RefundState.approved, RefundState.sending, RefundState.failed] },
            },
            { text: ['没收', 'forfeited'], leads: { earnestState: [EarnestState.forfeited] } },
          ],
        }}
        columns={[
          'bidderName',
          'projectName',
          'earnestFen',
          state,
          award,
          'refundDue',
          'refundState',
          'backFor',
          'paidAt',
          'refundNo',
          'enrollNo',
          'orderNo',
          'projectState',
        ]}
        hidden={['orderNo', 'projectState']}
        roomy={['refundNo', 'enrollNo', 'paidAt', 'backFor', 'award']}
        actions={(row) => [{ text: ['申请退还', 'Request refund'], needs: enroll.refund.needs, run: () => setAsking(row), not: barred(row) }]}
        empty={['还没有保证金', 'No earnest money yet']}
      />
      {asking && (
        <FormDialog
          title={[
            `申请退还保证金 · ${asking.bidderName} · ${asking.projectName}`,
            `Request refund of earnest money · ${asking.bidderName} · ${asking.projectName}`,
          ]}
          entity={enroll.refund.input}
          mode="new"
          value={{ ids: [asking.id] }}
          save={enroll.refund}
          act={[`申请退还 ¥${yuan(asking.earnestFen)}`, `Request refund of ¥${yuan(asking.earnestFen)}`]}
          done={['已提交，由另一人在退款管理中审核', 'Submitted; another person reviews it under Refunds']}
          changes={[enroll.query]}
          fields={['reason']}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}
