import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { yuan } from '../../../platform/web/format.ts'
import { account, balanceSearch } from '../../merchant/contract/account.ts'
import { credit } from '../../merchant/contract/credit.ts'
import { statement, statementSearch } from '../../merchant/contract/statement.ts'
import { MERCHANT_CHANGES } from '../../merchant/web/api/changes.ts'
import { findMerchant } from '../../merchant/web/api/names.tsx'
import { CreditSerial } from './MerchantCreditScreen.tsx'
import { dayOfId, StatementLines } from './StatementLines.tsx'

type Shown = 'balance' | 'credit' | 'days'
/** Changes of merchants' balances and credit, and their days as both sides agree on them. */
export default function MerchantAccountScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('balance')
  const pages = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'balance', label: say(['余额明细', 'Balance']) },
        ...(can(credit.serialPage.needs) ? [{ value: 'credit' as const, label: say(['授信流水', 'Credit']) }] : []),
        ...(can(statement.page.needs) ? [{ value: 'days' as const, label: say(['对账单', 'Statements']) }] : []),
      ]}
    />
  )
  if (shown === 'credit') return <CreditSerial toolbar={pages} />
  return shown === 'balance' ? <Balance toolbar={pages} /> : <Days toolbar={pages} />
}

function Balance({ toolbar }: { toolbar: ReactNode }) {
  return (
    <ListScreen
      purpose={[
        '商户余额的每一次变动：充值、购券、退券、核销、过期退回',
        'Every change of a merchant’s balance: recharges, coupons bought, given back, deducted and expired',
      ]}
      query={account.balanceDetailPage}
      search={balanceSearch}
      toolbar={toolbar}
      find={[findMerchant, 'kind', 'at', 'bizNo']}
      columns={['at', 'mchNo', 'mchName', 'kind', 'amountFen', 'afterFen', 'bizNo', 'operatorName', 'remark']}
      roomy={['mchNo', 'bizNo', 'remark']}
      empty={['还没有余额变动；在「线下充值」里为商户充值', 'No changes yet: recharge a merchant in “Offline recharge”']}
    />
  )
}

function Days({ toolbar }: { toolbar: ReactNode }) {
  const act = useAct(MERCHANT_CHANGES)
  return (
    <ListScreen
      purpose={[
        '期初 + 充值 − 购券 + 退券 − 核销 + 过期退回 = 期末 = 余额 + 冻结 − 已用授信',
        'Opening + recharged − bought + given back − deducted + expired back = closing = balance + held − credit used',
      ]}
      query={statement.page}
      search={statementSearch}
      toolbar={toolbar}
      exports={statement.export}
      find={[findMerchant, 'day', 'settleMode']}
      sum={{ totals: ['rechargeFen', 'boughtFen', 'returnedFen', 'deductedFen', 'expiredBackFen'] }}
      columns={[
        'day',
        'mchName',
        'openingFen',
        'rechargeFen',
        'boughtFen',
        'returnedFen',
        'deductedFen',
        'expiredBackFen',
        'closingFen',
        'balanceFen',
        'heldFen',
        'usedFen',
        'confirmedAt',
        'mchNo',
        'settleMode',
        'confirmedBy',
      ]}
      hidden={['mchNo', 'settleMode', 'confirmedBy', 'balanceFen', 'heldFen', 'usedFen']}
      roomy={['returnedFen', 'expiredBackFen', 'confirmedAt']}
      actions={(row) => [
        {
          text: ['确认', 'Confirm'],
          needs: statement.confirm.needs,
          not: row.confirmedAt !== null && ['已确认', 'Already confirmed'],
          run: () =>
            void act(
              statement.confirm,
              { mchId: row.mchId, day: row.day, closingFen: row.closingFen },
              {
                question: [
                  `确认 ${row.mchName} ${row.day} 对账单，期末 ¥${yuan(row.closingFen)}？`,
                  `Confirm the statement of ${row.mchName} for ${row.day}, closing ¥${yuan(row.closingFen)}?`,
                ],
                act: ['确认对账单', 'Confirm statement'],
                done: ['已确认', 'Confirmed'],
              },
            ),
        },
      ]}
      detail={{
        call: statement.day,
        input: dayOfId,
        head: (of) => (
          <>
            <b>{of.mchName}</b> {of.day}
          </>
        ),
        body: (of) => <StatementLines of={of} />,
      }}
      empty={['还没有对账单', 'No statements yet']}
    />
  )
}
