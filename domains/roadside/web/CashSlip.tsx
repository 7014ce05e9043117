import type { Of } from '../../../platform/contract/field.ts'
import { NONE, time } from '../../../platform/web/format.ts'
import { SlipDialog, SlipLine } from '../../../platform/web/draw/Slip.tsx'
import { Money } from '../../../platform/web/value.tsx'
import type { Receipt, RoadStay } from '../contract/roadStay.ts'
import { DistrictName } from './api/names.tsx'

export type Paid = Of<typeof Receipt>
/** The receipt for the payer at the berth: the amount, the time and the berth. */
export function CashSlip({ of, paid, onClose }: { of: Of<typeof RoadStay>; paid: Paid; onClose: () => void }) {
  return (
    <SlipDialog title={['现金收据', 'Cash receipt']} onClose={onClose}>
      <h3>{of.plateNo ?? of.seatCode}</h3>
      <dl>
        <SlipLine name={['片区', 'District']}>
          <DistrictName code={of.parkCode} />
        </SlipLine>
        <SlipLine name={['泊位', 'Berth']}>{of.seatCode ?? NONE}</SlipLine>
        <SlipLine name={['驶入', 'Arrived']}>{of.arrivedAt ? time(of.arrivedAt) : NONE}</SlipLine>
        <SlipLine name={['收款时间', 'Taken at']}>{time(paid.at)}</SlipLine>
        <SlipLine name={['现金', 'Cash']}>
          <Money fen={paid.amountFen} />
        </SlipLine>
      </dl>
      <p>{paid.orderNo}</p>
    </SlipDialog>
  )
}
