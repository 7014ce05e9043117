import { useState } from 'react'
import { among, type Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import type { Text } from '../../../platform/web/text.ts'
import { ReviewLevel, ReviewStage, reviewSearch, storedRefund, type StoredRefund, storedRefundCan, StoredRefundState } from '../contract/refund.ts'
import { REFUND_CHANGES } from './changes.ts'
import { refundDetail } from './RefundStory.tsx'

type Row = Of<typeof StoredRefund>
const OVER: Text = ['该退款已审完', 'Already reviewed']
const MINE: Text = ['您已初审，需另一人复审', 'You did the first review: another person does the second']

/** Refunds that wait for a review, without those that one asked for oneself. */
export default function RefundReviewScreen() {
  const me = person.use()?.custId
  const [doing, setDoing] = useState<{ of: Row; pass: boolean }>()
  const barred = (row: Row) => (storedRefundCan.reject(row.state) === undefined ? OVER : me === (row.firstId as string | null) ? MINE : undefined)
  return (
    <>
      <ListScreen
        purpose={['等待您审核的储值退款；自己登记的不在此列', 'Stored value refunds for you to review; those you requested are not listed']}
        query={storedRefund.auditList}
        search={reviewSearch}
        extra={{ stage: among('阶段', 'Stage', ReviewStage) }}
        find={['stage', 'phone', 'appliedAt', 'state', 'refundNo']}
        sum={{
          figures: [
            { text: ['待初审', 'first review'], leads: { stage: ReviewStage.first } as never },
            { text: ['待复审', 'second review'], leads: { stage: ReviewStage.second } as never },
            { text: ['我审过', 'reviewed by me'], leads: { stage: ReviewStage.mine } as never },
          ],
        }}
        columns={[
          'holder',
          'refundNo',
          'phone',
          'state',
          'amountFen',
          'clawbackFen',
          'payFen',
          'reason',
          'applicantName',
          'appliedAt',
          'firstName',
          'firstVerdict',
        ]}
        hidden={['firstVerdict']}
        roomy={['reason', 'clawbackFen']}
        actions={(row) => [
          { text: ['通过', 'Approve'], needs: storedRefund.audit.needs, run: () => setDoing({ of: row, pass: true }), not: barred(row) },
          { text: ['驳回', 'Reject'], needs: storedRefund.audit.needs, run: () => setDoing({ of: row, pass: false }), not: barred(row) },
        ]}
        detail={refundDetail}
        empty={['没有等待您审核的退款', 'No refunds for you to review']}
      />
      {doing && <Review {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Review({ of, pass, onClose }: { of: Row; pass: boolean; onClose: () => void }) {
  const level = of.state === StoredRefundState.waiting ? ReviewLevel.first : ReviewLevel.second
  const [zh, en] = ReviewLevel.entries[level]
  return (
    <FormDialog
      title={[`${zh}${pass ? '通过' : '驳回'} · ${of.holder}`, `${en} review: ${pass ? 'approve' : 'reject'} · ${of.holder}`]}
      entity={storedRefund.audit.input}
      mode="new"
      value={{ id: of.id, version: of.version, level, pass }}
      save={storedRefund.audit}
      act={pass ? [`同意退还 ¥${yuan(of.payFen)}`, `Approve a refund of ¥${yuan(of.payFen)}`] : ['驳回退款', 'Reject the refund']}
      done={['已审核', 'Reviewed']}
      changes={REFUND_CHANGES}
      fields={[pass ? { name: 'verdict', optional: true } : 'verdict']}
      onClose={onClose}
    />
  )
}
