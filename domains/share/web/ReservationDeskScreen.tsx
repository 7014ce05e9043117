import { Reservations } from './Reservations.tsx'

/** Places kept at the counter of a park. */
export default function ReservationDeskScreen() {
  return (
    <Reservations
      purpose={['在岗亭或前台登记、变更停车预约', 'Register and change reservations at the booth or front desk']}
      add
      manage
      empty={['还没有停车预约', 'No reservations yet']}
    />
  )
}
