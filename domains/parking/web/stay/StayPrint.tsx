import type { Of } from '../../../../platform/contract/field.ts'
import { time } from '../../../../platform/web/format.ts'
import { SlipDialog, SlipLine } from '../../../../platform/web/draw/Slip.tsx'
import { Money } from '../../../../platform/web/value.tsx'
import { FeeInWords } from '../../../fee/web/api/FeeExplanation.tsx'
import type { Story } from '../../contract/stay.ts'
import { ParkName } from '../api/names.tsx'
import { ParkedFor } from '../api/SoFar.tsx'
import { OrderStatus } from '../../../settlement/contract/order.ts'

/** The stay for the driver, in plain words, as it comes out of the printer. */
export function StayPrint({ story: { stay: visit, orders, quote }, onClose }: { story: Of<typeof Story>; onClose: () => void }) {
  const open = orders.filter((one) => one.status !== OrderStatus.cancelled)
  const paid = open.reduce((all, one) => all + one.paidFen - one.refundFen, 0)
  const points = open.reduce((all, one) => all + one.pointsFen, 0)
  const owed = open.reduce((all, one) => all + one.payableFen - one.paidFen, 0)
  return (
    <SlipDialog title={['给车主的停车单', 'Parking slip for the driver']} onClose={onClose}>
      <h3>{visit.plateNo}</h3>
      <dl>
        <SlipLine name={['车场', 'Car park']}>
          <ParkName code={visit.parkCode} still />
        </SlipLine>
        <SlipLine name={['入场', 'Entered']}>{visit.entryTime ? time(visit.entryTime) : '--'}</SlipLine>
        <SlipLine name={['离场', 'Left']}>{visit.exitTime ? time(visit.exitTime) : '--'}</SlipLine>
        <SlipLine name={['停车时长', 'Parked for']}>
          <ParkedFor stay={visit} />
        </SlipLine>
      </dl>
      {quote ? (
        <FeeInWords quote={quote} discountFen={visit.discountFen} discounts={quote.discounts} />
      ) : (
        <dl>
          <SlipLine name={['停车费', 'Parking fee']}>
            <Money fen={visit.receivableFen - visit.discountFen} />
          </SlipLine>
        </dl>
      )}
      <dl>
        <SlipLine name={['已付', 'Paid']}>
          <Money fen={paid} />
        </SlipLine>
        {points > 0 && (
          <SlipLine name={['其中积分', 'Of it in points']}>
            <Money fen={points} />
          </SlipLine>
        )}
        {owed > 0 && (
          <SlipLine name={['待付', 'Still to pay']}>
            <Money fen={owed} />
          </SlipLine>
        )}
      </dl>
      <p>{open.map((one) => one.orderNo).join(' ')}</p>
    </SlipDialog>
  )
}
