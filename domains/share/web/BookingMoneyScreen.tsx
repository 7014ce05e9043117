import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { OwnerSelect } from '../../owner/web/api/OwnerSelect.tsx'
import { findPark } from '../../parking/web/api/names.tsx'
import { booking, PayKind, paySearch } from '../contract/booking.ts'
import { type Payout, payout, payoutSearch, PayoutState, TRANSFERRED } from '../contract/payout.ts'
import { useParkColumn } from './choices.tsx'

type Shown = 'money' | 'payouts'
/** The money of shared bays, line by line, and what owners are paid. */
export default function BookingMoneyScreen() {
  const say = useText()
  const park = useParkColumn()
  const [shown, show] = useState<Shown>('money')
  const toolbar = can(payout.page.needs) && (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'money', label: say(['款项', 'Payments']) },
        { value: 'payouts', label: say(['分成提现', 'Payouts']) },
      ]}
    />
  )
  if (shown === 'payouts') return <Payouts toolbar={toolbar} />
  return (
    <ListScreen
      purpose={[
        '共享车位的每一笔款项：预付、超时费、退款、业主分成与提现',
        'All shared bay payments: prepaid, overrun fees, refunds, owners’ shares and payouts',
      ]}
      query={booking.pays}
      search={paySearch}
      exports={booking.payExport}
      toolbar={toolbar}
      find={['kind', 'at', 'plateNo', findPark, 'payMethod', 'bookingNo']}
      sum={{
        totals: ['receivedFen', 'returnedFen', 'splitFen', 'paidOutFen'],
        figures: [
          { text: ['退款', 'refunds'], leads: { kind: [PayKind.refund] } },
          { text: ['分成', 'owners’ shares'], leads: { kind: [PayKind.split] } },
        ],
      }}
      columns={['at', 'kind', 'amountFen', 'plateNo', park, 'seatNo', 'ownerName', 'payMethod', 'billNo', 'bookingNo']}
      roomy={['seatNo', 'billNo']}
      empty={['还没有共享款项', 'No shared bay payments yet']}
    />
  )
}

type Row = Of<typeof Payout>
const DECIDED: Text = ['已审核', 'Already reviewed']
const OWN: Text = ['申请人不能审核，同一人也不能审核两次', 'The applicant cannot review, and nobody can review twice']
function Payouts({ toolbar }: { toolbar: ReactNode }) {
  const act = useAct([payout.page, booking.pays])
  const me = person.use()?.custId
  const [asking, setAsking] = useState(false)
  const [settling, setSettling] = useState<Row>()
  const barred = (row: Row) =>
    row.state !== PayoutState.waiting
      ? DECIDED
      : row.applicantId === (me as string) || row.firstApproverId === (me as string | null)
        ? OWN
        : undefined
  const decide = (row: Row, pass: boolean) => {
    const text: Text = pass
      ? [`同意向 ${row.ownerName} 打款 ¥${yuan(row.amountFen)}`, `Approve a payout of ¥${yuan(row.amountFen)} to ${row.ownerName}`]
      : [`驳回 ${row.ownerName} 的提现 ¥${yuan(row.amountFen)}`, `Reject the payout of ¥${yuan(row.amountFen)} to ${row.ownerName}`]
    void act(payout.audit, { id: row.id, version: row.version, pass }, { question: text, act: text, done: ['已审核', 'Reviewed'] })
  }
  return (
    <>
      <ListScreen
        purpose={['业主分成的提现：10 元起，5000 元起两人审核', 'Payouts of owners’ shares: ¥10 or more; two reviewers from ¥5,000']}
        query={payout.page}
        search={payoutSearch}
        toolbar={toolbar}
        add={{ call: payout.apply, open: () => setAsking(true), text: ['申请提现', 'Request a payout'] }}
        find={['ownerName', 'state', 'createdAt', 'payoutNo']}
        sum={{ totals: ['amountFen'] }}
        columns={[
          'payoutNo',
          'ownerName',
          'state',
          'amountFen',
          'bank',
          'applicantName',
          'firstApproverName',
          'secondApproverName',
          'createdAt',
          'paidAt',
          'verdict',
          'transferNo',
          'settledName',
          'failure',
        ]}
        hidden={['secondApproverName', 'verdict', 'settledName', 'failure']}
        roomy={['bank', 'paidAt', 'transferNo']}
        actions={(row) => [
          { text: ['通过', 'Approve'], needs: payout.audit.needs, run: () => decide(row, true), not: barred(row) },
          { text: ['驳回', 'Reject'], needs: payout.audit.needs, run: () => decide(row, false), not: barred(row) },
          {
            text: ['登记打款', 'Record transfer'],
            needs: payout.settle.needs,
            run: () => setSettling(row),
            not: row.state !== PayoutState.granted && (['审核通过后登记打款结果', 'Record the transfer once approved'] as Text),
          },
        ]}
        empty={['还没有提现申请', 'No payouts yet']}
      />
      {settling && <Settling of={settling} onClose={() => setSettling(undefined)} />}
      {asking && <Asking onClose={() => setAsking(false)} />}
    </>
  )
}

function Settling({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`登记打款 ${of.payoutNo}`, `Record transfer ${of.payoutNo}`]}
      entity={payout.settle.input}
      mode="new"
      value={{ id: of.id, version: of.version, result: TRANSFERRED }}
      save={payout.settle}
      act={['登记', 'Record']}
      done={['已登记', 'Recorded']}
      changes={[payout.page, booking.pays]}
      fields={[
        'result',
        { name: 'transferNo', optional: true, help: ['成功时填写银行流水号', 'Bank reference, if paid'] },
        {
          name: 'failure',
          optional: true,
          help: ['失败时填写银行退回原因；分成仍归业主', 'The bank’s reason, if failed; the share stays with the owner'],
        },
      ]}
      onClose={onClose}
    />
  )
}

function Asking({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={['申请分成提现', 'Request a payout']}
      entity={payout.apply.input}
      mode="new"
      value={{}}
      save={payout.apply}
      act={({ amountFen }) => [`申请提现 ¥${yuan(amountFen ?? 0)}`, `Request a payout of ¥${yuan(amountFen ?? 0)}`]}
      done={['已提交，由另一人审核', 'Submitted; another person reviews it']}
      changes={[payout.page]}
      fields={[{ name: 'ownerId', label: ['车主', 'Owner'], control: <OwnerSelect /> }, 'amountFen', 'bank']}
      onClose={onClose}
    />
  )
}
