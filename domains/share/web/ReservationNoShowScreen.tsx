import { Reservations } from './Reservations.tsx'

/** Cars that did not come, and the bans for it. */
export default function ReservationNoShowScreen() {
  return (
    <Reservations
      purpose={[
        '未按约到达的预约：保证金转为违约金，30 天内多次违约的，停止其预约',
        'Reservations that did not arrive: the deposit becomes a penalty; repeated no-shows in 30 days suspend whoever booked',
      ]}
      states={[5]}
      manage
      lifts
      empty={['没有违约', 'No no-shows yet']}
    />
  )
}
