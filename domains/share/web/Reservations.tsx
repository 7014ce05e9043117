import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { BookingState, type Reservation, reservation, ReservationKind, reservationSearch } from '../contract/booking.ts'
import { useParkColumn } from './choices.tsx'

type Row = Of<typeof Reservation>
type Asked = { what: 'new' | 'cancel' | 'lift'; of?: Row }
const CHANGES = [reservation.query, reservation.supervise, reservation.one]
/** Columns of a list of arrivals that no-shows do not need: their ban's end is read instead. */
const LESS_OF_DEFAULTS = ['endAt', 'enteredAt', 'bookingNo'] as const
const OPEN: readonly (number | null)[] = [BookingState.unpaid, BookingState.booked]

interface Props {
  purpose: Text
  /** Only these states. */
  states?: readonly (0 | 1 | 2 | 5)[]
  add?: boolean
  manage?: boolean
  lifts?: boolean
  /** Only what is due today. */
  today?: boolean
  empty: Text
}
/** Places kept for cars, as every list of them shows them. */
export function Reservations({ purpose, states, add = false, manage = false, lifts = false, today = false, empty }: Props) {
  const park = useParkColumn()
  const [asked, setAsked] = useState<Asked>()
  const [day] = useState(() => dayOf(instantAt(Date.now())))
  return (
    <>
      <ListScreen
        purpose={purpose}
        query={reservation.query}
        search={reservationSearch}
        only={{
          kind: ReservationKind.booking,
          ...(states && { state: [...states] }),
          ...(today && { startAtFrom: startOf(day), startAtTo: instantAt(msOf(startOf(day)) + DAY_MS - 1) }),
        }}
        exports={reservation.export}
        {...(add && { add: { call: reservation.insert, open: () => setAsked({ what: 'new' }), text: ['登记预约', 'Add a reservation'] as Text } })}
        find={[
          'plateNo',
          ...(states?.length === 1 ? [] : (['state'] as const)),
          ...(today ? [] : (['startAt'] as const)),
          findPark,
          'phone',
          'bookingNo',
        ]}
        columns={[
          'plateNo',
          'state',
          park,
          'startAt',
          'endAt',
          'phone',
          'depositFen',
          'paidFen',
          'refundFen',
          ...(lifts ? (['bannedUntil'] as const) : []),
          'enteredAt',
          'leftAt',
          'bookingNo',
          'orderNo',
          'holdMin',
          'reason',
          'createdAt',
        ]}
        hidden={['leftAt', 'orderNo', 'holdMin', 'reason', 'createdAt', ...(lifts ? LESS_OF_DEFAULTS : (['refundFen'] as const))]}
        roomy={['parkCode', 'bookingNo', 'endAt']}
        live="share.booking"
        {...((manage || lifts) && { actions: (row: Row) => actionsOf(row, { manage, lifts }, setAsked) })}
        empty={empty}
      />
      {asked && <Asking {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const actionsOf = (row: Row, { manage, lifts }: { manage: boolean; lifts: boolean }, ask: (asked: Asked) => void): RowAction[] => [
  ...(manage
    ? [
        {
          text: row.state === BookingState.noShow ? (['作废违约', 'Void no-show'] as Text) : (['取消预约', 'Cancel'] as Text),
          needs: reservation.updateStatus.needs,
          run: () => ask({ what: 'cancel', of: row }),
          not: !OPEN.includes(row.state) && row.state !== BookingState.noShow && (['该预约已结束', 'Already ended'] as Text),
          danger: true,
        },
      ]
    : []),
  ...(lifts
    ? [
        {
          text: ['恢复预约资格', 'Lift booking ban'] as Text,
          needs: reservation.liftBan.needs,
          run: () => ask({ what: 'lift', of: row }),
          not: !row.bannedUntil && (['该用户未被暂停预约，无需恢复', 'This user is not suspended'] as Text),
        },
      ]
    : []),
]

/** Whose reservation it is: of a car, and of a telephone. */
const named = ([zh, en]: Text, { plateNo, phone }: Row): Text => [
  [zh, plateNo, phone].filter(Boolean).join(' · '),
  [en, plateNo, phone].filter(Boolean).join(' · '),
]

function Asking({ what, of, onClose }: Asked & { onClose: () => void }) {
  const shared = { mode: 'new' as const, changes: CHANGES, onClose }
  if (what === 'new')
    return (
      <FormDialog
        {...shared}
        title={['登记停车预约', 'Add a reservation']}
        entity={reservation.insert.input}
        value={{ kind: ReservationKind.booking }}
        save={reservation.insert}
        act={['登记预约', 'Reserve']}
        done={['已登记', 'Reserved']}
        fields={[
          { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> },
          'plateNo',
          { name: 'plateColor', optional: true },
          'phone',
          { name: 'startAt', help: ['超过保留时长未到记为违约', 'Not arriving within the hold time counts as a no-show'] },
          { name: 'endAt', optional: true },
        ]}
      />
    )
  if (what === 'lift')
    return (
      <FormDialog
        {...shared}
        title={named(['恢复预约资格', 'Lift booking ban'], of!)}
        entity={reservation.liftBan.input}
        value={{ id: of!.id }}
        save={reservation.liftBan}
        act={['恢复预约资格', 'Lift booking ban']}
        done={['已解除', 'Lifted']}
        fields={[
          {
            name: 'reason',
            help: [
              '解除后，该手机号和其名下暂停预约的车辆可重新预约',
              'This phone number, and its own car where that was suspended too, can book again',
            ],
          },
        ]}
      />
    )
  const voids = of!.state === BookingState.noShow
  return (
    <FormDialog
      {...shared}
      title={named(voids ? ['作废违约', 'Void no-show'] : ['取消预约', 'Cancel reservation'], of!)}
      entity={reservation.updateStatusPost.input}
      value={{ id: of!.id, status: BookingState.cancelled }}
      save={reservation.updateStatusPost}
      act={voids ? ['作废违约', 'Void no-show'] : ['取消预约', 'Cancel reservation']}
      done={['已处理', 'Done']}
      fields={[
        {
          name: 'reason',
          help: voids
            ? [
                '因系统或道闸故障无法入场：违约作废，保证金全额退回',
                'A system or barrier fault kept the car out: the no-show is voided and the deposit refunded in full',
              ]
            : ['运营方取消，保证金全额退回', 'Cancelled by the operator: the deposit is refunded in full'],
        },
      ]}
    />
  )
}
