import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { booking, BookingState } from '../contract/booking.ts'

interface BookingRow {
  id: string
  bookingNo: string
  plateNo: string
  phone: string
  seatNo: string | null
  state: keyof typeof BookingState.entries
  prepaidFen: Fen
  at: Instant
}
const BOOKING =
  'select b.id, b.booking_no, b.plate_no, b.phone, b.seat_no, b.state, b.prepaid_fen, b.start_at as at from share.booking b where b.enterprise_id = scope_enterprise()'

export const known: Source[] = [
  sourceOf<BookingRow>()({
    name: 'share.booking',
    label: ['预约', 'Bookings'],
    needs: booking.appointments.needs,
    by: {
      plate: { sql: `${BOOKING} and b.plate_no = $1 order by b.start_at desc limit $2` },
      code: { sql: `${BOOKING} and b.booking_no = $1 limit $2` },
    },
    tell: ({ id, bookingNo, plateNo, phone, seatNo, state, prepaidFen, at }) => {
      const [zh, en] = BookingState.entries[state]
      const of = `${plateNo} ${seatNo ?? ''}`.trim()
      return { key: id, title: bookingNo, zh: `${of}，${zh}`, en: `${of}, ${en}`, phone, at, amountFen: prepaidFen }
    },
  }),
]
