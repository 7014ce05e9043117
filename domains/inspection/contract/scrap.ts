import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  pick,
  pickSome,
  pictures,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { DeviceType } from '../../device/contract/device.ts'
import { deviceNo, parkCode, Repair } from './repair.ts'

export const ScrapReason = dictionary('scrap_reason', ['报废原因', 'Scrap reason'], {
  old: [1, '超期', 'Past service life'],
  broken: [2, '修不好', 'Beyond repair'],
  dear: [3, '不经济', 'Uneconomical to repair'],
  outdated: [4, '淘汰', 'Obsolete'],
  lost: [5, '毁失', 'Destroyed or lost'],
})
export const ScrapState = dictionary('scrap_state', ['审批状态', 'Approval status'], {
  waiting: [0, '待审', 'Pending review', 'warning'],
  second: [1, '待负责人复审', 'Awaiting final approval', 'warning'],
  approved: [2, '批准', 'Approved', 'success'],
  refused: [3, '驳回', 'Rejected', 'error'],
  withdrawn: [4, '撤回', 'Withdrawn'],
})
const { waiting, second, approved, refused, withdrawn } = ScrapState
export const scrapCan = moves(ScrapState, {
  pass: { [waiting]: second },
  approve: { [waiting]: approved, [second]: approved },
  refuse: { [waiting]: refused, [second]: refused },
  withdraw: { [waiting]: withdrawn, [second]: withdrawn },
})
/** Bought for so much (ten thousand yuan) or more, the head of the enterprise agrees too. */
export const SECOND_FROM_FEN = 1_000_000
/** A hundred million yuan: no device costs as much. */
const MAX_FEN = 10_000_000_000
/** Fifty years. */
const MONTHS_MAX = 600
const money = (zh: string, en: string) => fen(zh, en, { min: 0, max: MAX_FEN })
const person = (zh: string, en: string) => orNone(text(zh, en, { max: 40 }))

export const Scrap = entity(['报废申请', 'Scrap request'], {
  ...rowFields<'ScrapId'>(),
  scrapNo: text('报废单号', 'Scrap number', { max: 40 }),
  deviceNo,
  deviceName: Repair.properties.deviceName,
  deviceType: among('设备类型', 'Device type', DeviceType),
  parkCode: orNone(parkCode),
  reason: among('报废原因', 'Reason', ScrapReason),
  note: account('说明', 'Note', { max: 500 }),
  images: orNone(pictures('照片', 'Pictures')),
  originalFen: money('原值', 'Original value'),
  /** The cost of its repairs up to the request. */
  repairFen: fen('累计维修费', 'Repair cost', { min: 0 }),
  residualFen: money('残值', 'Residual value'),
  months: whole('使用月数', 'Months in use', { min: 0, max: MONTHS_MAX }),
  state: among('状态', 'Status', ScrapState),
  applicantName: text('申请人', 'Applicant', { max: 40 }),
  managerName: person('资产管理员', 'Asset manager'),
  managedAt: orNone(instant('审批时间', 'Approved at')),
  headName: person('企业负责人', 'Head of enterprise'),
  headedAt: orNone(instant('复审时间', 'Head approved at')),
  opinion: orNone(account('审批意见', 'Opinion', { max: 500 })),
  doneAt: orNone(instant('结束时间', 'Closed at')),
})
/** Behind it: the accounts, which have to differ. */
export const KeptScrap = entity({
  ...Scrap.properties,
  applicantId: id<'PersonId'>('申请人账号', 'Applicant (account)'),
  managerId: orNone(id<'PersonId'>('资产管理员账号', 'Asset manager (account)')),
  headId: orNone(id<'PersonId'>('企业负责人账号', 'Head of enterprise (account)')),
})
export const scrapSearch = searchOf(
  Scrap,
  {
    scrapNo: 'startsWith',
    deviceNo: 'equals',
    deviceType: 'among',
    parkCode: 'equals',
    reason: 'among',
    state: 'among',
    createdAt: 'between',
    doneAt: 'between',
  },
  { sort: ['createdAt', 'doneAt'] },
)

const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
const sum = (zh: string, en: string) => fen(zh, en, { min: 0 })
const year = whole('年份', 'Year', { min: 2000, max: 2100 })
/** Twelve months, with those in which nothing was scrapped. */
export const ScrapYear = entity({
  year,
  total: counted('报废', 'Scrapped'),
  originalFen: sum('原值', 'Original value'),
  residualFen: sum('残值', 'Residual value'),
  months: shaped(
    '按月',
    'By month',
    listOf(
      entity({ month: whole('月', 'Month', { min: 1, max: 12 }), count: counted('报废', 'Scrapped'), originalFen: sum('原值', 'Original value') }),
    ),
  ),
  types: shaped('按类型', 'By type', listOf(entity({ deviceType: Scrap.properties.deviceType, count: counted('报废', 'Scrapped') }))),
})

const device = { service: 'device' } as const
const view = { ...device, own: true, needs: 'inspection:scrap:view' } as const
const which = pick(Scrap, 'id', 'version').properties
const query = call('inspection.scrap.query', { ...view, get: '/inspection/scrap/query', query: paged(scrapSearch), reply: pageOf(Scrap) })
export const scrap = {
  query,
  one: call('inspection.scrap.one', { ...view, get: '/inspection/scrap/one', query: message({ id: which.id }), reply: Scrap }),
  export: exportOf('inspection.scrap.export', {
    ...view,
    get: '/inspection/scrap/export',
    title: ['报废记录', 'Scrap records'],
    query,
    columns: [
      'scrapNo',
      'deviceNo',
      'deviceName',
      'deviceType',
      'parkCode',
      parkName,
      'reason',
      'note',
      'originalFen',
      'repairFen',
      'residualFen',
      'months',
      'state',
      'applicantName',
      'managerName',
      'headName',
      'opinion',
      'createdAt',
      'doneAt',
    ],
  }),
  apply: call('inspection.scrap.apply', {
    ...device,
    own: true,
    post: '/inspection/scrap/apply',
    needs: 'inspection:scrap:apply',
    writes: true,
    does: ['申请报废', 'Requested scrapping'],
    body: pickSome(Scrap, ['deviceNo', 'reason', 'note', 'originalFen', 'residualFen', 'months'], ['images']),
    reply: Scrap,
  }),
  /** By the asset manager. Where it was dear the head of the enterprise has the last word, by `confirm`. */
  decide: call('inspection.scrap.decide', {
    ...device,
    own: true,
    post: '/inspection/scrap/decide',
    needs: 'inspection:scrap:decide',
    writes: true,
    does: ['审批报废', 'Decided a scrap request'],
    body: message({ ...which, approve: yes('批准', 'Approve') }, { opinion: account('审批意见', 'Opinion', { max: 500 }) }),
    reply: Scrap,
  }),
  confirm: call('inspection.scrap.confirm', {
    ...device,
    own: true,
    post: '/inspection/scrap/confirm',
    needs: 'inspection:scrap:head',
    writes: true,
    does: ['复审报废', 'Decided a scrap request as head'],
    body: message({ ...which, approve: yes('批准', 'Approve') }, { opinion: account('审批意见', 'Opinion', { max: 500 }) }),
    reply: Scrap,
  }),
  withdraw: call('inspection.scrap.withdraw', {
    ...device,
    own: true,
    post: '/inspection/scrap/withdraw',
    needs: 'inspection:scrap:apply',
    writes: true,
    does: ['撤回报废申请', 'Withdrew a scrap request'],
    body: message(which),
    reply: Scrap,
  }),
  year: call('inspection.result.year-scrap-statistical', {
    ...device,
    needs: 'inspection:scrap:view',
    get: '/inspection/result/YearScrapStatistical',
    query: message({}, { year }),
    reply: ScrapYear,
  }),
}
