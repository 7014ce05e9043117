import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import type { Movement } from '../contract/asset.ts'
import { asset } from '../contract/asset.ts'
import { storedRefund } from '../contract/refund.ts'
import { ApplyRefund } from './ApplyRefund.tsx'
import { AssetFigures } from './Figures.tsx'
import { Movements } from './Movements.tsx'
import { RechargeDialog } from './RechargeDialog.tsx'

type Row = Of<typeof Movement>

/** The present balance of every owner's account. */
export default function AssetScreen() {
  const [doing, setDoing] = useState<{ what: 'recharge' | 'refund'; of: Row }>()
  const close = () => setDoing(undefined)
  return (
    <>
      <Movements
        above={<AssetFigures show={['rechargedFen', 'givenFen', 'spentFen', 'refundedFen', 'takenBackFen', 'closingFen']} />}
        purpose={['每位车主的储值余额：本金、赠送和冻结', 'Each owner’s stored value: principal, bonus and frozen']}
        latest
        find={['phone', 'at']}
        columns={['holder', 'phone', 'balanceAfterFen', 'principalAfterFen', 'bonusAfterFen', 'frozenAfterFen', 'kind', 'amountFen', 'at']}
        actions={(row) => [
          { text: ['充值', 'Recharge'], needs: asset.recharge.needs, run: () => setDoing({ what: 'recharge', of: row }) },
          {
            text: ['申请退款', 'Request a refund'],
            needs: storedRefund.apply.needs,
            run: () => setDoing({ what: 'refund', of: row }),
            not:
              row.principalAfterFen > 0
                ? undefined
                : ['没有可退的本金；赠送金额不退', 'There is no principal to refund: bonus money is not refunded'],
          },
        ]}
        empty={['还没有车主储值', 'No stored value yet']}
      />
      {doing?.what === 'recharge' && doing.of.ownerId && <RechargeDialog ownerId={doing.of.ownerId} holder={doing.of.holder} onClose={close} />}
      {doing?.what === 'refund' && doing.of.ownerId && <ApplyRefund ownerId={doing.of.ownerId} holder={doing.of.holder} onClose={close} />}
    </>
  )
}
