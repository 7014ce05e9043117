import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, day, dictionary, entity, fen, id, instant, listOf, message, orNone, permille, text, whole } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Device, DeviceType } from '../../device/contract/device.ts'

export const ResultType = dictionary('inspection_result_type', ['结果类型', 'Result type'], {
  round: [1, '巡检', 'Patrol'],
  repair: [2, '维修', 'Repair'],
  scrap: [3, '报废', 'Scrap'],
})
export const Conclusion = dictionary('inspection_conclusion', ['结论', 'Conclusion'], {
  right: [1, '正常', 'Normal', 'success'],
  wrong: [2, '异常', 'Abnormal', 'error'],
  unseen: [3, '未检', 'Not checked', 'warning'],
})
const sum = (zh: string, en: string) => orNone(fen(zh, en, { min: 0 }))
/** The result of a round, a repair or a scrap for one device. `fromNo` is the number of the task, the repair or the scrap. */
export const Result = entity(['巡检结果', 'Result'], {
  id: id<'InspectionResultId'>(),
  resultType: among('类型', 'Type', ResultType),
  deviceNo: Device.properties.deviceNo,
  deviceName: Device.properties.name,
  deviceType: among('设备类型', 'Device type', DeviceType),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  at: instant('时间', 'Time'),
  who: text('经办人', 'By', { max: 40 }),
  conclusion: orNone(among('结论', 'Conclusion', Conclusion)),
  fromNo: text('来源单号', 'Source number', { max: 40 }),
  reason: orNone(text('说明', 'Note', { max: 200 })),
  originalFen: sum('原值', 'Original value'),
  repairFen: sum('累计维修费', 'Repair cost'),
  residualFen: sum('残值', 'Residual value'),
  months: orNone(whole('使用月数', 'Months in use', { min: 0 })),
  approvers: orNone(text('审批人', 'Approved by', { max: 200 })),
})
export const resultSearch = searchOf(
  Result,
  { resultType: 'among', deviceNo: 'startsWith', deviceType: 'among', parkCode: 'equals', conclusion: 'among', fromNo: 'startsWith', at: 'between' },
  { sort: ['at', 'deviceNo'] },
)
const view = { service: 'device', needs: 'inspection:result:view' } as const
const query = call('inspection.result.select-list-by-page', {
  ...view,
  get: '/inspection/result/selectListByPage',
  query: paged(resultSearch),
  reply: pageOf(Result),
})

const seen = (zh: string, en: string) => whole(zh, en, { min: 0 })
const parkCode = text('车场编号', 'Car park code', { max: 16 })
export const result = {
  query,
  /** Ten parks by how many of a hundred devices that were looked at were wrong. Left out: this month up to today. */
  ranking: call('inspection.result.ranking-top-num', {
    ...view,
    get: '/inspection/result/rankingTopNum',
    query: message({}, { dateFrom: day('自', 'From'), dateTo: day('至', 'To'), parkCode }),
    reply: listOf(
      entity({
        parkCode,
        parkName: text('车场', 'Car park'),
        inspected: seen('检查设备', 'Devices checked'),
        abnormal: seen('异常结果', 'Abnormal results'),
        abnormalRate: permille('每百台异常', 'Abnormal per 100'),
      }),
    ),
  }),
  export: exportOf('inspection.result.export', {
    ...view,
    get: '/inspection/result/export',
    title: ['巡检结果', 'Inspection results'],
    query,
    columns: [
      'resultType',
      'fromNo',
      'deviceNo',
      'deviceName',
      'deviceType',
      'parkCode',
      'at',
      'who',
      'conclusion',
      'reason',
      'originalFen',
      'repairFen',
      'residualFen',
      'months',
      'approvers',
    ],
  }),
}
