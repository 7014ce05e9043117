import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Pictures, State, Time } from '../../../platform/web/value.tsx'
import { CELL, GROUP, ROW, TABLE } from '../../../platform/web/list/tableRoles.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Entries } from '../../settlement/web/api/Entries.tsx'
import { PartState, RefundDetail, RefundRoute, RefundStep, storedRefund, StoredRefundState } from '../contract/refund.ts'
import { REFUND_CHANGES } from './changes.ts'

const FINANCE = '/operation/finance'
type Detail = Of<typeof RefundDetail>
/** One refund: who asked and reviewed, which recharges go back and how, and what the ledger has of it. */
export const refundDetail = {
  call: storedRefund.detail,
  head: (row: Detail) => (
    <>
      <b>{row.refundNo}</b> <State dictionary={StoredRefundState} value={row.state} /> {row.holder} <Money fen={row.payFen} />
    </>
  ),
  body: (row: Detail) => <RefundStory of={row} />,
}

const STEPS: LineColumn<Detail['steps'][number]>[] = [
  { name: ['步骤', 'Step'], cell: ({ step }) => <State dictionary={RefundStep} value={step} /> },
  { name: ['处理人', 'By'], cell: ({ name }) => name },
  { name: ['意见', 'Note'], cell: ({ verdict }) => verdict },
  { name: ['时间', 'Time'], cell: ({ at }) => <Time at={at} /> },
]
function RefundStory({ of }: { of: Detail }) {
  return (
    <>
      <Facts
        entity={RefundDetail}
        of={of}
        show={['holder', 'phone', 'cardNo', 'amountFen', 'clawbackFen', 'shortfallFen', 'payFen', 'doneFen', 'reason', 'failure', 'finishedAt']}
      />
      <Section title={['审核步骤', 'Review steps']}>
        <Lines of={of.steps} keyOf={({ step }) => step} columns={STEPS} />
      </Section>
      <Section title={['退回的充值', 'Recharges refunded']}>
        <Parts of={of} />
      </Section>
      <Section title={['记账', 'Ledger entries']}>
        <Entries lines={of.entries} />
      </Section>
    </>
  )
}

function Parts({ of }: { of: Detail }) {
  const say = useText()
  const [part, setPart] = useState<Detail['recharges'][number]>()
  return (
    <>
      <table {...TABLE} className="lines stacked">
        <tbody {...GROUP}>
          {of.recharges.map((one) => (
            <tr {...ROW} key={one.id}>
              <td {...CELL}>
                {one.orderNo} <State dictionary={PartState} value={one.state} />
                <div className="faint">
                  <Time at={one.paidAt} /> {say(RefundRoute.entries[one.route])} {one.transferNo} {one.failure}
                </div>
                {one.payMethod === PayMethod.cash && one.state === PartState.paying && (
                  <Link to={`${FINANCE}?orderNo=${one.orderNo}`}>
                    {say(['现金待付出：到「财务对账」的该订单退款中付款', 'Cash to pay out: pay it on this order’s refund in “Finance”'])}
                  </Link>
                )}
                {one.slip && <Pictures addresses={one.slip} height={48} />}
              </td>
              <td {...CELL} className="right">
                <Money fen={one.payFen} />
                <div className="faint">
                  {say(['收回赠送', 'bonus taken back'])} <Money fen={one.clawbackFen} />
                </div>
              </td>
              <td {...CELL}>
                {one.route === RefundRoute.transfer && one.state === PartState.waiting && of.state === StoredRefundState.paying && (
                  <Act text={['登记转账', 'Record the transfer']} needs={storedRefund.transfer.needs} size="small" onClick={() => setPart(one)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {part && (
        <FormDialog
          title={[`登记转账 ¥${yuan(part.payFen)} · ${part.orderNo}`, `Record a transfer of ¥${yuan(part.payFen)} · ${part.orderNo}`]}
          entity={storedRefund.transfer.input}
          mode="new"
          value={{ partId: part.id }}
          save={storedRefund.transfer}
          act={[`确认已转账 ¥${yuan(part.payFen)}`, `Confirm the transfer of ¥${yuan(part.payFen)}`]}
          done={['已登记', 'Recorded']}
          changes={REFUND_CHANGES}
          fields={['transferNo', { name: 'slip', optional: true }]}
          onClose={() => setPart(undefined)}
        />
      )}
    </>
  )
}
