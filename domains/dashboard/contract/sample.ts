import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  message,
  moves,
  nothing,
  orNone,
  pickSome,
  text,
  whole,
} from '../../../platform/contract/field.ts'

export const SampleKind = dictionary('sample_kind', ['示例类别', 'Sample type'], {
  device: [1, '设备', 'Device'],
  place: [2, '场地', 'Place'],
  service: [3, '服务', 'Service'],
})
export const SampleState = dictionary('sample_state', ['示例状态', 'Sample status'], {
  open: [1, '待处理', 'Open', 'warning'],
  done: [2, '已完成', 'Done', 'success'],
  locked: [3, '已锁定', 'Locked', 'error'],
})

/** A row of the gallery. Its cost is shown only with a permission. */
export const Sample = entity(['示例', 'Sample'], {
  id: id<'SampleId'>(),
  code: text('示例编号', 'Sample number', { max: 20, pattern: '^[A-Z0-9-]+$' }),
  name: text('名称', 'Name', { max: 40 }),
  kind: among('类别', 'Type', SampleKind),
  state: among('状态', 'Status', SampleState),
  amountFen: fen('金额', 'Amount', { min: 0 }),
  costFen: orNone(fen('成本', 'Cost', { min: 0 })),
  progress: orNone(whole('进度', 'Progress', { unit: 'percent', min: 0, max: 100 })),
  happenedAt: instant('发生时间', 'Occurred at'),
  keeper: orNone(text('负责人', 'Person in charge', { max: 20 })),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
  version: whole('版本', 'Version'),
})
export const sampleSearch = searchOf(
  Sample,
  { code: 'startsWith', name: 'contains', kind: 'among', state: 'among', happenedAt: 'between', amountFen: 'between', costFen: 'between' },
  { sort: ['happenedAt', 'code', 'amountFen'] },
)
export const sampleCan = moves(SampleState, { finish: { 1: 2 }, reopen: { 2: 1 } })
/** The permission to see the costs of a sample. */
export const COST = 'dashboard:sample:cost'

const key = message({ id: Sample.properties.id, version: Sample.properties.version })
const writes = { service: 'business', needs: 'dashboard:sample:edit', writes: true, own: true } as const
const reads = { service: 'business', needs: 'dashboard:sample:view', own: true } as const
export const sample = {
  query: call('dashboard.sample.query', { ...reads, post: '/sample/queryPage', body: paged(sampleSearch), reply: pageOf(Sample) }),
  detail: call('dashboard.sample.detail', { ...reads, get: '/sample/detail', query: message({ id: Sample.properties.id }), reply: Sample }),
  add: call('dashboard.sample.add', {
    ...writes,
    post: '/sample/add',
    does: ['新增示例', 'Added a sample'],
    body: pickSome(Sample, ['code', 'name', 'kind'], ['amountFen', 'costFen', 'progress', 'happenedAt', 'keeper', 'remark']),
    reply: Sample,
  }),
  update: call('dashboard.sample.update', {
    ...writes,
    post: '/sample/update',
    does: ['修改示例', 'Changed a sample'],
    body: pickSome(Sample, ['id', 'version'], ['name', 'kind', 'amountFen', 'costFen', 'progress', 'happenedAt', 'keeper', 'remark']),
    reply: Sample,
  }),
  finish: call('dashboard.sample.finish', { ...writes, post: '/sample/finish', does: ['办结示例', 'Finished a sample'], body: key, reply: nothing }),
  reopen: call('dashboard.sample.reopen', {
    ...writes,
    post: '/sample/reopen',
    does: ['重新打开示例', 'Reopened a sample'],
    body: key,
    reply: nothing,
  }),
  delete: call('dashboard.sample.delete', { ...writes, post: '/sample/delete', does: ['删除示例', 'Deleted a sample'], body: key, reply: nothing }),
  /** Adds so many rows, each a little different; every seventh is locked. */
  fill: call('dashboard.sample.fill', {
    ...writes,
    post: '/sample/fill',
    heavy: true,
    does: ['填充示例', 'Generated samples'],
    body: message({ rows: whole('行数', 'Rows', { min: 1, max: 100_000 }) }),
    reply: nothing,
  }),
  /** Returns the costs of a sample; `query` and `detail` check its permission themselves. */
  costs: call('dashboard.sample.costs', {
    ...reads,
    needs: COST,
    get: '/sample/costs',
    query: message({ id: Sample.properties.id }),
    reply: message({ costFen: Sample.properties.costFen }),
  }),
}
