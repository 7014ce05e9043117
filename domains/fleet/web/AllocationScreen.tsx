import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { Facts, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Pictures, Plate, State } from '../../../platform/web/value.tsx'
import { allocation, AllocationLine, allocationSearch, AllocationState, allocationCan, STEP } from '../contract/allocation.ts'
import { AllocationGantt } from './AllocationGantt.tsx'
import { type Asked, Dialogs, type Row } from './AllocationDialogs.tsx'
import { km, VehicleSelect } from './parts.tsx'

type Shown = 'list' | 'gantt'
const OWN: Text = ['申请人不能审批自己的申请', 'Applicants cannot approve their own requests']
const NOT_YET: Text = ['当前状态不允许', 'Not possible in its current state']

/** Cars asked for, decided, handed out and taken back: as a list, or car by car on an axis of days. */
export default function AllocationScreen() {
  const me = person.use()?.custId
  const [shown, show] = useState<Shown>('list')
  const [asked, setAsked] = useState<Asked>()
  const toolbar = <ListOrSchedule shown={shown} show={show} />
  if (shown === 'gantt') return <AllocationGantt toolbar={toolbar} />
  const may = (right: string) => can(right as never)
  return (
    <>
      <ListScreen
        purpose={[
          '用车申请、审批、发车交接与还车；同一车和同一驾驶员的时段不会重叠',
          'Vehicle requests, approval, handing out and taking back; times of one vehicle or driver never overlap',
        ]}
        query={allocation.query}
        search={allocationSearch}
        exports={allocation.export}
        toolbar={toolbar}
        find={[
          'vehicleNo',
          'state',
          'planFrom',
          'driverName',
          'dept',
          'allocationNo',
          'planTo',
          'odoOff',
          { name: 'vehicleId', control: <VehicleSelect /> },
        ]}
        sum={{
          figures: [
            { text: ['待审', 'to approve'], leads: { state: [AllocationState.applied] } },
            { text: ['待发车交接', 'to hand over'], leads: { state: [AllocationState.approved] } },
            { text: ['出车中', 'out'], leads: { state: [AllocationState.out] } },
            { text: ['里程不符', 'mileage mismatch'], leads: { odoOff: true } },
          ],
        }}
        columns={COLUMNS}
        hidden={['dept', 'origin', 'approverName', 'decidedAt', 'verdict', 'outAt', 'inAt', 'odoOff']}
        roomy={['reason', 'applicantName', 'allocationNo']}
        add={{ call: allocation.add, open: () => setAsked({ what: 'new' }), text: ['申请用车', 'Request vehicle'] }}
        history={{ kind: 'fleet.allocation', changes: [allocation.query] } as never}
        actions={(row) => actionsOf(row, me, setAsked)}
        detail={{
          call: allocation.one,
          input: (id) => ({ id: id as never }),
          head: (row) => (
            <>
              <b>{row.allocationNo}</b> <State dictionary={AllocationState} value={row.state} />
            </>
          ),
          act: (row) => <NextStep row={row} may={may} step={(what) => setAsked({ what, of: row })} mine={row.applicantId === (me as string)} />,
          body: (row) => <Story row={row} />,
        }}
        empty={['还没有用车申请', 'No vehicle requests yet']}
      />
      {asked && <Dialogs asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function ListOrSchedule({ shown, show }: { shown: Shown; show: (shown: Shown) => void }) {
  const say = useText()
  return (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'list', label: say(['列表', 'List']) },
        { value: 'gantt', label: say(['排期', 'Schedule']) },
      ]}
    />
  )
}

const COLUMNS: Column<Row>[] = [
  'allocationNo',
  { dataIndex: 'vehicleNo', render: (_, row) => <Plate number={row.vehicleNo} color={row.plateColor} /> },
  'driverName',
  'state',
  'planFrom',
  'planTo',
  'dest',
  'reason',
  'applicantName',
  'dept',
  'origin',
  'approverName',
  'decidedAt',
  'verdict',
  'outAt',
  'inAt',
  'odoOff',
]

/** The actions that a request's state allows, with the reason where one is refused; nobody decides a request of their own. */
function actionsOf(row: Row, me: string | undefined, ask: (asked: Asked) => void): RowAction[] {
  const step = (what: 'approve' | 'reject' | 'out' | 'back' | 'plan' | 'cancel') => () => ask({ what, of: row })
  const own = row.applicantId === me && OWN
  return [
    ...(allocationCan.approve(row.state) === undefined
      ? []
      : [
          { text: ['批准', 'Approve'] as Text, needs: STEP.approve, run: step('approve'), not: own },
          { text: ['驳回', 'Reject'] as Text, needs: STEP.approve, run: step('reject'), not: own },
        ]),
    ...(allocationCan.handOut(row.state) === undefined ? [] : [{ text: ['发车交接', 'Hand over'] as Text, needs: STEP.handOut, run: step('out') }]),
    ...(allocationCan.takeBack(row.state) === undefined ? [] : [{ text: ['还车', 'Return'] as Text, needs: STEP.takeBack, run: step('back') }]),
    {
      text: ['改计划', 'Change plan'],
      needs: STEP.plan,
      run: step('plan'),
      not: row.state > AllocationState.out && NOT_YET,
    },
    {
      text: ['取消', 'Cancel'],
      needs: STEP.cancel,
      run: step('cancel'),
      not: allocationCan.cancel(row.state) === undefined && NOT_YET,
      danger: true,
    },
  ]
}

function NextStep({
  row,
  may,
  step,
  mine,
}: {
  row: Row
  may: (right: string) => boolean
  step: (what: 'approve' | 'out' | 'back') => void
  mine: boolean
}): ReactNode {
  const say = useText()
  const next = NEXT.find(({ state }) => state === row.state)
  if (!next || !may(next.right) || (mine && next.what === 'approve')) return null
  return (
    <Button type="primary" onClick={() => step(next.what)}>
      {say(next.text)}
    </Button>
  )
}
const NEXT: { state: number; what: 'approve' | 'out' | 'back'; right: string; text: Text }[] = [
  { state: AllocationState.applied, what: 'approve', right: STEP.approve, text: ['批准', 'Approve'] },
  { state: AllocationState.approved, what: 'out', right: STEP.handOut, text: ['发车交接', 'Hand over'] },
  { state: AllocationState.out, what: 'back', right: STEP.takeBack, text: ['还车', 'Return'] },
]

function Story({ row }: { row: Row }) {
  const say = useText()
  const events = [
    { at: row.createdAt, title: say([`${row.applicantName} 申请`, `Requested by ${row.applicantName}`]), body: row.reason },
    row.decidedAt && {
      at: row.decidedAt,
      title:
        row.state === AllocationState.rejected
          ? say([`${row.approverName} 驳回`, `Rejected by ${row.approverName}`])
          : say([`${row.approverName} 批准`, `Approved by ${row.approverName}`]),
      body: row.verdict ?? '',
    },
    row.outAt && {
      at: row.outAt,
      title: say([`${row.outBy} 发车交接，里程 ${km(row.odoOut)}`, `Handed over by ${row.outBy} at ${km(row.odoOut)}`]),
      body: row.imagesOut ? <Pictures addresses={row.imagesOut} height={72} /> : '',
    },
    row.inAt && {
      at: row.inAt,
      title: say([`${row.inBy} 接车，里程 ${km(row.odoIn)}`, `Taken back by ${row.inBy} at ${km(row.odoIn)}`]),
      body: row.imagesIn ? <Pictures addresses={row.imagesIn} height={72} /> : (row.damage ?? ''),
    },
  ].filter((one) => one !== null)
  return (
    <>
      <Facts
        entity={AllocationLine}
        of={row}
        show={[
          'vehicleNo',
          'driverName',
          'dept',
          'planFrom',
          'planTo',
          'origin',
          'dest',
          'fuelOut',
          'fuelIn',
          { label: ['用车里程', 'Distance driven'], value: row.odoIn === null || row.odoOut === null ? '--' : km(row.odoIn - row.odoOut) },
          { label: ['轨迹里程', 'Track distance'], value: km(row.trackM) },
          'odoOff',
          'damage',
          'verdict',
        ]}
      />
      <Timeline events={events.map((one) => ({ key: one.at, at: one.at, title: one.title, body: one.body }))} />
    </>
  )
}
