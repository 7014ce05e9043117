import { Fragment } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Money, Time } from '../../../../platform/web/value.tsx'
import { CELL, GROUP, HEAD, ROW, TABLE } from '../../../../platform/web/list/tableRoles.ts'
import { type AccountCode, accountNames, type NamedLine, subAccountText } from '../../../ledger/contract/account.ts'

type LineOf = Of<typeof NamedLine>
const EVENTS: Record<string, Text> = {
  'order.paid': ['支付', 'Paid'],
  'order.free': ['免费', 'Free'],
  'order.unpaid': ['转欠费', 'Arrears'],
  'order.repaid': ['补缴', 'Repayment'],
  'order.recovered': ['坏账核销后收回', 'Recovered after write-off'],
  'order.written-off': ['坏账核销', 'Written off'],
  'order.revoked': ['撤销', 'Revoked'],
  'order.waived': ['减免', 'Waived'],
  'payment.duplicate': ['重复支付', 'Paid twice'],
  'payment.afterCancel': ['取消后支付', 'Paid after cancellation'],
  'payment.wrongAmount': ['金额异常', 'Wrong amount'],
  'refund.done': ['退款', 'Refund'],
  'charge.billed': ['充电结算', 'Charging session billed'],
  'charge.partner-paid': ['互联平台结清', 'Settled by partner platform'],
  'charge.split': ['互联平台分成', 'Partner platform share'],
}

const ACCOUNT: Text = ['科目', 'Account']
const DEBIT: Text = ['借方', 'Debit']
const CREDIT: Text = ['贷方', 'Credit']
/** The order's entries as they stand in the ledger: each balances. */
export function Entries({ lines }: { lines: readonly LineOf[] }) {
  const say = useText()
  return (
    <table {...TABLE} className="lines stacked">
      <thead {...GROUP}>
        <tr {...ROW}>
          <th {...HEAD}>{say(ACCOUNT)}</th>
          <th {...HEAD} className="right">
            {say(DEBIT)}
          </th>
          <th {...HEAD} className="right">
            {say(CREDIT)}
          </th>
        </tr>
      </thead>
      <tbody {...GROUP}>
        {lines.map((line, place) => (
          <Fragment key={`${line.entryId}${line.seq}`}>
            {line.entryId !== lines[place - 1]?.entryId && (
              <tr {...ROW} className="entry-head">
                <td {...CELL} colSpan={3}>
                  <b>{say(EVENTS[line.bizType] ?? [line.bizType, line.bizType])}</b> <span className="faint">{line.bizNo}</span> <Time at={line.at} />
                </td>
              </tr>
            )}
            <tr {...ROW}>
              <td {...CELL} data-name={say(ACCOUNT)}>
                {say(accountNames[line.account as AccountCode] ?? [line.account, line.account])}{' '}
                <span className="faint">{say(subAccountText(line))}</span>
              </td>
              <td {...CELL} className="right" data-name={say(DEBIT)}>
                {line.debitFen > 0 && <Money fen={line.debitFen} />}
              </td>
              <td {...CELL} className="right" data-name={say(CREDIT)}>
                {line.creditFen > 0 && <Money fen={line.creditFen} />}
              </td>
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
