import { booking } from '../contract/booking.ts'
import { Bookings } from './Bookings.tsx'

/** Stays in shared bays. */
export default function BookingStaysScreen() {
  return (
    <Bookings
      purpose={['在共享车位停过的车：何时入场、何时离场、是否超时', 'Cars that parked in shared bays: entry, exit and overrun']}
      query={booking.parkings}
      exports={booking.parkingExport}
      lead={['enteredAt', 'leftAt', 'overMin']}
      empty={['还没有共享停车', 'No stays in shared bays yet']}
    />
  )
}
