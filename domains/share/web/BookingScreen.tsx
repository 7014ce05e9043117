import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { Gantt } from '../../../platform/web/time/Gantt.tsx'
import { Loaded, Nothing } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkSelect, useParks } from '../../parking/web/api/names.tsx'
import { booking, BookingState } from '../contract/booking.ts'
import { FeesKind, OfferState, sharing } from '../contract/sharing.ts'
import { stretchesOf } from '../contract/windows.ts'
import { Bookings, type Row } from './Bookings.tsx'
import { OfferSelect } from './choices.tsx'

type Shown = 'list' | 'calendar'
const CHANGES = [booking.appointments, sharing.parks, sharing.calendar]

/** Bookings of bays: by list, or bay by bay on an axis of days. */
export default function BookingScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('list')
  const [asked, setAsked] = useState<'new' | Row>()
  const toolbar = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'list', label: say(['预约列表', 'List']) },
        { value: 'calendar', label: say(['车位日历', 'Calendar']) },
      ]}
    />
  )
  if (shown === 'calendar') return <BayCalendar toolbar={toolbar} />
  const over = (row: Row) => row.state !== BookingState.unpaid && row.state !== BookingState.booked
  return (
    <>
      <Bookings
        purpose={['共享车位的预约：待支付、已预约、取消、违约与退款', 'Bookings of shared bays: to pay, booked, cancelled, no-shows, refunded']}
        query={booking.appointments}
        exports={booking.appointmentExport}
        toolbar={toolbar}
        add={{ call: booking.book, open: () => setAsked('new'), text: ['预约车位', 'Book a bay'] }}
        actions={(row) => [
          {
            text: ['取消预约', 'Cancel'],
            needs: booking.cancel.needs,
            run: () => setAsked(row),
            not: over(row) && ['只有未开始使用的预约可以取消', 'Only a booking not yet in use can be cancelled'],
            danger: true,
          },
        ]}
        empty={['还没有共享预约', 'No bookings yet']}
      />
      {asked === 'new' && <Booking onClose={() => setAsked(undefined)} />}
      {asked && asked !== 'new' && (
        <FormDialog
          title={[`取消预约 ${asked.bookingNo}`, `Cancel booking ${asked.bookingNo}`]}
          entity={booking.cancel.input}
          mode="new"
          value={{ id: asked.id, version: asked.version }}
          save={booking.cancel}
          act={['取消预约', 'Cancel the booking']}
          done={['已取消', 'Cancelled']}
          changes={CHANGES}
          fields={[
            {
              name: 'reason',
              help: ['免费取消时间之前全额退款，之后预付不退', 'Full refund within the free cancellation time; after it, the prepayment is kept'],
            },
          ]}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

const Booking = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={['预约共享车位', 'Book a shared bay']}
    entity={booking.book.input}
    mode="new"
    value={{ kind: FeesKind.hourly }}
    save={booking.book}
    act={['预约', 'Book']}
    done={['已预约，请在 15 分钟内支付', 'Booked; pay within 15 minutes']}
    changes={CHANGES}
    fields={[
      { name: 'offerId', label: ['车位', 'Bay'], control: <OfferSelect /> },
      'kind',
      'plateNo',
      { name: 'plateColor', optional: true },
      'phone',
      'startAt',
      { name: 'endAt', optional: true, help: ['时租必填；月卡为一个月', 'Required by the hour; a monthly booking runs one month'] },
    ]}
    onClose={onClose}
  />
)

const DAY_MS = 86_400_000
const BEFORE_MS = DAY_MS / 4
const SPAN_MS = 3 * DAY_MS
const TONES = { 0: 'warning', 1: 'success', 2: 'success', 5: 'error', 6: 'error' } as const
const BAYS_SHOWN = 500
const isAlways = (open: readonly { from: string; to: string }[], span: { from: number; to: number }) =>
  open.reduce((sum, one) => sum + Date.parse(one.to) - Date.parse(one.from), 0) >= span.to - span.from
/** The bays of the park that was chosen, or of one that shares some, and who has them: neither that there are none nor that nobody has booked one is said before it is known. */
function useCalendar(chosen: string | undefined, span: { from: number; to: number }) {
  const [first] = useParks()
  const shared = useQuery(asks(sharing.parks, { limit: 1 }, { quiet: true }))
  const code = chosen ?? shared.data?.records[0]?.parkCode ?? first?.parkCode
  const enabled = code !== undefined
  const parkCode = code ?? ''
  const booked = useQuery({ ...asks(sharing.calendar, { parkCode, from: momentOf(span.from), to: momentOf(span.to) }), enabled })
  const status = [OfferState.offered, OfferState.paused]
  const bays = useQuery({ ...asks(sharing.members, { parkCode, status, limit: BAYS_SHOWN }), enabled })
  const waitsFor: UseQueryResult<unknown> = code === undefined ? shared : bays.data === undefined ? bays : booked
  return { code, data: booked.data ?? [], offered: bays.data?.records ?? [], waitsFor }
}
const momentOf = (ms: number) => new Date(ms).toISOString() as never
/** Bay by bay, who has it when, and when it is nobody's. */
function BayCalendar({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const [now] = useState(() => Date.now())
  const [parkCode, setPark] = useState<string>()
  const span = { from: now - BEFORE_MS, to: now - BEFORE_MS + SPAN_MS }
  const { code, data, offered, waitsFor } = useCalendar(parkCode, span)
  // A bay that is offered no more may still be somebody's.
  const seats = [...new Set([...offered, ...data].map((one) => one.seatNo))].sort((a, b) => a.localeCompare(b, 'zh', { numeric: true }))
  const paused = new Set(offered.filter(({ status }) => status === OfferState.paused).map(({ seatNo }) => seatNo))
  const openOf = (seatNo: string) =>
    stretchesOf(
      offered.filter((one) => one.seatNo === seatNo && !paused.has(seatNo)).flatMap(({ windows }) => windows),
      momentOf(span.from),
      momentOf(span.to),
    )
  const title = (one: (typeof data)[number]) =>
    `${one.plateNo} ${say(BookingState.entries[one.state as 0][0] ? [BookingState.entries[one.state as 0][0], BookingState.entries[one.state as 0][1]] : ['', ''])} ${one.bookingNo}`
  return (
    <div className="page">
      <div className="line-buttons">
        {toolbar}
        <ParkSelect value={code} onChange={setPark} />
        {offered.some(({ seatNo }) => !isAlways(openOf(seatNo), span)) && <span className="faint">{say(['斜纹：不开放', 'Hatched: not open'])}</span>}
      </div>
      <Loaded of={waitsFor}>
        {() =>
          seats.length === 0 ? (
            <Nothing>{say(['该车场还没有上架的共享车位', 'No bays of this car park are on offer yet'])}</Nothing>
          ) : (
            <Gantt
              label={['车位日历', 'Bay calendar']}
              head={['车位', 'Bay']}
              span={span}
              now={now}
              rows={seats.map((seatNo) => ({
                key: seatNo,
                name: paused.has(seatNo) ? (
                  <>
                    {seatNo} <span className="faint">{say(['暂停', 'Paused'])}</span>
                  </>
                ) : (
                  seatNo
                ),
                open: openOf(seatNo),
                bars: data
                  .filter((one) => one.seatNo === seatNo)
                  .map((one) => ({
                    key: one.bookingId,
                    from: one.startAt,
                    to: one.endAt,
                    title: title(one),
                    tone: TONES[one.state as 0] ?? ('default' as const),
                  })),
              }))}
            />
          )
        }
      </Loaded>
    </div>
  )
}
