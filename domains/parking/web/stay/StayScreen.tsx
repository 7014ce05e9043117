import { lazy, Suspense, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { type Column, ListScreen, type RowAction } from '../../../../platform/web/list/ListScreen.tsx'
import { type Say, useText } from '../../../../platform/web/text.ts'
import { recordSheet } from '../../contract/recordSheet.ts'
import { mayVoid, SessionStatus, stay, stayCan, type StayRow, staySearch, type Story, PayState } from '../../contract/stay.ts'
import { STAY_TOPIC } from './changes.ts'
import { findPark, GateName, GateSelect, ParkName } from '../api/names.tsx'
import { FeeSoFar, ParkedFor } from '../api/SoFar.tsx'
import '../parking.css'
import { Direction } from '../../contract/gate.ts'

/** The search fields of every list of stays. */
export const FIND = [{ name: 'plateNo', label: ['车牌', 'Plate'] }, findPark] as const
export const gateShown = (code: string) => <GateName code={code} />
// A stay's story is long to tell and comes with the first one that is opened.
const StayHead = lazy(async () => ({ default: (await import('./StayStory.tsx')).StayHead }))
const StayAct = lazy(async () => ({ default: (await import('./StayStory.tsx')).StayAct }))
const StayStory = lazy(async () => ({ default: (await import('./StayStory.tsx')).StayStory }))
const CorrectPlate = lazy(async () => ({ default: (await import('./StayDialogs.tsx')).CorrectPlate }))
const CorrectTimes = lazy(async () => ({ default: (await import('./StayDialogs.tsx')).CorrectTimes }))
const UndoExit = lazy(async () => ({ default: (await import('./StayDialogs.tsx')).UndoExit }))
const VoidUnseen = lazy(async () => ({ default: (await import('./StayDialogs.tsx')).VoidUnseen }))
const HandleAbnormal = lazy(async () => ({ default: (await import('./StayDialogs.tsx')).HandleAbnormal }))
export const storyDetail = {
  call: stay.story,
  head: (story: Of<typeof Story>) => <StayHead {...story} />,
  act: (story: Of<typeof Story>) => <StayAct {...story} />,
  body: (story: Of<typeof Story>) => <StayStory {...story} />,
}

/** Voids a stay at an exit that was not seen coming in; an abnormal one is resolved instead. */
export const voidAction = (of: StayRow, run: () => void) =>
  of.status === SessionStatus.leaving && mayVoid(of) ? [{ text: ['作废', 'Void'] as const, needs: stay.handle.needs, danger: true, run }] : []

/** Actions for stays of lanes alone: a stay of the street is corrected where its evidence is kept. */
export const offStreet = <A,>({ seatCode }: StayRow, ...actions: A[]): A[] => (seatCode === null ? actions : [])

type Doing = { of: StayRow; what: 'plate' | 'times' | 'undo' | 'handle' | 'void' }

/** Every visit of a car and what it cost. */
export default function StayScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['每次停车的进出场记录与费用', 'Every stay from entry to exit, with its fee']}
        query={stay.queryPage}
        search={staySearch}
        exports={recordSheet.records}
        find={[
          ...FIND,
          'entryTime',
          'status',
          'payState',
          'abnormalType',
          'carKindIn',
          'exitTime',
          'entered',
          { name: 'entryGate', control: <GateSelect direction={Direction.entrance} />, shown: gateShown },
          { name: 'exitGate', control: <GateSelect direction={Direction.exit} />, shown: gateShown },
        ]}
        sum={{
          totals: ['receivableFen', 'discountFen', 'paidFen'],
          figures: [
            { text: ['在场', 'present'], leads: { status: [SessionStatus.present] } },
            { text: ['待离场', 'leaving'], leads: { status: [SessionStatus.leaving] } },
            { text: ['异常', 'abnormal'], leads: { status: [SessionStatus.abnormal] } },
            { text: ['欠费', 'in arrears'], leads: { payState: [PayState.owed] } },
          ],
        }}
        columns={columnsOf(say)}
        hidden={['carKindIn', 'abnormalType', 'entryGate', 'exitGate', 'discountFen', 'entryImage', 'exitImage', 'id']}
        roomy={['durationMin', 'receivableFen', 'payState']}
        live={STAY_TOPIC}
        actions={(row) => actionsOf(row, setDoing)}
        detail={storyDetail}
      />
      <Suspense>
        {doing?.what === 'plate' && <CorrectPlate of={doing.of} onClose={close} />}
        {doing?.what === 'times' && <CorrectTimes of={doing.of} onClose={close} />}
        {doing?.what === 'undo' && <UndoExit of={doing.of} onClose={close} />}
        {doing?.what === 'void' && <VoidUnseen of={doing.of} onClose={close} />}
        {doing?.what === 'handle' && <HandleAbnormal of={doing.of} onClose={close} />}
      </Suspense>
    </>
  )
}

const columnsOf = (say: Say): Column<StayRow>[] => [
  'plateNo',
  'status',
  { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
  'entryTime',
  'exitTime',
  { dataIndex: 'durationMin', render: (_, row) => <ParkedFor stay={row} /> },
  'carKindIn',
  { dataIndex: 'receivableFen', render: (_, row) => <FeeSoFar stay={row} /> },
  'paidFen',
  'payState',
  'abnormalType',
  { dataIndex: 'entryGate', render: (_, row) => <GateName code={row.entryGate} /> },
  { dataIndex: 'exitGate', render: (_, row) => <GateName code={row.exitGate} /> },
  'discountFen',
  'entryImage',
  'exitImage',
  'id',
]

const VOID = ['已作废的记录不能更改', 'A void record cannot be changed'] as const
const actionsOf = (row: StayRow, setDoing: (doing: Doing) => void): RowAction[] => [
  ...offStreet(
    row,
    {
      text: ['修正车牌', 'Correct plate'] as const,
      needs: stay.correctPlate.needs,
      run: () => setDoing({ of: row, what: 'plate' as const }),
      not: row.status === SessionStatus.void && VOID,
    },
    {
      text: ['改时间', 'Fix times'] as const,
      needs: stay.correctTimes.needs,
      run: () => setDoing({ of: row, what: 'times' as const }),
      not: row.status === SessionStatus.void && VOID,
    },
  ),
  ...(row.status === SessionStatus.left && row.exitGate
    ? [{ text: ['撤销离场', 'Undo exit'] as const, needs: stay.undoExit.needs, run: () => setDoing({ of: row, what: 'undo' as const }) }]
    : []),
  ...(stayCan.confirmExit(row.status) === undefined
    ? []
    : [{ text: ['处理异常', 'Resolve'] as const, needs: stay.handle.needs, run: () => setDoing({ of: row, what: 'handle' as const }) }]),
  ...voidAction(row, () => setDoing({ of: row, what: 'void' })),
]
