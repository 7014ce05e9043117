import { AssetFigures } from './Figures.tsx'
import { Movements } from './Movements.tsx'

/** Every movement of one owner's money: type their telephone number. */
export default function AssetMovementsScreen() {
  return (
    <>
      <Movements
        above={<AssetFigures show={['openingFen', 'rechargedFen', 'givenFen', 'spentFen', 'refundedFen', 'closingFen']} />}
        purpose={['按手机号查一位车主的收支明细和每次变动后的余额', 'Search by phone for one owner’s transactions and the balance after each']}
        find={['phone', 'kind', 'at', 'purseKind', 'plateNo']}
        columns={[
          'at',
          'holder',
          'phone',
          'kind',
          'amountFen',
          'balanceAfterFen',
          'principalAfterFen',
          'bonusAfterFen',
          'frozenAfterFen',
          'plateNo',
          'parkCode',
          'bizNo',
          'remark',
        ]}
        hidden={['remark']}
        empty={['没有收支明细', 'No transactions']}
      />
    </>
  )
}
