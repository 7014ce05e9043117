import { useState } from 'react'
import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { QrDialog } from '../../../platform/web/draw/Qr.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Pictures, State, Time } from '../../../platform/web/value.tsx'
import { workOrder } from '../../after-sale/contract/workOrder.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { Level } from '../../after-sale/contract/level.ts'
import { Repair, repair, repairCan, repairSearch, RepairSource, RepairState, type RepairStory } from '../contract/repair.ts'
import { PartsInput, RepairerSelect, ThingSelect } from './repairInputs.tsx'
import { partsFault } from './partsFault.ts'
import './repair.css'

type Row = Of<typeof Repair>
type Told = Of<typeof RepairStory>
type Doing = { what: 'new'; of?: undefined } | { what: 'assign' | 'return' | 'handIn' | 'accept' | 'rework' | 'code'; of: Row }
const CHANGES = [repair.find, repair.one, repair.ofDevice, repair.repairers] as const
const NOT_NOW: Text = ['当前状态不能操作', 'Not possible in its current state']

/** Devices that are broken: reported, given to somebody, repaired, accepted by another. */
export default function RepairScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const actions = useActions(setDoing)
  return (
    <>
      <ListScreen
        purpose={[
          '设备从报修、派单、维修到验收；同一设备同时只有一张未结维修单',
          'From fault report through assignment and repair to acceptance; one open repair per device',
        ]}
        query={repair.find}
        search={repairSearch}
        exports={repair.export}
        live="inspection.repair"
        find={['deviceNo', 'state', findPark, 'level', 'source', 'deviceType', 'repairNo', 'tollNo', 'orderNo', 'createdAt', 'doneAt']}
        sum={{
          figures: [
            { text: ['待派', 'to be assigned'], leads: { state: [RepairState.unassigned, RepairState.returned] } },
            { text: ['待验收', 'to be accepted'], leads: { state: [RepairState.handedIn] } },
          ],
        }}
        columns={columnsOf(say)}
        hidden={['source', 'reports', 'deviceType', 'orderNo', 'openedName', 'partsFen', 'labourFen', 'acceptorName', 'doneAt', 'repairMin']}
        roomy={['deviceNo', 'costFen']}
        add={{ call: repair.insert, open: () => setDoing({ what: 'new' }), text: ['登记报修', 'Report a fault'] }}
        actions={actions}
        history={{ kind: 'inspection.repair', changes: CHANGES }}
        detail={{
          call: repair.one,
          head: (row) => (
            <>
              <State dictionary={Level} value={row.level} /> <State dictionary={RepairState} value={row.state} />{' '}
              <span className="faint">{row.repairNo}</span>
            </>
          ),
          body: (row) => <Story of={row} />,
        }}
        empty={['还没有维修记录', 'No repairs yet']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** The next step first, then the way back. */
function useActions(ask: (doing: Doing) => void) {
  const act = useAct(CHANGES)
  const open = (what: Exclude<Doing['what'], 'new'>, of: Row) => () => ask({ what, of })
  const to = (row: Row, state: Row['state'], done: Text) => () => void act(repair.move, { id: row.id, version: row.version, to: state }, { done })
  const not = (move: keyof typeof repairCan, row: Row) => repairCan[move](row.state) === undefined && NOT_NOW
  const { needs } = repair.move
  const next = (row: Row) =>
    row.state === RepairState.assigned
      ? {
          text: ['开工', 'Start'] as Text,
          needs,
          run: to(row, RepairState.working, ['已开工，设备转为维修中', 'Started: the device is under repair']),
        }
      : row.state === RepairState.working
        ? { text: ['提交验收', 'Submit for acceptance'] as Text, needs, run: open('handIn', row) }
        : row.state === RepairState.handedIn
          ? { text: ['验收', 'Accept'] as Text, needs, run: open('accept', row) }
          : row.state === RepairState.returned
            ? {
                text: ['重新待派', 'Back to unassigned'] as Text,
                needs,
                run: to(row, RepairState.unassigned, ['已转为待派', 'Waiting to be assigned']),
              }
            : { text: ['派单', 'Assign'] as Text, needs, run: open('assign', row), not: not('assign', row) }
  return (row: Row): RowAction[] => [
    next(row),
    row.state === RepairState.handedIn
      ? { text: ['返工', 'Rework'], needs, run: open('rework', row) }
      : { text: ['退回', 'Return'], needs, run: open('return', row), not: not('return', row) },
    { text: ['报修码', 'Repair code'], needs: repair.find.needs, run: open('code', row) },
  ]
}

const columnsOf = (say: Say): Column<Row>[] => [
  'repairNo',
  'level',
  'state',
  'deviceName',
  'deviceNo',
  { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_: unknown, row: Row) => <ParkName code={row.parkCode} /> },
  'desc',
  'tollName',
  'costFen',
  'createdAt',
  'source',
  'reports',
  'deviceType',
  'orderNo',
  'openedName',
  'partsFen',
  'labourFen',
  'acceptorName',
  'doneAt',
  'repairMin',
]

function Story({ of }: { of: Told }) {
  const { data: before = [] } = useQuery(asks(repair.ofDevice, { deviceNo: of.deviceNo }, { quiet: true }))
  const others = before.filter(({ id }) => id !== of.id)
  return (
    <div className="story">
      <Reports of={of} />
      <Facts
        entity={Repair}
        of={of}
        show={[
          'deviceNo',
          'deviceType',
          { label: ['车场', 'Car park'], value: <ParkName code={of.parkCode} /> },
          'tollName',
          'repairerName',
          'acceptorName',
          'partsFen',
          'labourFen',
          'costFen',
          'createdAt',
          'startedAt',
          'submittedAt',
          'doneAt',
          'repairMin',
          ...(of.reason ? (['reason'] as const) : []),
          ...(of.orderId
            ? [
                {
                  label: ['工单', 'Work order'] as const,
                  value: can(workOrder.one.needs) ? <Link to={`/operation/afterSale/order/all/${of.orderId}`}>{of.orderNo}</Link> : of.orderNo,
                },
              ]
            : []),
        ]}
      />
      <Parts of={of} />
      {of.afterImages && (
        <Section title={['修后照片', 'After-repair pictures']}>
          <Pictures addresses={of.afterImages} height={64} />
        </Section>
      )}
      {of.steps.length > 0 && <Steps of={of} />}
      {others.length > 0 && <Others of={others} />}
    </div>
  )
}
function Reports({ of }: { of: Told }) {
  return (
    <Section title={['报修记录', 'Fault reports']}>
      {of.lines.map((line) => (
        <div key={line.id} className="repair-line">
          <p>
            <Time at={line.at} /> <State dictionary={RepairSource} value={line.source} /> <State dictionary={Level} value={line.level} /> {line.who}{' '}
            {line.contact}
          </p>
          <p>{line.desc}</p>
          {line.images && <Pictures addresses={line.images} height={64} />}
        </div>
      ))}
    </Section>
  )
}
function Steps({ of }: { of: Told }) {
  return (
    <Section title={['维修经过', 'Repair history']}>
      {of.steps.map((step) => (
        <p key={step.id}>
          <Time at={step.at} /> <State dictionary={RepairState} value={step.to} /> {step.who} {step.whom && `→ ${step.whom}`}{' '}
          <span className="faint">{step.reason}</span>
          {step.to === RepairState.done && step.images && <Pictures addresses={step.images} height={64} />}
        </p>
      ))}
    </Section>
  )
}
function Others({ of }: { of: readonly Row[] }) {
  return (
    <Section title={['该设备的其他维修', 'Other repairs of this device']}>
      {of.map((one) => (
        <p key={one.id}>
          <Link to={`/operation/maintain/maintainRecord/${one.id}`}>{one.repairNo}</Link> <Time at={one.createdAt} />{' '}
          <State dictionary={RepairState} value={one.state} /> {one.desc}
        </p>
      ))}
    </Section>
  )
}

function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  if (what === 'new') return <Report onClose={onClose} />
  if (what === 'code') return <Code of={of} onClose={onClose} />
  if (what === 'assign') return <Assign of={of} onClose={onClose} />
  if (what === 'handIn') return <HandIn of={of} onClose={onClose} />
  if (what === 'accept') return <Accept of={of} onClose={onClose} />
  return <SendBack of={of} back={what === 'return'} onClose={onClose} />
}
function Report({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={['登记报修', 'Report a fault']}
      entity={Repair}
      mode="new"
      value={{ source: RepairSource.reported, level: Level.middle }}
      save={repair.insert}
      changes={CHANGES}
      fields={[
        {
          name: 'deviceNo',
          label: ['设备', 'Device'],
          control: <ThingSelect />,
          help: ['已有未结维修单的，并入该单', 'If it has an open repair, this report is added to it'],
        },
        'source',
        { name: 'level', help: ['高、紧急同时生成售后工单', 'High and urgent also create a work order'] },
        'desc',
        { name: 'images', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
const MOVE = { entity: repair.move.input, mode: 'new', save: repair.move, changes: CHANGES } as const
const which = ({ id, version }: Row) => ({ id, version })
function Assign({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      {...MOVE}
      title={[`派单 ${of.deviceName}`, `Assign ${of.deviceName}`]}
      value={{ ...which(of), to: RepairState.assigned }}
      act={['派单', 'Assign']}
      done={['已派单', 'Assigned']}
      fields={[
        { name: 'tollNo', control: <RepairerSelect /> },
        { name: 'reason', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
function HandIn({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      {...MOVE}
      title={[`提交验收 ${of.deviceName}`, `Submit ${of.deviceName} for acceptance`]}
      value={{ ...which(of), to: RepairState.handedIn, parts: of.parts, labourFen: of.labourFen }}
      act={['提交', 'Submit']}
      about={<Fault of={of} />}
      done={['已提交，由他人验收', 'Submitted: another person will accept it']}
      fields={[
        { name: 'parts', optional: true, control: <PartsInput />, check: partsFault },
        { name: 'labourFen', optional: true },
        { name: 'images', optional: true, label: ['修后照片', 'After-repair pictures'] },
        { name: 'reason', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
function Accept({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      {...MOVE}
      about={<About of={of} />}
      title={[`验收 ${of.deviceName}`, `Accept ${of.deviceName}`]}
      value={{ ...which(of), to: RepairState.done }}
      act={['验收通过', 'Accept']}
      done={['已验收，设备恢复正常', 'Accepted: the device is back in service']}
      fields={[
        {
          name: 'reason',
          optional: true,
          label: ['验收说明', 'Acceptance note'],
          help: ['不合格请改用返工', 'If it does not work, use Rework instead'],
        },
        { name: 'images', optional: true, label: ['验收照片', 'Acceptance pictures'] },
      ]}
      onClose={onClose}
    />
  )
}
/** Sends a repair back: before it is begun to the people who assign; after it was handed in, to its repairer. */
function SendBack({ of, back, onClose }: { of: Row; back: boolean; onClose: () => void }) {
  return (
    <FormDialog
      {...MOVE}
      title={back ? [`退回 ${of.deviceName}`, `Return ${of.deviceName}`] : [`返工 ${of.deviceName}`, `Rework ${of.deviceName}`]}
      about={back ? <Fault of={of} /> : <About of={of} />}
      value={{ ...which(of), to: back ? RepairState.returned : RepairState.working }}
      act={back ? ['退回', 'Return'] : ['返工', 'Rework']}
      done={back ? ['已退回', 'Returned'] : ['已要求返工', 'Rework requested']}
      fields={[{ name: 'reason', label: ['原因', 'Reason'] }]}
      onClose={onClose}
    />
  )
}

/** Shows the reported fault. */
const Fault = ({ of }: { of: Row }) => (
  <div className="repair-line">
    <Facts
      entity={Repair}
      of={of}
      show={['repairNo', 'level', 'deviceNo', { label: ['车场', 'Park'], value: <ParkName code={of.parkCode} /> }, 'desc', 'createdAt']}
    />
    {of.images && <Pictures addresses={of.images} height={64} />}
  </div>
)
/** Shows what a person should review before they accept a repair or send it back: the fault, the work done and its cost. */
function About({ of }: { of: Row }) {
  const say = useText()
  return (
    <>
      <Fault of={of} />
      <Facts
        entity={Repair}
        of={of}
        show={['tollName', 'repairerName', 'submittedAt', 'partsFen', 'labourFen', 'costFen', ...(of.reason ? (['reason'] as const) : [])]}
      />
      <Parts of={of} />
      {of.afterImages ? (
        <Pictures addresses={of.afterImages} height={96} />
      ) : (
        <p className="faint">{say(['没有修后照片', 'No after-repair pictures'])}</p>
      )}
    </>
  )
}
function Parts({ of: { parts } }: { of: Row }) {
  const say = useText()
  if (parts.length === 0) return null
  return (
    <Section title={['配件', 'Parts']}>
      <Table
        size="small"
        pagination={false}
        rowKey="name"
        dataSource={parts}
        columns={[
          { title: say(['配件', 'Part']), dataIndex: 'name' },
          { title: say(['数量', 'Quantity']), dataIndex: 'qty', align: 'right' },
          { title: say(['单价', 'Unit price']), dataIndex: 'priceFen', align: 'right', render: (price: Fen) => `¥${yuan(price)}` },
        ]}
      />
    </Section>
  )
}

/** Shows the code to print and put on the device. */
function Code({ of, onClose }: { of: Row; onClose: () => void }) {
  const { data } = useQuery(asks(repair.code, { deviceNo: of.deviceNo }))
  if (!data) return null
  return (
    <QrDialog
      title={['报修码', 'Repair code']}
      value={`${location.origin}${data.path}`}
      fileName={of.deviceNo}
      caption={`${of.deviceName} ${of.deviceNo}`}
      onClose={onClose}
    />
  )
}
