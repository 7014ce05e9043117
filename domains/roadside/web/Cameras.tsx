import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import type { ColumnsType } from 'antd/es/table'
import { useState } from 'react'
import type { Call } from '../../../platform/contract/call.ts'
import { asks } from '../../../platform/web/ask.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { ActionsHead, type RowAction, RowActions } from '../../../platform/web/list/RowActions.tsx'
import { useTelephone } from '../../../platform/web/page/small.ts'
import { Loaded, Nothing } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { highVideo } from '../contract/highVideo.ts'
import { Live } from './Live.tsx'
import { DistrictName, DistrictSelect } from './api/names.tsx'

type Text = readonly [zh: string, en: string]
interface Camera {
  deviceNo: string
  name: string
  parkCode: string
  online: boolean | number
}
const AGAIN_MS = 30_000
const SOON_MS = 1_000

/** The cameras of the streets, few enough for one page: name, place, the given `columns`, and the actions. */
export function Cameras<Row extends Camera>({
  purpose,
  call,
  empty,
  columns,
  actions,
  waits,
}: {
  purpose: Text
  call: Call<any, Row[]>
  empty: Text
  columns: ColumnsType<Row>
  actions: (row: Row) => readonly RowAction[]
  /** Something of it is under way: looked at again soon. */
  waits?: (row: Row) => boolean
}) {
  const say = useText()
  const [parkCode, setParkCode] = useState<string>()
  const [watched, setWatched] = useState<Row>()
  const cameras = useQuery({
    ...asks(call, parkCode ? { parkCode } : {}, { quiet: true }),
    refetchInterval: ({ state }) => (waits && state.data?.some(waits) ? SOON_MS : AGAIN_MS),
  })
  const narrow = useTelephone()
  const acts = (row: Row): RowAction[] => [
    { text: ['实时画面', 'Live'], needs: highVideo.playPost.needs, run: () => setWatched(row), not: !row.online && ['设备离线', 'Device offline'] },
    ...actions(row),
  ]
  return (
    <div className="page">
      <PageHead purpose={purpose}>
        <DistrictSelect value={parkCode} onChange={setParkCode} empty={['全部片区', 'All districts']} />
      </PageHead>
      <div className="panel">
        <Loaded of={cameras} lines={3}>
          {(rows) => (
            <Table<Row>
              rowKey="deviceNo"
              size="small"
              dataSource={rows}
              pagination={false}
              scroll={{ x: 'max-content' }}
              locale={{ emptyText: <Nothing>{say(empty)}</Nothing> }}
              columns={[
                { title: say(['设备', 'Camera']), dataIndex: 'name' },
                { title: say(['设备编号', 'Device']), dataIndex: 'deviceNo' },
                { title: say(['片区', 'District']), render: (_, row) => <DistrictName code={row.parkCode} /> },
                ...columns,
                {
                  title: <ActionsHead folded={narrow} />,
                  fixed: 'right',
                  width: 1,
                  render: (_, row) => <RowActions actions={acts(row)} folded={narrow} />,
                },
              ]}
            />
          )}
        </Loaded>
      </div>
      {watched && <Live deviceNo={watched.deviceNo} name={watched.name} onClose={() => setWatched(undefined)} />}
    </div>
  )
}
