import { useQuery } from '@tanstack/react-query'
import { Drawer, Segmented, Table } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { labelOf, type Shape, WholeValue } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { Line, type PatrolRecord, patrolRecord, recordSearch } from '../contract/patrolRecord.ts'
import { type Result, result, resultSearch } from '../contract/result.ts'
import { findInspector } from './choices.tsx'
import { RoundForm } from './RoundForm.tsx'

type Row = Of<typeof PatrolRecord>
const TASKS = '/operation/maintain/rostering'

/** The rounds with their findings, and the result for each device. */
export default function PatrolRecordScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const shown = params.get('tab') === 'results' ? 'results' : 'records'
  const turn = (
    <Segmented
      value={shown}
      onChange={(tab) => setParams(new URLSearchParams(tab === 'results' ? { tab } : ''))}
      options={[
        { value: 'records', label: say(['巡检记录', 'Patrol records']) },
        { value: 'results', label: say(['结果', 'Results']) },
      ]}
    />
  )
  return shown === 'records' ? <Records turn={turn} /> : <Results turn={turn} />
}

function Records({ turn }: { turn: ReactNode }) {
  const say = useText()
  const [open, setOpen] = useState<Row>()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <ListScreen
        purpose={[
          '每次巡检的人员、时间与发现；异常并入设备的未完成维修，或新建一张',
          'Who patrolled, when and what was found; faults are added to the device’s open repair or open a new one',
        ]}
        query={patrolRecord.find}
        search={recordSearch}
        exports={patrolRecord.export}
        above={turn}
        add={{ call: patrolRecord.insert, open: () => setAdding(true), text: ['提交巡检', 'Submit patrol'] }}
        find={['endedAt', findPark, findInspector, 'taskNo', 'abnormal']}
        columns={[
          { dataIndex: 'taskNo', render: (_, row) => <Link to={`${TASKS}?taskNo=${row.taskNo}`}>{row.taskNo}</Link> },
          'taskName',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'tollName',
          'startedAt',
          'endedAt',
          'devices',
          'abnormal',
          'skipped',
          'authorName',
        ]}
        hidden={['startedAt', 'authorName']}
        actions={(row) => [{ text: ['明细', 'Details'], needs: patrolRecord.details.needs, run: () => setOpen(row) }]}
        empty={['还没有巡检记录', 'No patrol records yet']}
      />
      {open && <Lines of={open} onClose={() => setOpen(undefined)} />}
      {adding && <RoundForm onClose={() => setAdding(false)} />}
    </>
  )
}

const SHOWN = ['deviceName', 'deviceNo', 'itemName', 'value', 'ok', 'level', 'images', 'proof', 'distM', 'repairNo'] as const
function Lines({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  const { data, error, refetch } = useQuery(asks(patrolRecord.details, { recordId: of.id }, { quiet: true }))
  return (
    <Drawer
      open
      size="large"
      title={say([`巡检明细 · ${of.taskNo} ${of.tollName ?? ''}`, `Patrol details · ${of.taskNo} ${of.tollName ?? ''}`])}
      onClose={onClose}
    >
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <Table
          size="small"
          rowKey="id"
          dataSource={data}
          pagination={{ pageSize: 50, hideOnSinglePage: true }}
          scroll={{ x: 'max-content' }}
          columns={SHOWN.map((name) => ({
            title: say(labelOf(Line.properties[name])),
            render: (_: unknown, line: Of<typeof Line>) => (
              <WholeValue shape={Line.properties[name] as never as Shape} value={line[name]} of={line} />
            ),
          }))}
        />
      )}
    </Drawer>
  )
}

type Came = Of<typeof Result>
function Results({ turn }: { turn: ReactNode }) {
  const say = useText()
  return (
    <ListScreen
      purpose={['每台设备的巡检、维修与报废结果', 'Results of patrols, repairs and scrapping for each device']}
      query={result.query}
      search={resultSearch}
      exports={result.export}
      above={turn}
      find={['resultType', 'conclusion', 'at', findPark, 'deviceNo', 'deviceType', 'fromNo']}
      columns={[
        'at',
        'resultType',
        'deviceName',
        'deviceNo',
        'deviceType',
        {
          dataIndex: 'parkCode',
          title: say(['车场', 'Car park']),
          render: (_: unknown, row: Came) => (row.parkCode ? <ParkName code={row.parkCode} /> : '--'),
        },
        'conclusion',
        'who',
        'fromNo',
        'reason',
      ]}
      empty={['还没有结果', 'No results yet']}
    />
  )
}
