import { booking } from '../contract/booking.ts'
import { Bookings } from './Bookings.tsx'

/** Stays that ran past their booking, each with its own order. */
export default function BookingOverrunScreen() {
  return (
    <Bookings
      purpose={['超过预约时间仍在场的停车：超时费另开订单', 'Stays past the end of their booking: the overrun fee is a separate order']}
      query={booking.timeouts}
      exports={booking.timeoutExport}
      lead={['overMin', 'overFen', 'overStatus']}
      empty={['没有超时', 'No overruns']}
    />
  )
}
