import { Reservations } from './Reservations.tsx'

/** Who did not come, and who may not book for it. */
export default function DefaultRecordScreen() {
  return (
    <Reservations
      purpose={[
        '未按约到达的预约：保证金转为违约金，30 天内多次违约停约',
        'Who did not come: the deposit is a penalty, and too many within 30 days suspend the car',
      ]}
      states={[5]}
      manage
      lifts
      empty={['没有违约', 'Nobody stayed away']}
    />
  )
}
