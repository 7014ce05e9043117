import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { findMerchant } from '../../merchant/web/api/names.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { sold, type Sold, soldSearch } from '../contract/sold.ts'
import { use, usedSearch } from '../contract/use.ts'
import { SALE_CHANGES } from './changes.ts'

type Shown = 'sold' | 'used'
type Row = Of<typeof Sold>
/** Merchants' purchases, and what became of them at the tills. */
export default function SoldScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('sold')
  const pages = can(use.queryPage.needs) && (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'sold', label: say(['销售', 'Sales']) },
        { value: 'used', label: say(['核销', 'Uses']) },
      ]}
    />
  )
  return shown === 'sold' ? <Sales toolbar={pages} /> : <Uses toolbar={pages} />
}

function Sales({ toolbar }: { toolbar: ReactNode }) {
  const [back, setBack] = useState<Row>()
  return (
    <>
      <ListScreen
        purpose={[
          '商户购券：数量、金额、余额与授信各付多少、还剩多少未发',
          'Coupons bought by merchants: quantity, amount, paid from balance and credit, left to issue',
        ]}
        query={sold.queryPage}
        search={soldSearch}
        toolbar={toolbar}
        find={[findMerchant, 'at', 'settleMode', 'soldNo']}
        columns={[
          'soldNo',
          'mchName',
          'goodName',
          'qty',
          'leftQty',
          'returnedQty',
          'expiredQty',
          'priceFen',
          'amountFen',
          'balancePaidFen',
          'creditPaidFen',
          'settleMode',
          'at',
          'operatorName',
        ]}
        hidden={['returnedQty', 'expiredQty', 'priceFen', 'operatorName']}
        roomy={['balancePaidFen', 'creditPaidFen', 'settleMode']}
        actions={(row) => [
          {
            text: ['退券', 'Return'],
            needs: sold.giveBack.needs,
            run: () => setBack(row),
            not: row.leftQty === 0 && ['没有未发放的券', 'None left to issue'],
          },
        ]}
        empty={['还没有销售', 'No sales yet']}
      />
      {back && (
        <FormDialog
          title={[`退券 · ${back.mchName} ${back.goodName}`, `Give back · ${back.mchName} ${back.goodName}`]}
          entity={sold.giveBack.input}
          mode="new"
          value={{ id: back.id, version: back.version, qty: back.leftQty }}
          save={sold.giveBack}
          act={({ qty }) => [`退回 ${qty ?? 0} 张`, `Give back ${qty ?? 0}`]}
          done={['已退回，款项回到商户账户', 'Returned; the money is in the merchant’s account']}
          changes={SALE_CHANGES}
          fields={[
            {
              name: 'qty',
              help: [`未发放 ${back.leftQty} 张，价款退回商户账户`, `${back.leftQty} left to issue; their price goes back to the merchant’s account`],
            },
          ]}
          onClose={() => setBack(undefined)}
        />
      )}
    </>
  )
}

/** Uses of coupons: the possible discount of each, and the real one. */
export function Uses({ toolbar, above }: { toolbar?: ReactNode; above?: ReactNode }) {
  const say = useText()
  return (
    <ListScreen
      purpose={[
        '每一次核销：面值、实际抵扣与浪费；整单退款的会退回',
        'Every use: face value, deducted and lost; a full refund gives the coupon back',
      ]}
      above={above}
      query={use.queryPage}
      search={usedSearch}
      toolbar={toolbar}
      find={['plateNo', findMerchant, 'usedAt', findPark, 'couponNo', 'soldNo']}
      columns={[
        'usedAt',
        'plateNo',
        'name',
        'mchName',
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
        'faceFen',
        'deductedFen',
        'wastedFen',
        'orderNo',
        'returnedAt',
        'couponNo',
        'soldNo',
      ]}
      hidden={['couponNo', 'soldNo']}
      roomy={['parkCode', 'orderNo', 'wastedFen']}
      sum={{ totals: ['deductedFen', 'wastedFen'] }}
      empty={['还没有核销', 'No coupons used yet']}
    />
  )
}
