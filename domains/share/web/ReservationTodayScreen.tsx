import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { reservation } from '../contract/booking.ts'
import { RESERVED } from '../contract/figures.ts'
import { Reservations } from './Reservations.tsx'

/** Reservations open right now, and the free bays that they leave. */
export default function ReservationTodayScreen() {
  return (
    <>
      <div className="page">
        <Places />
      </div>
      <Reservations
        purpose={['今日正在进行的停车预约，以及它们占用的余位', 'Today’s active reservations and the free bays they hold']}
        states={[0, 1, 2]}
        add
        manage
        today
        empty={['今日没有进行中的预约', 'No active reservations today']}
      />
    </>
  )
}
function Places() {
  const { data } = useQuery(asks(reservation.supervise, {}, { quiet: true }))
  if (!data) return null
  const sum = (field: 'quota' | 'active' | 'held' | 'free') => data.records.reduce((total, one) => total + one[field], 0)
  return (
    <Tiles label={['预约概况', 'Reservation overview']}>
      {(['quota', 'active', 'held', 'free'] as const).map((name) => (
        <Tile key={name} figure={RESERVED[name]} value={sum(name)} />
      ))}
    </Tiles>
  )
}
