import { useQuery } from '@tanstack/react-query'
import { Segmented, Table } from 'antd'
import { Link, useSearchParams } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { count, time } from '../../../../platform/web/format.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { PageHead } from '../../../../platform/web/page/page.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../../platform/web/draw/Tiles.tsx'
import { Time } from '../../../../platform/web/value.tsx'
import { alarmRecord } from '../../contract/alarmRecord.ts'
import { SERVER_ALARMS } from '../../contract/figures.ts'
import { type MetricCode, performance, SAMPLE_SECONDS, Server, type ServerNow, type Share } from '../../contract/performance.ts'
import { Bar, bytes, measured } from './figures.tsx'
import { MetricPanel, type Range, RANGES } from './MetricPanel.tsx'
import './servers.css'

type Row = Of<typeof ServerNow>
const again = { refetchInterval: SAMPLE_SECONDS * 1000 }
const ALARMS = '/appManage/server/alarmRecord'
const SHOWN: readonly MetricCode[] = [1, 2, 4, 3, 5, 6, 7, 8, 9, 10]
const SERVERS_SHOWN = 100

/** How the machines are, now and until now. One page: which server, over what time; everything else follows by itself every 15 s. */
export default function PerformanceScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const servers = useQuery({
    ...asks(performance.queryServerPerformanceInfo, { limit: SERVERS_SHOWN, queryMode: 'rows' }, { quiet: true }),
    ...again,
  })
  const rows = servers.data?.records ?? []
  const open = rows.find(({ id }) => id === params.get('server')) ?? rows[0]
  const range = (params.get('range') ?? '1h') in RANGES ? ((params.get('range') ?? '1h') as Range) : '1h'
  const set = (name: string, value: string) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      next.set(name, value)
      return next
    })
  return (
    <div className="page">
      <PageHead
        purpose={[
          '各服务器的负载，每 15 秒采集一次；原始数据保留 7 天，5 分钟数据保留 90 天',
          'Server load, sampled every 15 s; raw data kept for 7 days, 5-minute data for 90 days',
        ]}
      >
        <span className="push" />
        {servers.data && (
          <span className="faint">
            {say(['数据时间', 'As of'])} {time(new Date(servers.dataUpdatedAt)).slice(11)}
          </span>
        )}
      </PageHead>
      <Counts />
      {servers.isError && !servers.data ? (
        <Failed error={servers.error as Refusal} retry={() => void servers.refetch()} />
      ) : !servers.data ? (
        <Waiting lines={6} />
      ) : !open ? (
        <Nothing>{say(['程序启动后 15 秒内会出现第一台服务器。', 'The first server appears within 15 s of startup.'])}</Nothing>
      ) : (
        <>
          <Servers rows={rows} open={open.id} onOpen={(id) => set('server', id)} />
          <header className="metric-bar">
            <h2>{open.name}</h2>
            <span className="faint">{open.os}</span>
            <span className="push" />
            <Segmented<Range>
              size="small"
              aria-label={say(['时间范围', 'Time range'])}
              value={range}
              onChange={(value) => set('range', value)}
              options={(Object.keys(RANGES) as Range[]).map((value) => ({ value, label: say(RANGE_NAMES[value]) }))}
            />
          </header>
          <div className="metric-parts">
            {SHOWN.map((metric) => (
              <MetricPanel key={`${open.id} ${metric}`} serverId={open.id} metric={metric} range={range} />
            ))}
          </div>
          <About row={open} />
        </>
      )}
    </div>
  )
}
const RANGE_NAMES: Record<Range, Text> = {
  '1h': ['1 小时', '1 hour'],
  '6h': ['6 小时', '6 hours'],
  '24h': ['24 小时', '24 hours'],
  '7d': ['7 天', '7 days'],
  '30d': ['30 天', '30 days'],
  '90d': ['90 天', '90 days'],
}

export function Counts() {
  const say = useText()
  const { data } = useQuery({ ...asks(performance.queryCurrentNumInfo, {}, { quiet: true }), ...again })
  return (
    <Tiles label={['服务器概况', 'Server overview']}>
      <Tile name={['服务器在线', 'Servers online']} value={data && `${data.online} / ${data.servers}`} tone={data && data.offline > 0 && 'error'}>
        {data && data.offline > 0 && say([`${data.offline} 台没有数据`, `${data.offline} without data`])}
      </Tile>
      <Tile figure={SERVER_ALARMS.open} value={data?.openAlarms} tone={data && data.openAlarms > 0 && 'warning'} />
      <Tile figure={SERVER_ALARMS.unacknowledged} value={data?.unacknowledged} tone={data && data.unacknowledged > 0 && 'error'} />
      <Tile name={['数据库连接', 'Database connections']} value={data?.dbConnections}>
        {data && say([`允许 ${data.dbConnectionsMax}`, `of ${data.dbConnectionsMax} allowed`])}
      </Tile>
    </Tiles>
  )
}

const percent = (metric: MetricCode, value: number | null | undefined) => (
  <Bar share={value === null || value === undefined ? null : value / 1000} text={measured(metric, value)} />
)

function Servers({ rows, open, onOpen }: { rows: readonly Row[]; open: string; onOpen: (id: string) => void }) {
  const say = useText()
  return (
    <Table<Row>
      className="servers"
      size="small"
      rowKey="id"
      pagination={false}
      dataSource={[...rows]}
      scroll={{ x: 'max-content' }}
      rowClassName={({ id }) => (id === open ? 'open' : '')}
      onRow={({ id }) => ({ onClick: () => onOpen(id) })}
      columns={[
        {
          key: 'name',
          title: say(['服务器', 'Server']),
          render: (_, row) => (
            <button type="button" className="link" aria-pressed={row.id === open} onClick={() => onOpen(row.id)}>
              {row.name}
            </button>
          ),
        },
        {
          key: 'online',
          title: say(['状态', 'Status']),
          render: (_, { online }) => (
            <span className={`state ${online ? 'success' : 'error'}`}>{say(online ? ['在线', 'Online'] : ['无数据', 'No data'])}</span>
          ),
        },
        { key: 'cpu', title: say(['处理器', 'CPU']), render: (_, { sample }) => percent(1, sample?.cpuPermille) },
        { key: 'mem', title: say(['内存', 'Memory']), render: (_, { sample }) => percent(2, sample?.memPermille) },
        { key: 'disk', title: say(['磁盘', 'Disk']), render: (_, { sample }) => percent(3, sample?.diskPermille) },
        {
          key: 'load',
          title: say(['负载', 'Load']),
          align: 'right',
          responsive: ['xl'],
          render: (_, { sample }) => measured(4, sample?.loadPercent),
        },
        { key: 'in', title: say(['接收', 'In']), align: 'right', responsive: ['xl'], render: (_, { sample }) => measured(5, sample?.netInBytes) },
        { key: 'out', title: say(['发送', 'Out']), align: 'right', responsive: ['xl'], render: (_, { sample }) => measured(6, sample?.netOutBytes) },
        {
          key: 'alarms',
          title: say(['告警', 'Alarms']),
          align: 'right',
          render: (_, { id, openAlarms }) =>
            openAlarms === 0 ? (
              <span className="faint">0</span>
            ) : can(alarmRecord.pageQuery.needs) ? (
              <Link to={`${ALARMS}?serverId=${id}&state=0,2`}>{openAlarms}</Link>
            ) : (
              openAlarms
            ),
        },
        { key: 'seen', title: say(['最后数据', 'Last data']), render: (_, { lastSeenAt }) => <Time at={lastSeenAt} /> },
      ]}
    />
  )
}

/** Shows the machine's facts, and how its memory, disks and connections are shared out. */
function About({ row }: { row: Row }) {
  const say = useText()
  const shares = useQuery({ ...asks(performance.queryResourceProportion, { serverId: row.id }, { quiet: true }), ...again })
  return (
    <div className="metric-about">
      <Section title={['资源占用', 'Resources']}>
        {shares.data?.map((share) => (
          <div className="metric-share" key={`${share.kind} ${share.name}`}>
            <span>{say(nameOf(share))}</span>
            <Bar
              share={share.total > 0 ? share.used / share.total : null}
              ours={share.ours === null ? 0 : share.ours / share.total}
              text={partOf(share)}
            />
          </div>
        ))}
      </Section>
      <Section title={['服务器信息', 'Server information']}>
        <Facts
          entity={Server}
          of={row}
          show={[
            'os',
            'cpu',
            'cores',
            { label: ['内存容量', 'Memory'], value: bytes(row.memBytes) },
            'programStartedAt',
            'firstSeenAt',
            'lastSeenAt',
          ]}
        />
      </Section>
    </div>
  )
}
const nameOf = ({ kind, name }: Of<typeof Share>): Text =>
  kind === 'memory'
    ? ['内存（深色为本程序）', 'Memory (dark: this program)']
    : kind === 'database'
      ? ['数据库连接', 'Database connections']
      : [`磁盘 ${name}`, `Disk ${name}`]
const partOf = ({ unit, used, total }: Of<typeof Share>) => (unit === 'B' ? `${bytes(used)} / ${bytes(total)}` : `${count(used)} / ${count(total)}`)
