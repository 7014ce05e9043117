import type { ReactNode } from 'react'
import type { Call, Page } from '../../../platform/contract/call.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { findPark } from '../../parking/web/api/names.tsx'
import { type booking, bookingSearch, type ShareBooking } from '../contract/booking.ts'
import { useParkColumn } from './choices.tsx'

export type Row = Of<typeof ShareBooking>
interface Props {
  purpose: Text
  query: Call<Of<typeof booking.appointments.input>, Page<Row>>
  exports: typeof booking.appointmentExport
  /** Columns that this list is about, right after the booking. */
  lead?: readonly Column<Row>[]
  add?: { call: Call<any, unknown>; open: () => void; text?: Text }
  toolbar?: ReactNode
  actions?: (row: Row) => RowAction[]
  empty: Text
}
const REST = [
  'phone',
  'ownerName',
  'refundFen',
  'refundedFen',
  'splitFen',
  'orderNo',
  'enteredAt',
  'leftAt',
  'overMin',
  'overFen',
  'overOrderNo',
  'overStatus',
  'payUntil',
  'splitAt',
  'reason',
  'createdAt',
] as const

/** Bookings of bays, as every list of them shows them. */
export function Bookings({ purpose, query, exports, lead = [], add, toolbar, actions, empty }: Props) {
  const park = useParkColumn()
  const shown = new Set(lead.filter((one) => typeof one === 'string'))
  const rest = REST.filter((name) => !shown.has(name))
  return (
    <ListScreen
      purpose={purpose}
      query={query as typeof booking.appointments}
      search={bookingSearch}
      exports={exports}
      {...(add && { add })}
      toolbar={toolbar}
      find={['plateNo', 'state', 'startAt', findPark, 'kind', 'seatNo', 'bookingNo', 'phone']}
      sum={{ totals: ['paidFen', 'refundedFen', 'splitFen', 'overFen'] }}
      columns={['plateNo', 'state', park, 'seatNo', ...lead, 'startAt', 'endAt', 'kind', 'prepaidFen', 'paidFen', 'bookingNo', ...rest]}
      hidden={[...rest]}
      roomy={['parkCode', 'kind', 'bookingNo', 'prepaidFen']}
      live="share.booking"
      {...(actions && { actions })}
      empty={empty}
    />
  )
}
