import { recordSheet } from '../../contract/recordSheet.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Act } from '../../../../platform/web/form/catalogued.tsx'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { ListScreen, type RowAction } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { tickedSome } from '../../../../platform/web/list/selection.ts'
import { useText } from '../../../../platform/web/text.ts'
import { clearing } from '../../contract/clearing.ts'
import { gate, Direction } from '../../contract/gate.ts'
import { stay, type StayRow, staySearch, SessionStatus, SessionAbnormal, CarKind } from '../../contract/stay.ts'
import { STAY_TOPIC } from './changes.ts'
import { GateName, GateSelect, ParkName } from '../api/names.tsx'
import { FeeSoFar, OwesNow, ParkedFor } from '../api/SoFar.tsx'
import type { Doing } from './PresentDialog.tsx'
import { FIND, offStreet, gateShown, storyDetail, voidAction } from './StayScreen.tsx'
import '../parking.css'

// The list is the first that most people see; its dialogs come when somebody asks for one.
const Dialog = lazy(() => import('./PresentDialog.tsx'))

const ENTRY = { name: 'entryGate', control: <GateSelect direction={Direction.entrance} />, shown: gateShown } as const

/** The cars that are inside now and what each owes at this moment. */
export default function PresentScreen() {
  const say = useText()
  const [address, setAddress] = useSearchParams()
  const [chosen, setDoing] = useState<Doing>()
  // A notice links the approver of a clearing to it.
  const doing: Doing | undefined = chosen ?? (address.has(CLEARINGS) ? { what: 'cleared' } : undefined)
  const close = () => {
    setDoing(undefined)
    if (!address.has(CLEARINGS)) return
    address.delete(CLEARINGS)
    setAddress(address, { replace: true })
  }
  return (
    <>
      <ListScreen
        purpose={['当前在场的车辆与现在应付的费用', 'Cars inside now and what each of them owes']}
        query={stay.queryPresentPage}
        search={staySearch}
        exports={recordSheet.present}
        find={[...FIND, 'entryTime', 'carKindIn', 'status', ENTRY]}
        sum={{
          figures: [
            { text: ['待离场', 'leaving'], leads: { status: [SessionStatus.leaving] } },
            { text: ['超长在场', 'overstaying'], leads: { abnormalType: [SessionAbnormal.overstay] } },
            { text: ['月租车', 'with a pass'], leads: { carKindIn: [CarKind.pass] } },
          ],
        }}
        columns={[
          'plateNo',
          'status',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          { dataIndex: 'entryGate', render: (_, row) => <GateName code={row.entryGate} /> },
          'entryTime',
          { dataIndex: 'durationMin', render: (_, row) => <ParkedFor stay={row} /> },
          { dataIndex: 'receivableFen', render: (_, row) => <FeeSoFar stay={row} /> },
          { key: 'owes', title: say(['现在应付', 'Due now']), align: 'right', render: (_, row) => <OwesNow stay={row} /> },
          'carKindIn',
          'paidFen',
          'entryImage',
          'areaCode',
        ]}
        hidden={['carKindIn', 'paidFen', 'entryImage', 'areaCode']}
        roomy={['entryTime']}
        ticks={can(stay.clear.needs)}
        live={STAY_TOPIC}
        toolbar={({ ticked }) => <Toolbar ticked={ticked} ask={setDoing} />}
        actions={(row) => actionsOf(row, setDoing)}
        detail={storyDetail}
      />
      {doing && (
        <Suspense>
          <Dialog {...doing} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

type Ask = (doing: Doing) => void
function Toolbar({ ticked, ask }: { ticked: readonly StayRow[]; ask: Ask }) {
  const say = useText()
  return (
    <>
      <Act text={['补录入场', 'Enter a car by hand']} needs={stay.supplement.needs} onClick={() => ask({ what: 'supplement' })} />
      {can(stay.clear.needs) && (
        <>
          <Act
            text={['清场', 'Clear']}
            needs={stay.clear.needs}
            onClick={() => tickedSome(ticked) && ofOnePark(ticked) && ask({ what: 'clear', ticked })}
          />
          <Button onClick={() => ask({ what: 'clear', ticked: [] })}>{say(['按条件清场', 'Clear by condition'])}</Button>
        </>
      )}
      {(can(stay.clear.needs) || can(clearing.approve.needs)) && (
        <Button onClick={() => ask({ what: 'cleared' })}>{say(['清场记录', 'Clearings'])}</Button>
      )}
    </>
  )
}

const actionsOf = (row: StayRow, ask: Ask): RowAction[] => [
  ...(row.status === LEAVING && row.exitGate
    ? [{ text: ['开闸', 'Open'] as const, needs: gate.openGate.needs, run: () => ask({ what: 'open' as const, of: row }) }]
    : []),
  ...offStreet(row, {
    text: ['修正车牌', 'Correct plate'] as const,
    needs: stay.correctPlate.needs,
    run: () => ask({ what: 'plate' as const, of: row }),
  }),
  { text: ['清场', 'Clear'], needs: stay.clear.needs, run: () => ask({ what: 'clear', ticked: [row] }) },
  ...offStreet(row, {
    text: ['改时间', 'Fix times'] as const,
    needs: stay.correctTimes.needs,
    run: () => ask({ what: 'times' as const, of: row }),
  }),
  ...voidAction(row, () => ask({ what: 'void', of: row })),
]

const LEAVING = 2
const CLEARINGS = 'clearings'

/** One clearing is of one park. */
function ofOnePark(ticked: readonly StayRow[]): boolean {
  if (new Set(ticked.map((one) => one.parkCode)).size <= 1) return true
  toast('warning', ['一次只能清一个车场的车', 'Clear the cars of one car park at a time'])
  return false
}
