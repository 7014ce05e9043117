import { Reservations } from './Reservations.tsx'

/** Cars that did not come, at the counter. */
export default function ReservationNoShowDeskScreen() {
  return (
    <Reservations
      purpose={['未按约到达的车辆；因故障无法入场的可作废', 'Cars that did not arrive; void a no-show if a fault kept the car out']}
      states={[5]}
      manage
      lifts
      empty={['没有违约', 'No no-shows yet']}
    />
  )
}
