import { Reservations } from './Reservations.tsx'

/** Every reservation, whatever became of it. */
export default function ReservationScreen() {
  return (
    <Reservations
      purpose={['全部停车预约：到达、取消、违约与退款', 'All reservations: arrived, cancelled, no-shows, refunded']}
      empty={['还没有停车预约', 'No reservations yet']}
    />
  )
}
