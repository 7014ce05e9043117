import { plural } from '../../../platform/contract/plural.ts'
import { Button, Input } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { tickedSome } from '../../../platform/web/list/selection.ts'
import { useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { HANDLED_MAX, Verdict, warningCan, warningSearch, type WorkWarning, workWarning } from '../contract/workWarning.ts'
import { findGroup, useParkColumn } from './choices.tsx'

type Row = Of<typeof WorkWarning>
const CHANGES = [workWarning.query, workWarning.totals]

/** Warnings about people at work, to be followed up. */
export default function WorkWarningScreen() {
  const say = useText()
  const park = useParkColumn()
  const [handling, handle] = useState<readonly Row[]>()
  const open = ({ state }: Row) => warningCan.handle(state) !== undefined
  return (
    <>
      <ListScreen
        purpose={[
          '脱岗、静止、聚集、未打卡、迟到、早退、PDA 离线、超时未处理订单；由班组长或督导核实处理',
          'Off post, not moving, gathered, no clock-in, late, left early, handheld offline, overdue orders; leaders or supervisors handle them',
        ]}
        query={workWarning.query}
        search={warningSearch}
        exports={workWarning.export}
        find={['startAt', 'rule', 'state', 'name', findGroup, findPark, 'level', 'tollNo']}
        columns={[
          'startAt',
          'endAt',
          'rule',
          'level',
          'tollNo',
          'name',
          park,
          { dataIndex: 'placeCode', render: (_, row) => <ParkName code={row.placeCode} still /> },
          'times',
          'state',
          'opinion',
          'handlerName',
          'handledAt',
        ]}
        hidden={['handledAt', 'tollNo']}
        roomy={['placeCode', 'level']}
        ticks
        toolbar={({ ticked, untick }) =>
          can(workWarning.handle.needs) && (
            <Button onClick={() => tickedSome(ticked) && (handle(ticked.filter(open).slice(0, HANDLED_MAX)), untick())}>
              {say(['处理', 'Handle'])}
            </Button>
          )
        }
        actions={(row) => [
          { text: ['处理', 'Handle'], needs: workWarning.handle.needs, run: () => handle([row]), not: !open(row) && ['已处理', 'Already handled'] },
        ]}
        empty={['没有预警', 'No warnings']}
      />
      {handling && handling.length > 0 && <Handle rows={handling} onClose={() => handle(undefined)} />}
    </>
  )
}
function Handle({ rows, onClose }: { rows: readonly Row[]; onClose: () => void }) {
  const ids = rows.map(({ id }) => id)
  return (
    <FormDialog
      title={[`处理 ${rows.length} 条预警`, `Handle ${rows.length} ${plural(rows.length, 'warning')}`]}
      entity={workWarning.handle.input}
      mode="new"
      value={{ state: Verdict.handled }}
      also={{ ids }}
      save={workWarning.handle}
      act={['处理', 'Handle']}
      done={['已处理', 'Handled']}
      changes={CHANGES}
      fields={[
        { name: 'state', help: ['误报不计入统计', 'False alarms are not counted'] },
        { name: 'opinion', control: <Input.TextArea rows={3} /> },
      ]}
      onClose={onClose}
    />
  )
}
