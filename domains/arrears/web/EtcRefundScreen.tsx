import { useState } from 'react'
import { Button } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { refundWhy } from '../../settlement/contract/refundWhy.ts'
import { RefundWhy } from '../../settlement/web/api/RefundWhy.tsx'
import { etc, type EtcRefund, etcRefundSearch, Verdict } from '../contract/etc.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { EtcRefundApply } from './EtcRefundApply.tsx'

type Row = Of<typeof EtcRefund>
const NOT_WAITING: Text = ['只有待审核的退款可以审核', 'Only a refund pending approval can be reviewed']
const OWN: Text = ['申请人不能审核自己的申请', 'You cannot review your own request']
const NOT_CLEARED: Text = ['发行方尚未清分，先导入清分文件', 'Not cleared by the issuer yet: import the clearing file first']

/** ETC money on its way back: asked for by one, verified by another once the issuer has cleared it. */
export default function EtcRefundScreen() {
  const say = useText()
  const me = person.use()?.custId
  const [verifying, setVerifying] = useState<{ of: Row; result: 1 | 2 }>()
  const [asking, setAsking] = useState(false)
  const [why, setWhy] = useState<Row['id']>()
  const barred = (row: Row) => (row.state !== RefundState.waiting ? NOT_WAITING : me === (row.applicantId as string | null) ? OWN : undefined)
  return (
    <>
      <ListScreen
        purpose={[
          'ETC 扣费的退款：对账一致后由另一人审核，再提交发行方',
          'Refunds of ETC deductions: once cleared, another person reviews them, then they go to the issuer',
        ]}
        query={etc.refund}
        search={etcRefundSearch}
        exports={etc.refundExport}
        find={[
          'plateNo',
          'state',
          'appliedAt',
          { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> },
          'reason',
          'refundNo',
          'deductNo',
        ]}
        sum={{ totals: ['amountFen'], figures: [{ text: ['待审核', 'pending approval'], leads: { state: [RefundState.waiting] } }] }}
        toolbar={can(etc.refundApply.needs) && <Button onClick={() => setAsking(true)}>{say(['申请退款', 'Request refund'])}</Button>}
        columns={columnsOf(say)}
        hidden={['deductNo', 'laneNo', 'note', 'verdict', 'fileNo', 'finishedAt']}
        roomy={['parkCode', 'matched', 'verifierName']}
        live="settlement.order"
        actions={(row) => [
          {
            text: ['通过', 'Approve'],
            needs: etc.refundVerify.needs,
            run: () => setVerifying({ of: row, result: Verdict.granted }),
            not: barred(row) ?? (!row.matched && NOT_CLEARED),
          },
          {
            text: ['驳回', 'Reject'],
            needs: etc.refundVerify.needs,
            run: () => setVerifying({ of: row, result: Verdict.rejected }),
            not: barred(row),
          },
          { text: ['为什么', 'Why'], needs: refundWhy.show.needs, run: () => setWhy(row.id) },
        ]}
        empty={['没有 ETC 退款', 'No ETC refunds']}
      />
      {verifying && <Verify {...verifying} onClose={() => setVerifying(undefined)} />}
      {why && <RefundWhy id={why} onClose={() => setWhy(undefined)} />}
      {asking && <EtcRefundApply onClose={() => setAsking(false)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'refundNo',
  'plateNo',
  'state',
  { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
  'amountFen',
  'reason',
  'matched',
  'applicantName',
  'verifierName',
  'appliedAt',
  'deductNo',
  'laneNo',
  'note',
  'verdict',
  'fileNo',
  'finishedAt',
]

function Verify({ of, result, onClose }: { of: Row; result: 1 | 2; onClose: () => void }) {
  const granted = result === Verdict.granted
  return (
    <FormDialog
      title={[`${granted ? '通过' : '驳回'} · ${of.refundNo}`, `${granted ? 'Approve' : 'Reject'} · ${of.refundNo}`]}
      entity={etc.refundVerify.input}
      mode="new"
      value={{ id: of.id, result }}
      save={etc.refundVerify}
      act={granted ? [`同意退款 ¥${yuan(of.amountFen)}`, `Refund ¥${yuan(of.amountFen)}`] : ['驳回退款', 'Reject refund']}
      done={['已审核', 'Reviewed']}
      changes={[etc.refund, etc.overview]}
      fields={['verdict']}
      onClose={onClose}
    />
  )
}
