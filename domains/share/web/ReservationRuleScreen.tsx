import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { type Reservation, reservation, ReservationKind, reservationSearch } from '../contract/booking.ts'
import { UseState } from '../contract/sharing.ts'
import { useParkColumn } from './choices.tsx'

type Row = Of<typeof Reservation>
const RULES = ['quota', 'openAheadHours', 'holdMin', 'cancelFreeMin', 'depositFen', 'maxActive', 'defaultLimit', 'banDays'] as const
const USUAL = { quota: 10, openAheadHours: 24, holdMin: 30, cancelFreeMin: 60, depositFen: 500 as never, maxActive: 1, defaultLimit: 3, banDays: 7 }
const rulesOf = (row: Row) => Object.fromEntries([...RULES.map((name) => [name, row[name]]), ['parkCode', row.parkCode]])

/** Which parks keep places, how many, and by which rules. */
export default function ReservationRuleScreen() {
  const park = useParkColumn()
  const act = useAct([reservation.query, reservation.supervise])
  const [editing, setEditing] = useState<Row | 'new'>()
  const turn = (row: Row) => {
    const on = row.status === UseState.on
    void act(
      reservation.updateStatusPost,
      { id: row.id, status: on ? UseState.off : UseState.on },
      { done: on ? ['已停用', 'Disabled'] : ['已启用', 'Enabled'] },
    )
  }
  return (
    <>
      <ListScreen
        purpose={[
          '哪些车场可以预约、每个时段多少车位、保留多久、违约如何暂停预约',
          'Which car parks take reservations, how many at a time, how long a place is held, and when a car is suspended',
        ]}
        query={reservation.query}
        search={reservationSearch}
        only={{ kind: ReservationKind.rules }}
        add={{ call: reservation.insert, open: () => setEditing('new'), text: ['开放预约', 'Open for reservations'] }}
        find={[findPark]}
        columns={[park, 'status', ...RULES, 'updatedAt']}
        hidden={['updatedAt']}
        roomy={['maxActive', 'cancelFreeMin']}
        actions={(row) => [
          { text: Label.edit, needs: reservation.insert.needs, run: () => setEditing(row) },
          { text: row.status === UseState.on ? Label.disable : Label.enable, needs: reservation.updateStatus.needs, run: () => turn(row) },
        ]}
        empty={['还没有开放预约的车场', 'No car parks open for reservations yet']}
      />
      {editing && (
        <FormDialog
          title={['预约规则', 'Reservation rules']}
          entity={reservation.insert.input}
          mode={editing === 'new' ? 'new' : 'edit'}
          value={editing === 'new' ? { kind: ReservationKind.rules, ...USUAL } : { kind: ReservationKind.rules, ...rulesOf(editing) }}
          also={{ kind: ReservationKind.rules }}
          save={reservation.insert}
          changes={[reservation.query, reservation.supervise]}
          fields={[
            ...(editing === 'new'
              ? [{ name: 'parkCode' as const, label: ['车场', 'Car park'] as const, control: <ParkSelect empty={CHOOSE} /> }]
              : []),
            ...RULES,
          ]}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
