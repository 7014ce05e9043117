import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, empty, entity, id, instant, listOf, message, orNone, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

/** The measured metrics: a fixed set. The codes are columns of the view `system.server_metric`; the last is counted when it is asked for. */
export const Metric = dictionary('server_metric', ['服务器指标', 'Server metric'], {
  processor: [1, '处理器', 'CPU'],
  memory: [2, '内存', 'Memory'],
  disk: [3, '磁盘', 'Disk'],
  load: [4, '系统负载', 'Load'],
  networkIn: [5, '网络接收', 'Network in'],
  networkOut: [6, '网络发送', 'Network out'],
  programMemory: [7, '程序内存', 'Program memory'],
  programProcessor: [8, '程序处理器', 'Program CPU'],
  loopDelay: [9, '事件循环延迟', 'Event loop delay'],
  connections: [10, '数据库连接数', 'Database connections'],
  connectionsUsed: [11, '数据库连接占用', 'Database connections used'],
  silence: [12, '失联时长', 'Time without data'],
})
export type MetricCode = keyof (typeof Metric)['entries']
/** How a metric is shown: the stored value, divided by `per`, with the unit behind it. Rules are written in this unit. */
export const METRICS: Record<MetricCode, { unit: string; per: number; help: readonly [string, string] }> = {
  1: { unit: '%', per: 10, help: ['全部处理器核的平均占用', 'Average use of all CPU cores'] },
  2: { unit: '%', per: 10, help: ['不含可随时释放的缓存', 'Excluding reclaimable caches'] },
  3: { unit: '%', per: 10, help: ['最满的一个磁盘', 'The fullest disk'] },
  4: { unit: '%', per: 1, help: ['一分钟负载除以核数', 'One-minute load divided by cores'] },
  5: { unit: 'kB/s', per: 1000, help: ['全部网卡合计', 'All network interfaces'] },
  6: { unit: 'kB/s', per: 1000, help: ['全部网卡合计', 'All network interfaces'] },
  7: { unit: 'MB', per: 1_048_576, help: ['本程序占用的物理内存', 'Physical memory used by this program'] },
  8: { unit: '%', per: 10, help: ['本程序占用，一个核为 100 %', 'Used by this program; one core is 100%'] },
  9: { unit: 'ms', per: 1, help: ['程序来不及响应的时间，99 % 分位', 'Response delay of the program, 99th percentile'] },
  10: { unit: '', per: 1, help: ['本系统数据库的连接', 'Connections to this database'] },
  11: { unit: '%', per: 10, help: ['占允许连接数的比例', 'Share of allowed connections'] },
  12: { unit: 's', per: 1, help: ['多久没有收到该服务器的数据', 'Time since data was last received from the server'] },
}

export const SAMPLE_SECONDS = 15
/** A server that was not heard of for so long is offline, and a gap that long interrupts whatever went on: four samples. */
export const SILENT_SECONDS = 60
export const RAW_DAYS = 7
export const FIGURE_MINUTES = 5
export const FIGURE_DAYS = 90

export const Disk = entity({
  mount: text('挂载点', 'Mounted at', { max: 200 }),
  bytes: whole('容量', 'Size', { max: Number.MAX_SAFE_INTEGER }),
  used: whole('已用', 'Used', { max: Number.MAX_SAFE_INTEGER }),
})
/** A machine that runs the product, or one process's host. */
export const Server = entity({
  id: id<'ServerId'>(),
  name: text('服务器', 'Server', { max: 100 }),
  os: text('操作系统', 'Operating system', { max: 200 }),
  cpu: text('处理器型号', 'CPU model', { max: 200 }),
  cores: whole('核数', 'Cores'),
  memBytes: whole('内存容量', 'Memory', { max: Number.MAX_SAFE_INTEGER }),
  disks: shaped('磁盘', 'Disks', listOf(Disk)),
  programStartedAt: instant('程序启动时间', 'Program started at'),
  firstSeenAt: instant('首次出现', 'First seen'),
  lastSeenAt: instant('最后数据', 'Last data'),
})
const figure = (zh: string, en: string) => orNone(whole(zh, en, { max: Number.MAX_SAFE_INTEGER }))
/** The last sample, each measure as it is kept (permille, bytes, milliseconds). */
export const Sample = entity({
  at: instant('采集时间', 'Sampled at'),
  cpuPermille: figure('处理器', 'CPU'),
  memPermille: figure('内存', 'Memory'),
  diskPermille: figure('磁盘', 'Disk'),
  loadPercent: figure('系统负载', 'Load'),
  netInBytes: figure('网络接收', 'Network in'),
  netOutBytes: figure('网络发送', 'Network out'),
  programBytes: figure('程序内存', 'Program memory'),
  programPermille: figure('程序处理器', 'Program CPU'),
  loopMs: figure('事件循环延迟', 'Event loop delay'),
  dbConnections: figure('数据库连接数', 'Database connections'),
  dbPermille: figure('数据库连接占用', 'Database connections used'),
})
export const ServerNow = entity({
  ...Server.properties,
  online: yes('在线', 'Online'),
  openAlarms: whole('告警', 'Open alarms'),
  sample: orNone(shaped('当前数值', 'Current values', Sample)),
})
export const serverSearch = searchOf(Server, { name: 'contains' }, { sort: ['name', 'lastSeenAt', 'firstSeenAt'], ascending: true })

export const Share = entity({
  name: text('资源', 'Resource', { max: 200 }),
  kind: text('类型', 'Type'),
  unit: text('单位', 'Unit'),
  used: whole('已用', 'Used', { max: Number.MAX_SAFE_INTEGER }),
  /** The part of the used amount that this program has; null where that is not known. */
  ours: orNone(whole('其中本程序', 'Of which this program', { max: Number.MAX_SAFE_INTEGER })),
  total: whole('合计', 'Total', { max: Number.MAX_SAFE_INTEGER }),
})
export const ServerCounts = entity({
  servers: whole('服务器', 'Servers'),
  online: whole('在线', 'Online'),
  offline: whole('离线', 'Offline'),
  openAlarms: whole('未恢复告警', 'Open alarms'),
  unacknowledged: whole('未确认告警', 'Unacknowledged alarms'),
  dbConnections: whole('数据库连接数', 'Database connections'),
  dbConnectionsMax: whole('允许连接数', 'Connections allowed'),
})
export const Point = entity({
  at: instant('时间', 'Time'),
  /** Null where nothing was measured: a gap is a gap, and no zero. */
  mean: orNone(whole('平均', 'Average', { max: Number.MAX_SAFE_INTEGER })),
  most: orNone(whole('最高', 'Maximum', { max: Number.MAX_SAFE_INTEGER })),
})
export const Series = entity({
  metric: among('指标', 'Metric', Metric),
  stepSeconds: whole('间隔秒数', 'Interval (s)'),
  points: shaped('数值', 'Points', listOf(Point)),
})

const OfServer = { serverId: id<'ServerId'>('服务器', 'Server') }
const Between = { from: instant('开始时间', 'From'), to: instant('结束时间', 'To') }

const view = { service: 'business', needs: 'system:performance:view' } as const
export const performance = {
  queryServerPerformanceInfo: call('system.performance.query-server-performance-info', {
    ...view,
    post: '/performance/queryServerPerformanceInfo',
    body: paged(serverSearch),
    reply: pageOf(ServerNow),
  }),
  queryServerInfo: call('system.performance.query-server-info', {
    ...view,
    post: '/performance/queryServerInfo',
    body: empty,
    reply: listOf(ServerNow),
  }),
  queryInfo: call('system.performance.query-info', { ...view, post: '/performance/queryInfo', body: message(OfServer), reply: ServerNow }),
  /** Memory, each disk and the database's connections of one server: used, ours of that, and free. */
  queryResourceProportion: call('system.performance.query-resource-proportion', {
    ...view,
    post: '/performance/queryResourceProportion',
    body: message(OfServer),
    reply: listOf(Share),
  }),
  queryCurrentNumInfo: call('system.performance.query-current-num-info', {
    ...view,
    post: '/performance/queryCurrentNumInfo',
    body: empty,
    reply: ServerCounts,
  }),
  /** Over the last hour when no time is given; up to 90 days back. */
  queryMemProportion: call('system.performance.query-mem-proportion', {
    ...view,
    post: '/performance/queryMemProportion',
    body: message(OfServer, Between),
    reply: Series,
  }),
  queryCpuProportion: call('system.performance.query-cpu-proportion', {
    ...view,
    post: '/performance/queryCpuProportion',
    body: message(OfServer, Between),
    reply: Series,
  }),
  series: call('system.performance.query-series', {
    ...view,
    post: '/performance/querySeries',
    own: true,
    body: message({ ...OfServer, metric: among('指标', 'Metric', Metric) }, Between),
    reply: Series,
  }),
}
