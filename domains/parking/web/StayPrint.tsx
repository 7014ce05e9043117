import { Modal } from 'antd'
import { createPortal } from 'react-dom'
import type { Of } from '../../../platform/contract/field.ts'
import { duration, time } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { FeeInWords } from '../../fee/web/FeeExplanation.tsx'
import type { Story } from '../contract/stay.ts'
import { ParkName } from './names.tsx'

/** The stay for the driver, in plain words, as it comes out of the printer. The page is printed from a copy that nothing else of the console stands in. */
export function StayPrint({ story, onClose }: { story: Of<typeof Story>; onClose: () => void }) {
  const say = useText()
  return (
    <>
      <Modal
        open
        width={440}
        title={say(['给车主的停车单', 'For the driver'])}
        onCancel={onClose}
        okText={say(['打印', 'Print'])}
        okButtonProps={{ autoFocus: true }}
        cancelText={say(['关闭', 'Close'])}
        onOk={() => print()}
      >
        <Slip story={story} />
      </Modal>
      {createPortal(
        <div className="print-only">
          <Slip story={story} />
        </div>,
        document.body,
      )}
    </>
  )
}

function Slip({ story: { stay: visit, orders, quote } }: { story: Of<typeof Story> }) {
  const say = useText()
  const line = (zh: string, en: string, value: React.ReactNode) => (
    <div>
      <dt>{say([zh, en])}</dt>
      <dd>{value}</dd>
    </div>
  )
  const open = orders.filter((one) => one.status !== 5)
  const paid = open.reduce((all, one) => all + one.paidFen - one.refundFen, 0)
  const owed = open.reduce((all, one) => all + one.payableFen - one.paidFen, 0)
  return (
    <article className="slip">
      <h3>{visit.plateNo}</h3>
      <dl>
        {line('车场', 'Park', <ParkName code={visit.parkCode} still />)}
        {line('入场', 'Entered', visit.entryTime ? time(visit.entryTime) : '--')}
        {line('离场', 'Left', visit.exitTime ? time(visit.exitTime) : '--')}
        {line('停车时长', 'Parked for', duration(visit.durationMin, say))}
      </dl>
      {quote ? (
        <FeeInWords quote={quote} discountFen={visit.discountFen} discounts={quote.discounts} />
      ) : (
        <dl>{line('停车费', 'Parking fee', <Money fen={visit.receivableFen - visit.discountFen} />)}</dl>
      )}
      <dl>
        {line('已付', 'Paid', <Money fen={paid} />)}
        {owed > 0 && line('待付', 'Still to pay', <Money fen={owed} />)}
      </dl>
      <p>{open.map((one) => one.orderNo).join(' ')}</p>
    </article>
  )
}
