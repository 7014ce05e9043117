import { MovementKind } from '../contract/asset.ts'
import { AssetFigures } from './Figures.tsx'
import { Movements } from './Movements.tsx'

/** Recharges of accounts and cards, and their bonuses. */
export default function AssetRechargeScreen() {
  return (
    <>
      <Movements
        above={<AssetFigures show={['rechargedFen', 'givenFen', 'refundedFen', 'takenBackFen', 'closingFen']} />}
        purpose={['车主账户和储值卡的充值与活动赠送', 'Recharges of accounts and park cards, and activity bonuses']}
        kinds={[MovementKind.recharged, MovementKind.given]}
        find={['phone', 'at', 'payMethod', 'kind', 'purseKind']}
        columns={[
          'at',
          'holder',
          'phone',
          'purseKind',
          'kind',
          'amountFen',
          'payMethod',
          'balanceAfterFen',
          'bizNo',
          'operatorName',
          'cardNo',
          'remark',
        ]}
        hidden={['cardNo']}
        total
        empty={['还没有充值', 'No recharges yet']}
      />
    </>
  )
}
