import { MovementKind } from '../contract/asset.ts'
import { AssetFigures } from './Figures.tsx'
import { Movements } from './Movements.tsx'

/** Payments out of stored value: from which purse, for which car and where. */
export default function AssetSpendingScreen() {
  return (
    <>
      <Movements
        above={<AssetFigures show={['spentFen', 'closingFen', 'principalFen', 'bonusFen']} />}
        purpose={[
          '用储值支付的订单：车牌、车场、本金与赠送各付多少；退回的为正数',
          'Orders paid from stored value: plate, car park, principal and bonus used; refunds are positive',
        ]}
        kinds={[MovementKind.spent]}
        find={['plateNo', 'at', 'parkCode', 'phone', 'purseKind']}
        columns={[
          'at',
          'plateNo',
          'parkCode',
          'holder',
          'phone',
          'amountFen',
          'principalFen',
          'bonusFen',
          'balanceAfterFen',
          'purseKind',
          'bizNo',
          'cardNo',
          'remark',
        ]}
        hidden={['cardNo', 'remark']}
        total
        empty={['还没有储值消费', 'No stored value spent yet']}
      />
    </>
  )
}
