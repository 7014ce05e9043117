import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, State, Time } from '../../../platform/web/value.tsx'
import { BalanceKind } from '../../merchant/contract/account.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import { StatementDay, type statement } from '../../merchant/contract/statement.ts'

type Day = Of<typeof StatementDay>
type Which = Of<typeof statement.day.input>
/** The id of a day is its merchant's and its date. */
export const dayOfId = (id: string): Which => {
  const at = id.lastIndexOf('.')
  return { mchId: id.slice(0, at) as Which['mchId'], day: id.slice(at + 1) as Which['day'] }
}

/** Shows how a merchant is charged, then opening, every line and closing: the reader can check that they add up. */
export function StatementLines({ of }: { of: Day }) {
  const say = useText()
  const left = of.lineCount - of.lines.length
  return (
    <>
      <p className="soft">
        {of.settleMode === SettleMode.face
          ? say(['按面值结算：购券时已付，核销不再扣款', 'Settled at face value: paid when bought, nothing deducted when used'])
          : say([
              '按实抵结算：购券不付款，核销时按实际抵扣扣款',
              'Settled as deducted: nothing paid when bought, the actual deduction paid when used',
            ])}
      </p>
      <Facts
        entity={StatementDay}
        of={of}
        show={['issued', 'used', 'withdrawn', 'expired', 'balanceFen', 'heldFen', 'usedFen', 'confirmedAt', 'confirmedBy']}
      />
      <Section title={['明细', 'Lines']}>
        <table className="lines">
          <tbody>
            <tr>
              <td colSpan={3}>{say(['期初余额', 'Opening balance'])}</td>
              <td className="right">
                <Money fen={of.openingFen} />
              </td>
            </tr>
            {of.lines.map((one) => (
              <tr key={one.id}>
                <td>
                  <Time at={one.at} />
                </td>
                <td>
                  <State dictionary={BalanceKind} value={one.kind} />
                </td>
                <td className="faint">{one.bizNo}</td>
                <td className="right">
                  <Money fen={one.amountFen} />
                </td>
              </tr>
            ))}
            {left > 0 && (
              <tr>
                <td colSpan={4} className="faint">
                  {say([`另有 ${left} 笔未显示，已计入期末余额`, `${left} more not shown; included in the closing balance`])}
                </td>
              </tr>
            )}
            <tr>
              <td colSpan={3}>
                <b>{say(['期末', 'Closing'])}</b>
              </td>
              <td className="right">
                <b>
                  <Money fen={of.closingFen} />
                </b>
              </td>
            </tr>
          </tbody>
        </table>
      </Section>
    </>
  )
}
