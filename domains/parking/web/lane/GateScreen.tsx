import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { type Column, ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { Lines } from '../../../../platform/web/list/Lines.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { Plate, State, Time } from '../../../../platform/web/value.tsx'
import { command, CommandFailure, CommandState } from '../../../device/contract/command.ts'
import { toldWords } from '../../../device/web/api/words.ts'
import { Direction, gate, GateDetail, gateSearch } from '../../contract/gate.ts'
import { statusCan, UseStatus } from '../../contract/park.ts'
import { Barrier, barrierOf } from './Barrier.tsx'
import { GATE_CHANGES } from '../stay/changes.ts'
import { Disable } from '../place/Disable.tsx'
import { findPark, ParkName } from '../api/names.tsx'
import { CloseGate, KeepOpen, LedText, LockGate, OpenGate } from './OpenGate.tsx'
import { LANE_TOPIC } from './useBoards.ts'
import '../parking.css'

type Row = Of<typeof GateDetail>
type What = 'edit' | 'open' | 'keep' | 'close' | 'lock' | 'led' | 'status'
const GateForm = lazy(async () => ({ default: (await import('./GateForm.tsx')).GateForm }))
const OFFLINE: Text = [
  '设备离线，指令到期前上线才会执行',
  'The device is offline; the command runs only if it comes online before the command expires',
]

/** The lanes of the parks: their devices, their barriers, and opening one by hand. */
export default function GateScreen() {
  const say = useText()
  const remove = useRemove(GATE_CHANGES)
  const [doing, setDoing] = useState<Asked>()
  const act = (what: What, of: Row) => () => setDoing({ what, of })
  return (
    <>
      <ListScreen
        purpose={[
          '车场的出入口：设备是否在线、道闸状态，需要时手动放行',
          'Car park entrances and exits: device and barrier state; open by hand when needed',
        ]}
        query={gate.queryPage}
        search={gateSearch}
        find={[findPark, 'direction', 'status', 'name', 'gateCode']}
        rowKey="gateCode"
        columns={columnsOf(say)}
        hidden={['lane', 'cameraId', 'barrierId', 'ledId', 'areaFrom', 'areaTo', 'remark']}
        roomy={['gateCode']}
        live={LANE_TOPIC}
        cells={{ save: gate.update, fields: ['name', 'direction', 'remark'], changes: GATE_CHANGES }}
        add={{ call: gate.add, open: () => setDoing({ what: 'new' }) }}
        actions={(row) => [
          {
            text: ['开闸', 'Open'],
            needs: gate.openGate.needs,
            run: act('open', row),
            not: notOpened(row),
          },
          { text: Label.edit, needs: gate.update.needs, run: act('edit', row) },
          { text: ['LED 文字', 'LED text'], needs: gate.textToLed.needs, run: act('led', row) },
          { text: ['常开', 'Keep open'], needs: gate.openGate.needs, run: act('keep', row), not: row.lockedBy !== null && LOCKED },
          { text: ['关闸', 'Close'], needs: gate.openGate.needs, run: act('close', row) },
          { text: row.lockedBy === null ? ['锁闸', 'Lock'] : ['解锁', 'Unlock'], needs: gate.openGate.needs, run: act('lock', row) },
          { text: statusCan.disable(row.status) ? Label.disable : Label.enable, needs: gate.updateStatus.needs, run: act('status', row) },
          deleting(remove, gate.delete, { id: row.id, version: row.version }, `${row.gateCode} ${row.name}`, { kind: 'parking.gate', key: row.id }),
        ]}
        detail={{
          call: gate.gateDetail,
          input: (gateCode) => ({ gateCode }),
          head: (row) => (
            <>
              <b>{row.name}</b> <State dictionary={UseStatus} value={row.status} />
            </>
          ),
          act: (row) =>
            can(gate.openGate.needs) && (
              <Button type="primary" disabled={notOpened(row) !== undefined} onClick={act('open', row)}>
                {say(['开闸', 'Open barrier'])}
              </Button>
            ),
          body: (row) => <GateStory row={row} />,
        }}
      />
      {doing && <Doing {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const LOCKED: Text = ['已锁闸，请先解锁', 'Locked: unlock it first']
/** Why its barrier is not raised now. */
function notOpened({ status, lockedBy }: Row): Text | undefined {
  if (status === UseStatus.disabled) return ['通道已停用', 'The lane is disabled']
  return lockedBy === null ? undefined : LOCKED
}

const columnsOf = (say: Say): Column<Row>[] => [
  'name',
  'gateCode',
  { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
  { dataIndex: 'direction', render: (_, row) => <Tag variant="filled">{say(Direction.entries[row.direction])}</Tag> },
  { dataIndex: 'online', render: (_, row) => <Online row={row} /> },
  { dataIndex: 'gateState', render: (_, row) => <Barrier state={row.online ? barrierOf(row.gateState) : 'unknown'} /> },
  'lockedBy',
  { dataIndex: 'plateNo', render: (_, row) => <AtGate row={row} /> },
  'status',
  'lane',
  'cameraId',
  'barrierId',
  'ledId',
  'areaFrom',
  'areaTo',
  'remark',
]

type Asked = { what: 'new'; of?: undefined } | { what: What; of: Row }
function Doing({ what, of, onClose }: Asked & { onClose: () => void }) {
  if (!of || what === 'edit')
    return (
      <Suspense>
        <GateForm of={of} onClose={onClose} />
      </Suspense>
    )
  if (what === 'open') return <OpenGate at={of} onClose={onClose} />
  if (what === 'keep') return <KeepOpen at={of} onClose={onClose} />
  if (what === 'lock') return <LockGate at={of} locked={of.lockedBy !== null} onClose={onClose} />
  if (what === 'close') return <CloseGate at={of} onClose={onClose} />
  if (what === 'led') return <LedText at={of} onClose={onClose} />
  return <Disable of={of} call={gate.updateStatus} changes={GATE_CHANGES} means={DISABLED_MEANS} onClose={onClose} />
}
const DISABLED_MEANS: Text = [
  '停用后这条通道不再放行任何车；启用后恢复自动放行',
  'While disabled, the lane lets no car pass; once enabled, it lets cars pass automatically again',
]

function Online({ row }: { row: Row }) {
  const say = useText()
  if (!row.barrierId && !row.cameraId) return <span className="faint">{say(['未绑定设备', 'No device'])}</span>
  return row.online ? (
    <span className="state success">{say(['在线', 'Online'])}</span>
  ) : (
    <span className="state error" title={say(OFFLINE)}>
      {say(['离线', 'Offline'])}
    </span>
  )
}
function AtGate({ row }: { row: Row }) {
  if (!row.plateNo) return <span className="faint">--</span>
  return (
    <>
      <Plate number={row.plateNo} color={row.plateColor} /> <span className="faint">{row.since && <Time at={row.since} />}</span>
    </>
  )
}

function GateStory({ row }: { row: Row }) {
  return (
    <>
      <div className="gate-now">
        <Barrier state={row.online ? barrierOf(row.gateState) : 'unknown'} wide />
        <Online row={row} />
        <AtGate row={row} />
      </div>
      <Facts
        entity={GateDetail}
        of={row}
        show={[
          { label: ['车场', 'Car park'], value: <ParkName code={row.parkCode} /> },
          'gateCode',
          'direction',
          'lane',
          'cameraId',
          'barrierId',
          'ledId',
          'areaFrom',
          'areaTo',
          'lockedBy',
          'lastSeenAt',
          'updatedAt',
          'remark',
        ]}
      />
      {can(command.query.needs) && (
        <Section title={['最近指令', 'Latest commands']}>
          <Commands gateCode={row.gateCode} />
        </Section>
      )}
    </>
  )
}
const COMMANDS_SHOWN = 20
/** Shows the recent commands to the lane's devices, and whether they were carried out. */
function Commands({ gateCode }: { gateCode: string }) {
  const say = useText()
  const { data } = useQuery({ ...asks(command.query, { gateCode, limit: COMMANDS_SHOWN }, { quiet: true }), refetchInterval: 5_000 })
  if (data?.records.length === 0) return <p className="faint">{say(['还没有下发过指令', 'No commands yet'])}</p>
  return (
    <Lines
      of={data?.records ?? []}
      keyOf={({ id }) => id}
      columns={[
        { name: ['时间', 'Time'], cell: (one) => <Time at={one.createdAt} /> },
        { name: ['指令', 'Command'], cell: (one) => say(toldWords(one)) },
        { name: ['状态', 'Status'], cell: (one) => <Done of={one} /> },
        { name: ['完成', 'Finished'], cell: (one) => <Time at={one.finishedAt} /> },
      ]}
    />
  )
}
function Done({ of: { state, failure } }: { of: Of<typeof command.query.reply>['records'][number] }) {
  return (
    <>
      <State dictionary={CommandState} value={state} />{' '}
      {failure !== null && failure !== CommandFailure.cancelled && (
        <span className="faint">
          <State dictionary={CommandFailure} value={failure} />
        </span>
      )}
    </>
  )
}
