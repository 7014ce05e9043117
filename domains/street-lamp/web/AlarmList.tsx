import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { alarm, alarmCan, alarmSearch, AlarmState, LampAlarm } from '../contract/alarm.ts'
import { ALARM_TOPIC, WIRING_CHANGES } from './changes.ts'

type Row = Of<typeof LampAlarm>

/** Alarms of boxes and their readings; a person acknowledges and closes them. */
export function AlarmList() {
  const [asked, setAsked] = useState<{ of: Row; to: 1 | 3 }>()
  return (
    <>
      <ListScreen
        title={['路灯告警', 'Lamp alarms']}
        purpose={['读数恢复正常后告警自行恢复', 'Alarms recover automatically when readings return to normal']}
        query={alarm.query}
        search={alarmSearch}
        find={['state', 'code', 'boxCode', 'wiringCode', 'level', 'lastAt']}
        columns={[
          'code',
          'level',
          'state',
          'boxCode',
          'wiringCode',
          'value',
          'count',
          'firstAt',
          'lastAt',
          'recoveredAt',
          'handledName',
          'workOrderNo',
          'remark',
        ]}
        hidden={['firstAt', 'recoveredAt', 'remark', 'value']}
        live={ALARM_TOPIC}
        empty={['没有告警', 'No alarms']}
        actions={(row) => [
          {
            text: ['确认', 'Acknowledge'],
            needs: alarm.handle.needs,
            run: () => setAsked({ of: row, to: AlarmState.acknowledged }),
            not: alarmCan.acknowledge(row.state) === undefined && ['已确认或已恢复', 'Already acknowledged or recovered'],
          },
          {
            text: ['派单', 'Dispatch'],
            needs: alarm.handle.needs,
            run: () => setAsked({ of: row, to: AlarmState.dispatched }),
            not: alarmCan.dispatch(row.state) === undefined && ['已派单或已恢复', 'Already dispatched or recovered'],
          },
        ]}
      />
      {asked && <Handle {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Handle({ of, to, onClose }: { of: Row; to: 1 | 3; onClose: () => void }) {
  const hands = to === AlarmState.dispatched
  return (
    <FormDialog
      title={hands ? ['派单', 'Dispatch alarm'] : ['确认告警', 'Acknowledge alarm']}
      entity={LampAlarm}
      mode="new"
      value={{ id: of.id, version: of.version, state: to }}
      save={alarm.handle}
      changes={WIRING_CHANGES}
      act={hands ? ['派单', 'Dispatch'] : ['确认', 'Acknowledge']}
      onClose={onClose}
      fields={[...(hands ? (['workOrderNo'] as const) : []), { name: 'remark', optional: true }]}
    />
  )
}
